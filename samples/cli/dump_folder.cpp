// SPDX-License-Identifier: MIT
#include "samples/cli/dump_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace samples
{

DumpFolder::DumpFolder(std::string path) : path_(std::move(path))
{
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error)
        status_ = pica::Error{path_ + ": cannot create the folder: " + error.message()};
}

void DumpFolder::write_text(const std::string& name, const std::string& text)
{
    if (!status_)
        return;
    const std::string path = path_ + "/" + name;
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file)
        status_ = pica::Error{path + ": cannot write: " + std::strerror(errno != 0 ? errno : EIO)};
    else
        files_.push_back(name);
}

void DumpFolder::write_json(const std::string& name, const Json& json)
{
    write_text(name, json_lines(json));
}

void DumpFolder::write_picture(const std::string& name, const Picture& picture)
{
    if (!status_)
        return;
    status_ = write_png(path_ + "/" + name, picture);
    if (status_)
        files_.push_back(name);
}

} // namespace samples
