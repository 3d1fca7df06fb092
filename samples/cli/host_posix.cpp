// SPDX-License-Identifier: MIT
#include "samples/cli/host.h"

#include "samples/cli/input_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace samples
{

namespace
{

constexpr int kPipeWaitMs = 1000; // how long to wait for a process that opens a named pipe for writing
// The largest heap of a thread in glibc.
[[maybe_unused]] constexpr int kLargestHeap = sizeof(void*) >= 8 ? 64 << 20 : 1 << 20;

// Without this, opening a pipe that no process has opened for writing would wait for ever.
pica::Status wait_for_writer(std::FILE* file)
{
    pollfd ready{::fileno(file), POLLIN, 0};
    if (::poll(&ready, 1, kPipeWaitMs) != 0)
        return {};
    // There is no data yet. If there is a writer, its first byte may take any time, so only a read can find
    // out.
    unsigned char byte = 0;
    const ssize_t size = ::read(ready.fd, &byte, 1);
    if (size == 0)
        return pica::Error{"nobody writes into this pipe"};
    if (size == 1)
        std::ungetc(byte, file);
    return {};
}

} // namespace

// Writing to the substitute for stdout fails, as it should.
void prepare_standard_streams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// The environment variables of glibc go first. Setting one of the two ends glibc's own adjustment of both.
void keep_freed_memory()
{
#ifdef __GLIBC__
    if (std::getenv("MALLOC_TRIM_THRESHOLD_") != nullptr || std::getenv("MALLOC_MMAP_THRESHOLD_") != nullptr)
        return;
    (void)::mallopt(M_TRIM_THRESHOLD, kLargestHeap);
    (void)::mallopt(M_MMAP_THRESHOLD, kLargestHeap / 2); // the most that is allowed
#endif
}

bool is_terminal(std::FILE* stream)
{
    return ::isatty(::fileno(stream)) != 0;
}

pica::Result<OpenFile> open_input(const std::string& path)
{
    // Opening a pipe must not wait, as it otherwise does. Standard input is what somebody else has opened.
    const bool is_standard = path == kStandardInput;
    const int descriptor = is_standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                       : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return pica::Error{std::strerror(errno)};
    OpenFile file(::fdopen(descriptor, "rb"));
    if (!file)
    {
        ::close(descriptor);
        return pica::Error{std::strerror(errno)};
    }
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0)
        return pica::Error{std::strerror(errno)};
    if (S_ISDIR(facts.st_mode))
        return pica::Error{"is a folder, not a stream"};
    if (is_standard)
        return file;
    if (S_ISFIFO(facts.st_mode))
        if (pica::Status written = wait_for_writer(file.get()); !written)
            return written.error();
    if (::fcntl(descriptor, F_SETFL, O_RDONLY) != 0)
        return pica::Error{std::strerror(errno)};
    return file;
}

bool is_program(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

int make_empty_file(const std::string& path)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    ::close(file);
    return 0;
}

std::string user_cache_folder()
{
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache != 0)
        return cache;
    const char* const home = std::getenv("HOME");
    return home != nullptr && *home != 0 ? std::string(home) + "/.cache" : std::string();
}

} // namespace samples
