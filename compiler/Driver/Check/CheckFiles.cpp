#include "compiler/Driver/Check/CheckFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace ferrule;

namespace {

struct Program {
  std::string path, source;
  unsigned line;
};

/// A program that is being checked, and what it has written when it is done.
struct Worker {
  pid_t process = -1;
  FILE *output = nullptr;
  bool done = false;
  std::string text;
};

/// Checks programs in child processes; counts lie in memory shared with them.
class Checker {
public:
  Checker(ArrayRef<Program> programs, const CheckFilesOptions &options,
          raw_ostream &os)
      : programs(programs), options(options), os(os), workers(programs.size()) {
    size = std::max<size_t>(programs.size(), 1) * sizeof(CheckCounts);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counts =
        memory == MAP_FAILED ? nullptr : static_cast<CheckCounts *>(memory);
  }
  ~Checker() {
    if (counts)
      munmap(counts, size);
  }

  bool run(CheckCounts &sum, std::string &error);

private:
  bool start(size_t number, std::string &error);
  [[noreturn]] void work(size_t number);
  void waitForOne();
  void finish(size_t number, int status);

  ArrayRef<Program> programs;
  const CheckFilesOptions &options;
  raw_ostream &os;
  std::vector<Worker> workers;
  CheckCounts *counts;
  size_t size, running = 0;
};

void Checker::work(size_t number) {
  const Program &program = programs[number];
  alarm(options.secondsPerProgram);
  // What a crash prints goes to the program's output too.
  dup2(fileno(workers[number].output), STDERR_FILENO);
  raw_fd_ostream out(STDERR_FILENO, /*shouldClose=*/false);
  counts[number] = checkProgram(program.source, program.path, program.line,
                                options.compile, out);
  out.flush();
  _exit(0);
}

bool Checker::start(size_t number, std::string &error) {
  Worker &worker = workers[number];
  worker.output = tmpfile();
  if (worker.output)
    worker.process = fork();
  if (worker.process < 0) {
    error = std::string("cannot start a process: ") + strerror(errno);
    return false;
  }
  if (worker.process == 0)
    work(number);
  ++running;
  return true;
}

void Checker::finish(size_t number, int status) {
  Worker &worker = workers[number];
  worker.done = true;
  --running;
  std::rewind(worker.output);
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, worker.output))
    worker.text.append(buffer, count);
  std::fclose(worker.output);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  counts[number] = {0, 1};
  raw_string_ostream text(worker.text);
  text << programs[number].path << ":" << programs[number].line
       << ": error: the process ";
  if (!WIFSIGNALED(status))
    text << "ended with status " << WEXITSTATUS(status);
  else if (WTERMSIG(status) == SIGALRM)
    text << "took more than " << options.secondsPerProgram << " seconds";
  else
    text << "crashed: " << strsignal(WTERMSIG(status));
  text << "\n";
}

void Checker::waitForOne() {
  int status = 0;
  pid_t process = waitpid(-1, &status, 0);
  for (size_t i = 0; i < workers.size(); ++i)
    if (!workers[i].done && workers[i].process == process)
      return finish(i, status);
}

bool Checker::run(CheckCounts &sum, std::string &error) {
  if (!counts) {
    error = "not enough memory";
    return false;
  }
  size_t started = 0, printed = 0;
  while (printed < programs.size()) {
    while (started < programs.size() && running < options.jobs)
      if (!start(started++, error))
        return false;
    waitForOne();
    for (; printed < started && workers[printed].done; ++printed) {
      os << workers[printed].text;
      workers[printed].text.clear();
      sum.passed += counts[printed].passed;
      sum.failed += counts[printed].failed;
    }
    // Else processes started later would write what is buffered once more.
    os.flush();
  }
  return true;
}

/// Appends the programs of a file, parted by lines that start with `// -----`.
std::error_code splitFile(StringRef path, std::vector<Program> &programs) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return file.getError();
  StringRef rest = (*file)->getBuffer();
  Program program{path.str(), "", 1};
  auto add = [&] {
    if (!StringRef(program.source).trim().empty())
      programs.push_back(program);
  };
  for (unsigned line = 1; !rest.empty(); ++line) {
    auto [text, tail] = rest.split('\n');
    rest = tail;
    if (text.starts_with("// -----")) {
      add();
      program = {path.str(), "", line + 1};
    } else {
      program.source += text.str() + "\n";
    }
  }
  add();
  return {};
}

/// Appends `path`, or the .mlir files below it in the order of their names.
std::error_code findFiles(const std::string &path,
                          std::vector<std::string> &files) {
  if (!sys::fs::is_directory(path)) {
    files.push_back(path);
    return {};
  }
  std::error_code error;
  std::vector<std::string> found;
  sys::fs::recursive_directory_iterator entry(path, error), end;
  for (; entry != end && !error; entry.increment(error))
    if (sys::path::extension(entry->path()) == ".mlir")
      found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return error;
}

} // namespace

bool ferrule::checkFiles(ArrayRef<std::string> paths,
                         const CheckFilesOptions &options, CheckCounts &counts,
                         std::string &error, raw_ostream &os) {
  std::vector<std::string> files;
  std::vector<Program> programs;
  for (const std::string &path : paths)
    if (std::error_code code = findFiles(path, files)) {
      error = "cannot read " + path + ": " + code.message();
      return false;
    }
  for (const std::string &file : files)
    if (std::error_code code = splitFile(file, programs)) {
      error = "cannot read " + file + ": " + code.message();
      return false;
    }
  if (programs.empty()) {
    error = "found no program to check";
    return false;
  }
  counts = {};
  if (!Checker(programs, options, os).run(counts, error))
    return false;
  os << counts.passed << " passed, " << counts.failed << " failed\n";
  return true;
}
