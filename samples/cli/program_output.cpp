// SPDX-License-Identifier: MIT
#include "samples/cli/program_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace samples
{

namespace
{

constexpr int kCannotStart = 127; // as shells say it

[[noreturn]] void become(const std::vector<std::string>& command, int output, int errors)
{
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(errors, STDERR_FILENO) >= 0 &&
        ::dup2(nothing, STDIN_FILENO) >= 0)
        ::execv(arguments[0], arguments.data());
    ::_exit(kCannotStart);
}

// What the program said. A program says much of its work, or why it ends.
std::string text_of(std::FILE* file)
{
    std::string text;
    char part[4096];
    std::rewind(file);
    for (std::size_t size = 1; size > 0;)
    {
        size = std::fread(part, 1, sizeof part, file);
        text.append(part, size);
    }
    return text;
}

// ": " and the last line, which is why a program ended.
std::string last_line(std::string text)
{
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    const std::string line = text.substr(text.rfind('\n') + 1);
    return line.empty() ? "" : ": " + line;
}

} // namespace

pica::Result<std::string> program_output(const std::vector<std::string>& command)
{
    struct Close
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> errors(std::tmpfile());
    if (!errors)
        return pica::Error{std::string("no temporary file: ") + std::strerror(errno)};
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return pica::Error{std::string("no pipe: ") + std::strerror(errno)};
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0)
        become(command, ends[1], ::fileno(errors.get()));
    ::close(ends[1]);
    std::string text;
    char part[65536];
    for (ssize_t size = 1; child > 0 && size > 0;)
    {
        size = ::read(ends[0], part, sizeof part);
        if (size > 0)
            text.append(part, std::size_t(size));
        else if (size < 0 && errno == EINTR)
            size = 1;
    }
    ::close(ends[0]);
    if (child < 0)
        return pica::Error{std::string("no process: ") + std::strerror(errno)};
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        return pica::Error{"ended by signal " + std::to_string(WTERMSIG(status))};
    if (WEXITSTATUS(status) == kCannotStart)
        return pica::Error{"this program cannot be started"};
    if (WEXITSTATUS(status) != 0)
        return pica::Error{"`" + command[1] + "` ended with exit code " +
                           std::to_string(WEXITSTATUS(status)) + last_line(text_of(errors.get()))};
    std::fputs(text_of(errors.get()).c_str(), stderr);
    return text;
}

} // namespace samples
