// SPDX-License-Identifier: MIT
#include "samples/cli/run_end.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace samples
{

namespace
{

bool failed_once = false; // kExitFailed and kExitDifference are the same number

} // namespace

int bad_input(const std::string& message)
{
    std::fprintf(stderr, "picavk: %s\n", message.c_str());
    return kExitBadInput;
}

int failed(const std::string& message)
{
    std::fprintf(stderr, "picavk: %s\n", message.c_str());
    failed_once = true;
    return kExitFailed;
}

int not_created(renderer::CreateFailure failure, const pica::Error& error)
{
    return failure == renderer::CreateFailure::DeviceFailed ? failed(error.message)
                                                            : bad_input(error.message);
}

bool output_is_lost()
{
    return std::ferror(stdout) != 0;
}

// A full disk is only noticed when the last buffer is written.
int with_output_checked(int exit_code)
{
    const bool flushed = std::fflush(stdout) == 0;
    const std::string why = flushed ? "" : std::string(": ") + std::strerror(errno);
    if (flushed && !output_is_lost())
        return exit_code;
    const int lost = bad_input("standard output cannot be written" + why);
    // Whoever reads the exit code of a difference reads what was printed of it, too.
    return failed_once ? exit_code : lost;
}

} // namespace samples
