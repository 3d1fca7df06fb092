// SPDX-License-Identifier: MIT
// Windows cannot copy a process, so the work is done here. Empty caches are picavk's own: the driver keeps what it has.
#include "samples/cli/measurement_process.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>

#include <windows.h>

namespace samples
{

namespace
{

// The folder of picavk's cache (host.h, user_cache_folder) is a new one, which is removed with its owner.
class EmptyCache
{
public:
    EmptyCache()
    {
        std::error_code error;
        folder_ = std::filesystem::temp_directory_path(error) /
                  ("picavk-" + std::to_string(std::random_device{}()));
        const char* const before = std::getenv(kVariable);
        before_ = before == nullptr ? "" : before; // for Windows an empty variable is none
        made_ = !error && std::filesystem::create_directory(folder_, error) &&
                _putenv_s(kVariable, folder_.string().c_str()) == 0;
    }
    ~EmptyCache()
    {
        std::error_code error; // what cannot be removed is left to the system
        (void)_putenv_s(kVariable, before_.c_str());
        if (made_)
            std::filesystem::remove_all(folder_, error);
    }
    EmptyCache(const EmptyCache&) = delete;
    EmptyCache& operator=(const EmptyCache&) = delete;
    bool made() const { return made_; }

private:
    static constexpr const char* kVariable = "XDG_CACHE_HOME";
    std::filesystem::path folder_;
    std::string before_;
    bool made_ = false;
};

} // namespace

pica::Result<std::string> in_own_process(bool empty_caches, const std::function<std::string()>& work)
{
    if (!empty_caches)
        return work();
    const EmptyCache cache;
    if (!cache.made())
        return pica::Error{"no temporary folder could be made for empty caches"};
    return work();
}

double thread_cpu_ms()
{
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user))
        return 0.0;
    const auto ms = [](const FILETIME& time) // in units of 100 ns
    { return (double(time.dwHighDateTime) * 4294967296.0 + double(time.dwLowDateTime)) * 1e-4; };
    return ms(kernel) + ms(user);
}

} // namespace samples
