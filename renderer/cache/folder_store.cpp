// SPDX-License-Identifier: MIT
#include "renderer/cache/folder_store.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

namespace renderer
{

namespace fs = std::filesystem;
using pica::Error;
using pica::Status;
using pica::u64;
using pica::u8;

namespace
{

constexpr std::string_view kSuffix = ".pvkc";
constexpr std::string_view kTemporarySuffix = ".pvkc-new";
// A file is larger than a record by no more than its header. Larger files are no records.
constexpr u64 kMostFileBytes = u64{128} << 20;
// The time of a file's last use is its modification time. It is not renewed more often than this.
constexpr auto kUseGrain = std::chrono::hours(1);
// Temporary files that are older belong to processes that were killed.
constexpr auto kTemporaryAge = std::chrono::hours(24);

struct FileCloser
{
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open(const fs::path& path, const char* mode)
{
    return File(std::fopen(path.string().c_str(), mode));
}

// Of the file that is open: another process may have put another one in its place. 0: it cannot be read.
u64 size_of(std::FILE* file)
{
    const long size = std::fseek(file, 0, SEEK_END) == 0 ? std::ftell(file) : -1;
    return size > 0 && std::fseek(file, 0, SEEK_SET) == 0 ? static_cast<u64>(size) : 0;
}

bool ends_with(const fs::path& path, std::string_view suffix)
{
    const std::string name = path.filename().string();
    return name.size() > suffix.size() &&
           std::string_view(name).substr(name.size() - suffix.size()) == suffix;
}

// Differs between processes, also where a process is a copy of another.
std::string new_token()
{
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::random_device random;
    char text[24];
    std::snprintf(text, sizeof text, "%08x%08x", random(), random());
    return text;
}

bool write_file(const fs::path& path, std::span<const u8> bytes)
{
    File file = open(path, "wb");
    if (!file)
        return false;
    const bool written =
        bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    // A full disk may be noticed as late as here.
    return std::fclose(file.release()) == 0 && written;
}

} // namespace

FolderStore::FolderStore(fs::path directory, u64 most_bytes)
    : directory_(std::move(directory)), most_bytes_(most_bytes)
{
}

fs::path FolderStore::path_of(const std::string& name) const
{
    return directory_ / (name + std::string(kSuffix));
}

std::vector<u8> FolderStore::load(const std::string& name)
{
    const fs::path path = path_of(name);
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return {};
    const File file = open(path, "rb");
    const u64 size = file ? size_of(file.get()) : 0;
    if (size == 0 || size > kMostFileBytes)
        return {};
    std::vector<u8> bytes(static_cast<std::size_t>(size));
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    const auto now = fs::file_time_type::clock::now();
    const auto used = fs::last_write_time(path, error);
    if (!error && now - used > kUseGrain)
        fs::last_write_time(path, now,
                            error); // fails in folders that cannot be written, where nothing is removed
    return bytes;
}

Status FolderStore::store(const std::string& name, std::span<const u8> bytes)
{
    if (bytes.size() > most_bytes_)
        return {}; // it would be the only one
    const std::lock_guard lock(mutex_);
    std::error_code error;
    fs::create_directories(directory_, error);
    if (!counted_ || bytes_ + bytes.size() > most_bytes_)
        make_room(bytes.size());
    const fs::path path = path_of(name);
    const fs::path temporary = directory_ / (name + '-' + new_token() + std::to_string(++temporaries_) +
                                             std::string(kTemporarySuffix));
    if (!write_file(temporary, bytes))
    {
        fs::remove(temporary, error);
        return Error{"cannot write in " + directory_.string()};
    }
    std::error_code no_old_file;
    const u64 old_size = fs::file_size(path, no_old_file);
    fs::rename(temporary, path, error);
    if (error)
    {
        const std::string why = error.message();
        fs::remove(temporary, error);
        return Error{"cannot write " + path.string() + ": " + why};
    }
    bytes_ += bytes.size();
    if (!no_old_file)
        bytes_ -= std::min(bytes_, old_size);
    return {};
}

void FolderStore::make_room(u64 wanted)
{
    struct Kept
    {
        fs::file_time_type used;
        u64 bytes;
        fs::path path;
    };
    std::vector<Kept> files;
    bytes_ = 0;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator it(directory_, error), end; !error && it != end; it.increment(error))
    {
        std::error_code gone; // another process may have removed the file
        const auto used = it->last_write_time(gone);
        if (!gone && ends_with(it->path(), kTemporarySuffix) && now - used > kTemporaryAge)
            fs::remove(it->path(), gone);
        if (gone || !ends_with(it->path(), kSuffix) || !it->is_regular_file(gone))
            continue;
        const u64 bytes = it->file_size(gone);
        if (gone)
            continue;
        bytes_ += bytes;
        files.push_back({used, bytes, it->path()});
    }
    counted_ = true;
    if (bytes_ + wanted <= most_bytes_)
        return;
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    // Down to three quarters, so that not every store has to count.
    const u64 goal = most_bytes_ - std::max(wanted, most_bytes_ / 4);
    for (const Kept& file : files)
    {
        if (bytes_ <= goal)
            return;
        std::error_code kept;
        if (fs::remove(file.path, kept); !kept)
            bytes_ -= file.bytes;
    }
}

} // namespace renderer
