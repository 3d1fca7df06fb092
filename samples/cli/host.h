// SPDX-License-Identifier: MIT
// What the program asks of the operating system and the standard library does not have. Each system has its own source:
// host_posix.cpp, host_windows.cpp. Child processes: program_output.h, worker_processes.h, measurement_process.h.
#pragma once

#include "pica/base/result.h"

#include <cstdio>
#include <memory>
#include <string>

namespace samples
{

struct CloseFile
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

// Call it first in main(). If a standard stream is closed, the next file that is opened would otherwise get its number, and
// what is printed would go there. Afterwards, text and bytes are printed alike: no line end is translated.
void prepare_standard_streams();
// Call it before any thread begins. Lets the process keep memory that it frees, as far as the allocator can be told so. By
// default glibc gives the free end of a thread's heap back at once. lavapipe frees and allocates such an end in each frame;
// the kernel then clears the same pages again and again, which made frames take up to three times as long.
void keep_freed_memory();
// Does a person see what is printed there?
bool is_terminal(std::FILE* stream);
// Opens a file for reading; a duplicate of standard input if the path is kStandardInput (input_file.h). Errors: a folder, or
// a pipe that nobody writes to.
pica::Result<OpenFile> open_input(const std::string& path);
// May this file be run as a program?
bool is_program(const std::string& path);
// Makes an empty file. Returns 0, or an error number: EEXIST where there is a file of this name.
int make_empty_file(const std::string& path);
// The folder in which programs of this user keep what they can make again. Empty: the system names none.
std::string user_cache_folder();

} // namespace samples
