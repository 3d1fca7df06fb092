// SPDX-License-Identifier: MIT
#include "samples/cli/new_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace samples
{

pica::Result<std::string> make_new_file(const std::string& name, const std::string& suffix)
{
    for (unsigned number = 1;; ++number)
    {
        const std::string path = name + (number > 1 ? "_" + std::to_string(number) : "") + "." + suffix;
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0)
        {
            ::close(file);
            return path;
        }
        if (errno != EEXIST)
            return pica::Error{path + ": cannot make this file: " + std::strerror(errno)};
    }
}

} // namespace samples
