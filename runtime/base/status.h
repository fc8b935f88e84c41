// Errors as values: a code that tells what the caller may do, and a message
// that tells what was found and what was expected.
#ifndef FERRULE_BASE_STATUS_H
#define FERRULE_BASE_STATUS_H

#include <string>
#include <utility>

namespace ferrule::runtime {

/// Numbers are those of ferrule_status in the C API.
enum class Code {
  Ok = 0,
  InvalidArgument = 1, ///< The caller's mistake: fix the call.
  NotFound = 2,        ///< No file, function or value of that name.
  BadFile = 3,         ///< Damaged, hostile or not a .byre file.
  Unsupported = 4,     ///< A newer file, a missing device or instruction set.
  Failed = 5,          ///< The program itself failed: an assertion.
  OutOfMemory = 6,
  Internal = 7,
};

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Code code, std::string message)
      : what(code), text(std::move(message)) {}

  bool ok() const { return what == Code::Ok; }
  Code code() const { return what; }
  const std::string &message() const { return text; }

  /// The same error seen from further out: "context: message".
  Status in(const std::string &context) const {
    return ok() ? *this : Status(what, context + ": " + text);
  }

private:
  Code what = Code::Ok;
  std::string text;
};

inline Status invalidArgument(std::string message) {
  return {Code::InvalidArgument, std::move(message)};
}
inline Status badFile(std::string message) {
  return {Code::BadFile, std::move(message)};
}
inline Status unsupported(std::string message) {
  return {Code::Unsupported, std::move(message)};
}
inline Status failed(std::string message) {
  return {Code::Failed, std::move(message)};
}

} // namespace ferrule::runtime

#define FERRULE_RETURN_IF_ERROR(expression)                                    \
  do {                                                                         \
    if (::ferrule::runtime::Status status_ = (expression); !status_.ok())      \
      return status_;                                                          \
  } while (false)

#endif // FERRULE_BASE_STATUS_H
