// SPDX-License-Identifier: MIT
// Paths have the code page of the process, which the program's manifest makes UTF-8 (picavk.manifest).
#include "samples/cli/host.h"

#include "samples/cli/input_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

namespace samples
{

// Windows gives a file no number that belongs to a standard stream. What is printed is the same on every system, so a line
// end stays one byte.
void prepare_standard_streams()
{
    for (std::FILE* const stream : {stdin, stdout, stderr})
        if (_fileno(stream) >= 0)
            (void)_setmode(_fileno(stream), _O_BINARY);
    // The line of progress is rewritten by escape sequences.
    const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    if (GetConsoleMode(console, &mode))
        (void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void keep_freed_memory() {}

// The library's own answer counts every device, such as NUL.
bool is_terminal(std::FILE* stream)
{
    DWORD mode = 0;
    return _fileno(stream) >= 0 &&
           GetConsoleMode(reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream))), &mode) != 0;
}

pica::Result<OpenFile> open_input(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return pica::Error{"is a folder, not a stream"};
    if (path != kStandardInput)
    {
        OpenFile file(std::fopen(path.c_str(), "rbN")); // N: child processes do not inherit it
        if (!file)
            return pica::Error{std::strerror(errno)};
        return file;
    }
    const int descriptor = _dup(_fileno(stdin));
    OpenFile file(descriptor < 0 ? nullptr : _fdopen(descriptor, "rb"));
    if (file)
        return file;
    const std::string why = std::strerror(errno);
    if (descriptor >= 0)
        _close(descriptor);
    return pica::Error{why};
}

bool is_program(const std::string& path)
{
    DWORD type = 0;
    return GetBinaryTypeA(path.c_str(), &type) != 0;
}

int make_empty_file(const std::string& path)
{
    const int file =
        _open(path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    if (file < 0)
        return errno;
    _close(file);
    return 0;
}

std::string user_cache_folder()
{
    for (const char* const name : {"XDG_CACHE_HOME", "LOCALAPPDATA"})
        if (const char* const folder = std::getenv(name); folder != nullptr && *folder != 0)
            return folder;
    return {};
}

} // namespace samples
