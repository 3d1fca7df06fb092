// SPDX-License-Identifier: MIT
#include "samples/cli/input_file.h"

#include "pica/base/bounded_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace samples
{

namespace
{

constexpr int kPipeWaitMs = 1000; // how long to wait for a process that opens a named pipe for writing

struct Close
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

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

pica::Result<File> open_input(const std::string& path)
{
    // Opening a pipe must not wait, as it otherwise does. Standard input is what somebody else has opened.
    const bool is_standard = path == kStandardInput;
    const int descriptor = is_standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                       : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return pica::Error{std::strerror(errno)};
    File file(::fdopen(descriptor, "rb"));
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

} // namespace

std::string input_name(const std::string& path)
{
    return path == kStandardInput ? "standard input" : path;
}

pica::Result<std::vector<pica::u8>>
read_input(const std::string& path, std::size_t magic_bytes,
           const std::function<pica::u64(std::span<const pica::u8>)>& most_bytes)
{
    const pica::Result<File> file = open_input(path);
    const std::string name = input_name(path);
    if (!file)
        return pica::Error{name + ": " + file.error().message};
    auto bytes = pica::read_bounded(file->get(), magic_bytes, most_bytes);
    if (!bytes)
        return pica::Error{name + ": " + bytes.error().message};
    return bytes;
}

} // namespace samples
