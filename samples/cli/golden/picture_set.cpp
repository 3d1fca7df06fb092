// SPDX-License-Identifier: MIT
#include "samples/cli/golden/picture_set.h"

#include "pica/trace/trace.h"
#include "samples/cli/input_file.h"
#include "samples/cli/parsed_stream.h"
#include "samples/cli/playback.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

namespace samples
{

namespace
{

constexpr pica::u64 kMostHashBytes = pica::u64{1} << 28;
constexpr std::size_t kHashDigits = 32;
constexpr const char* kAnyPicture = "picture"; // its name does not say which one
constexpr const char* kOneStream = "pictures"; // of pictures that lie in the folder itself

bool is_hash(std::string_view text)
{
    return text.size() >= kHashDigits &&
           std::all_of(text.begin(), text.begin() + kHashDigits,
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void add_picture(PictureSet& set, const std::string& name, const std::string& path)
{
    std::string stream;
    PictureKey key;
    if (!split_picture_name(name, stream, key))
    {
        stream = name;
        key = {0, kAnyPicture};
    }
    set[stream].files[key] = path;
}

pica::Result<PictureSet> find_in_folder(const std::filesystem::path& folder)
{
    PictureSet set;
    std::error_code error;
    const auto options = std::filesystem::directory_options::follow_directory_symlink;
    for (std::filesystem::recursive_directory_iterator at(folder, options, error), end; !error && at != end;
         at.increment(error))
    {
        std::error_code no_file;
        if (!at->is_regular_file(no_file))
            continue;
        const std::filesystem::path path = at->path();
        const std::string extension = path.extension().string();
        std::filesystem::path inside = path.lexically_relative(folder);
        const std::string name = inside.replace_extension().generic_string();
        if (extension == ".png")
            add_picture(set, name, path.string());
        else if (extension == ".digest")
            set[name].digest = path.string();
        else if (extension == ".pvk" || extension == ".ctf")
        {
            std::string& recording = set[name].recording;
            if (!recording.empty())
                return pica::Error{path.string() + ": " + recording + " has the same name"};
            recording = path.string();
        }
    }
    if (error)
        return pica::Error{folder.string() + ": cannot be read: " + error.message()};
    if (set.empty())
        return pica::Error{folder.string() + ": there are no recordings and no pictures in this folder"};
    return set;
}

// Lines of a hash, two spaces and a name.
pica::Result<PictureSet> parse_hashes(const std::string& path, const std::string& text)
{
    PictureSet set;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        std::string stream;
        PictureKey key;
        if (!is_hash(line) || line.compare(kHashDigits, 2, "  ") != 0 ||
            !split_picture_name(line.substr(kHashDigits + 2), stream, key))
            return pica::Error{path + ": line " + std::to_string(number) +
                               " is not a hash and a picture's name"};
        set[stream].hashes[key] = line.substr(0, kHashDigits);
    }
    return set;
}

} // namespace

bool split_picture_name(const std::string& name, std::string& stream, PictureKey& key)
{
    constexpr std::string_view kFrame = "frame";
    const std::size_t at = name.rfind(kFrame);
    if (at == std::string::npos || (at != 0 && name[at - 1] != '_' && name[at - 1] != '/'))
        return false;
    const char* const end = name.data() + name.size();
    const auto number = std::from_chars(name.data() + at + kFrame.size(), end, key.frame);
    if (number.ec != std::errc() || number.ptr == end || *number.ptr != '_')
        return false;
    key.screen.assign(number.ptr + 1, end);
    if (key.screen != "top" && key.screen != "top_right" && key.screen != "bottom")
        return false;
    stream = at == 0 ? kOneStream : name.substr(0, at - 1);
    return !stream.empty();
}

bool is_one_picture(const PictureSet& set, const std::string& path)
{
    return set.size() == 1 && set.begin()->second.files.size() == 1 &&
           std::filesystem::path(path).extension() == ".png";
}

void forget_places(PictureSet& set)
{
    auto& files = set.begin()->second.files;
    const std::string path = files.begin()->second;
    files.clear();
    files[{0, kAnyPicture}] = path;
}

pica::Result<PictureSet> find_pictures(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return find_in_folder(path);
    if (std::filesystem::path(path).extension() == ".png")
    {
        std::string stream;
        PictureKey key;
        if (!split_picture_name(std::filesystem::path(path).stem().string(), stream, key))
            key = {0, kAnyPicture};
        PictureSet set;
        set[kOneStream].files[key] = path;
        return set;
    }
    const auto most = [](std::span<const pica::u8> first)
    {
        return is_hash({std::string(first.begin(), first.end()) + std::string(kHashDigits, '0')})
                   ? kMostHashBytes
                   : pica::Trace::most_bytes(first);
    };
    auto bytes = read_input(path, pica::Trace::kMagicBytes, most);
    if (!bytes)
        return bytes.error();
    if (pica::Trace::most_bytes(*bytes) == 0 && is_hash(std::string(bytes->begin(), bytes->end())))
        return parse_hashes(path, std::string(bytes->begin(), bytes->end()));
    if (pica::Trace::most_bytes(*bytes) == 0)
        return pica::Error{input_name(path) + ": is no folder, no recording and no list of hashes"};
    PictureSet set;
    PictureSource& source = set[stream_name(path)];
    source.recording = path;
    if (path != kStandardInput)
        return set;
    pica::Result<pica::Trace> trace = parse_stream(path, std::move(*bytes));
    if (!trace)
        return trace.error();
    source.trace = std::make_shared<const pica::Trace>(std::move(*trace));
    return set;
}

} // namespace samples
