// SPDX-License-Identifier: MIT
#include "samples/cli/new_file.h"

#include "samples/cli/host.h"

#include <cerrno>
#include <cstring>

namespace samples
{

pica::Result<std::string> make_new_file(const std::string& name, const std::string& suffix)
{
    for (unsigned number = 1;; ++number)
    {
        const std::string path = name + (number > 1 ? "_" + std::to_string(number) : "") + "." + suffix;
        const int error = make_empty_file(path);
        if (error == 0)
            return path;
        if (error != EEXIST)
            return pica::Error{path + ": cannot make this file: " + std::strerror(error)};
    }
}

} // namespace samples
