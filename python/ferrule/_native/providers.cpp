#include "python/ferrule/_native/providers.h"
#include "python/ferrule/_native/arrays.h"
#include "runtime/executor/strided_copy.h"
#include "runtime/format/element_type.h"

#include <nanobind/stl/string.h>

#include <cstring>

namespace nb = nanobind;
using namespace ferrule;
using namespace ferrule::python;

namespace {

BufferView viewOf(const ferrule_buffer &buffer) {
  return {buffer.data,
          buffer.element_type,
          {buffer.dims, buffer.dims + buffer.rank},
          {}};
}

/// A call in progress, with the interpreter's lock held.
class Call {
public:
  explicit Call(const ferrule_provider_call &call) : call(call) {
    if (call.attributes && *call.attributes)
      attributes = nb::cast<nb::dict>(
          nb::module_::import_("json").attr("loads")(call.attributes));
    if (!attributes.contains("ferrule.element_types"))
      return;
    // Integers and small floats, which programs store as other ones.
    for (nb::handle name : attributes["ferrule.element_types"])
      types.push_back(static_cast<ferrule_element_type>(
          format::parseElementType(nb::cast<std::string>(name))
              .value_or(format::ElementType::None)));
    nb::del(attributes["ferrule.element_types"]);
  }

  void run(nb::handle function) {
    nb::list inputs;
    for (uint32_t i = 0; i < call.first_output; ++i)
      inputs.append(input(i));
    nb::object results = function(*nb::tuple(inputs), **attributes);
    uint32_t count = call.buffer_count - call.first_output;
    bool many =
        nb::isinstance<nb::tuple>(results) || nb::isinstance<nb::list>(results);
    if (!many && count == 1)
      return store(call.first_output, results);
    size_t found = many ? nb::len(results) : results.is_none() ? 0 : 1;
    if (found != count)
      throw Error(FERRULE_INVALID_ARGUMENT,
                  "returned " + std::to_string(found) + " results, expected " +
                      std::to_string(count));
    for (uint32_t i = 0; i < count; ++i)
      store(call.first_output + i, results[nb::int_(i)]);
  }

private:
  const ferrule_provider_call &call;
  nb::dict attributes;
  std::vector<ferrule_element_type> types;

  /// The buffer under its own element type. Elements of less than a byte are
  /// stored in one each here, and packed in views: they stay as stored.
  BufferView view(uint32_t index) const {
    BufferView result = viewOf(call.buffers[index]);
    ferrule_element_type own =
        index < types.size() ? types[index] : FERRULE_NONE;
    if (own != FERRULE_NONE && ferrule_element_type_bits(own) ==
                                   ferrule_element_type_bits(result.type))
      result.type = own;
    return result;
  }

  /// A copy: the function may keep it, while the program's memory is reused.
  nb::object input(uint32_t index) const {
    BufferView from = view(index);
    size_t size = from.bytes();
    auto memory = std::make_unique<char[]>(size + 1);
    std::memcpy(memory.get(), from.data, size);
    from.data = memory.get();
    nb::capsule owner(memory.release(), [](void *owned) noexcept {
      delete[] static_cast<char *>(owned);
    });
    return makeArray(from, owner, Kind::Numpy, nb::handle());
  }

  void store(uint32_t index, nb::handle result) const {
    BufferView target = view(index);
    ValueInfo expected = {"result " + std::to_string(index - call.first_output),
                          target.type,
                          target.dims,
                          {},
                          -1};
    Argument found = viewArgument(result, expected);
    if (found.view.type != target.type || found.view.dims != target.dims) {
      ValueInfo own = {"", found.view.type, found.view.dims, {}, -1};
      throw Error(FERRULE_INVALID_ARGUMENT, "returned " + own.text() + " as " +
                                                expected.name + ", expected " +
                                                expected.text());
    }
    runtime::copyStrided(static_cast<char *>(target.data), {},
                         static_cast<const char *>(found.view.data),
                         found.view.strides, found.view.dims,
                         ferrule_element_type_bits(target.type) / 8);
  }
};

const char *callFunction(void *context, const ferrule_provider_call *call) {
  static thread_local std::string message;
  nb::gil_scoped_acquire lock;
  try {
    Call(*call).run(nb::handle(static_cast<PyObject *>(context)));
    return nullptr;
  } catch (nb::python_error &error) {
    std::string type = nb::cast<std::string>(error.type().attr("__name__"));
    message = type + ": " + nb::cast<std::string>(nb::str(error.value()));
  } catch (const std::exception &error) {
    message = error.what();
  }
  return message.c_str();
}

} // namespace

void ferrule::python::registerCustomCall(const std::string &name,
                                         nb::callable function) {
  // Programs may call it until the process ends.
  PyObject *kept = nb::object(function).release().ptr();
  check(ferrule_register_provider(name.c_str(), callFunction, kept));
}
