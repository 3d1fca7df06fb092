// SPDX-License-Identifier: MIT
#include "samples/cli/program_output.h"

#include <cstdio>
#include <utility>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace samples
{

namespace
{

class Handle
{
public:
    explicit Handle(HANDLE handle = nullptr) : handle_(handle) {}
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    HANDLE get() const { return handle_; }
    HANDLE* out() { return &handle_; }
    void close()
    {
        if (handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE)
            CloseHandle(std::exchange(handle_, nullptr));
    }

private:
    HANDLE handle_;
};

std::string system_message(const char* what)
{
    return std::string(what) + ": error " + std::to_string(GetLastError()) + " of Windows";
}

// A process gets one line, which its C library takes apart: backslashes count only before a quote.
std::string quoted(const std::string& argument)
{
    std::string text = "\"";
    std::size_t backslashes = 0;
    for (const char c : argument)
    {
        if (c == '"')
            text.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text.append(backslashes, '\\') + '"';
}

// The child has this program's stderr, and nothing to read.
pica::Status start(const std::vector<std::string>& command, HANDLE output, Handle& child)
{
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    const Handle nothing(CreateFileA("NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                     OPEN_EXISTING, 0, nullptr));
    std::string line;
    for (const std::string& argument : command)
        line += (line.empty() ? "" : " ") + quoted(argument);
    STARTUPINFOA startup = {};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = nothing.get();
    startup.hStdOutput = output;
    startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    PROCESS_INFORMATION process = {};
    if (CreateProcessA(command[0].c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup,
                       &process) == 0)
        return pica::Error{system_message("this program cannot be started")};
    CloseHandle(process.hThread);
    *child.out() = process.hProcess;
    return {};
}

} // namespace

pica::Result<std::string> program_output(const std::vector<std::string>& command)
{
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    Handle reader, writer, child;
    if (CreatePipe(reader.out(), writer.out(), &inherited, 0) == 0 ||
        SetHandleInformation(reader.get(), HANDLE_FLAG_INHERIT, 0) == 0)
        return pica::Error{system_message("no pipe")};
    std::fflush(nullptr);
    if (pica::Status started = start(command, writer.get(), child); !started)
        return started.error();
    writer.close();
    std::string text;
    char part[65536];
    for (DWORD size = 0; ReadFile(reader.get(), part, sizeof part, &size, nullptr) != 0 && size != 0;)
        text.append(part, size);
    DWORD exit_code = 0;
    if (WaitForSingleObject(child.get(), INFINITE) != WAIT_OBJECT_0 ||
        GetExitCodeProcess(child.get(), &exit_code) == 0)
        return pica::Error{system_message("no exit code")};
    if (exit_code != 0)
        return pica::Error{"`" + command[1] + "` ended with exit code " + std::to_string(exit_code)};
    return text;
}

} // namespace samples
