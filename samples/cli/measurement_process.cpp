// SPDX-License-Identifier: MIT
#include "samples/cli/measurement_process.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

namespace samples
{

namespace
{

// A new folder that is removed with its owner. The path is empty if it could not be made.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "picavk-XXXXXX").string();
        if (!error && mkdtemp(pattern.data()) != nullptr)
            path = pattern;
    }
    ~TemporaryFolder()
    {
        std::error_code error; // what cannot be removed is left to the system
        if (!path.empty())
            std::filesystem::remove_all(path, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path path;
};

void write_all(int file, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();)
    {
        const ssize_t written = ::write(file, text.data() + done, text.size() - done);
        if (written <= 0)
            return; // the parent gets a text that is cut off
        done += std::size_t(written);
    }
}

} // namespace

pica::Result<std::string> in_own_process(bool empty_caches, const std::function<std::string()>& work)
{
    std::optional<TemporaryFolder> folder;
    if (empty_caches)
    {
        folder.emplace();
        if (folder->path.empty())
            return pica::Error{"no temporary folder could be made for empty caches"};
    }
    int ends[2];
    if (::pipe(ends) != 0)
        return pica::Error{"no pipe to a measuring process"};
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0)
    {
        ::close(ends[0]);
        ::close(ends[1]);
        return pica::Error{"no measuring process could be started"};
    }
    if (child == 0)
    {
        ::close(ends[0]);
        if (folder)
        {
            ::setenv("XDG_CACHE_HOME", folder->path.c_str(), 1);
            ::setenv("MESA_SHADER_CACHE_DIR", (folder->path / "mesa").c_str(), 1);
        }
        write_all(ends[1], work());
        ::close(ends[1]);
        std::fflush(nullptr);
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (;;)
    {
        const ssize_t size = ::read(ends[0], part, sizeof part);
        if (size <= 0)
            break;
        text.append(part, std::size_t(size));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return pica::Error{"the measuring process ended abnormally"};
    return text;
}

double thread_cpu_ms()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

} // namespace samples
