// SPDX-License-Identifier: MIT
#include "samples/cli/stream_folder.h"

#include "samples/cli/playback.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace samples
{

namespace
{

pica::Result<std::vector<std::string>> streams_in(const std::filesystem::path& folder)
{
    std::vector<std::string> found;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    {
        const std::string extension = at->path().extension().string();
        std::error_code no_file;
        if ((extension == ".pvk" || extension == ".ctf") && at->is_regular_file(no_file))
            found.push_back(at->path().string());
    }
    if (error)
        return pica::Error{folder.string() + ": cannot be read: " + error.message()};
    if (found.empty())
        return pica::Error{folder.string() + ": there are no .pvk and no .ctf files in this folder"};
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

pica::Result<std::vector<std::string>> find_streams(const std::vector<std::string>& paths)
{
    std::vector<std::string> files;
    for (const std::string& path : paths)
    {
        std::error_code no_folder;
        if (!std::filesystem::is_directory(path, no_folder))
        {
            files.push_back(path);
            continue;
        }
        auto inside = streams_in(path);
        if (!inside)
            return inside.error();
        files.insert(files.end(), inside->begin(), inside->end());
    }
    std::set<std::string> names;
    for (const std::string& file : files)
        if (!names.insert(stream_name(file)).second)
            return pica::Error{file + ": another stream has the same name"};
    return files;
}

} // namespace samples
