// SPDX-License-Identifier: MIT
// FolderStore: a CacheStore in a folder, a file for each name. Several processes may use a folder at once: a file is
// written beside and then renamed, so that readers see all of it or nothing, and the last writer wins. When the files
// take more bytes than the bound, those that were not used for longest are removed. Thread-safe. Tests:
// tests/renderer/folder_store_test.cpp.
#pragma once

#include "renderer/cache/cache_store.h"

#include <filesystem>
#include <mutex>

namespace renderer
{

class FolderStore final : public CacheStore
{
public:
    // The folder is made when something is stored. Files of others in it are left alone.
    FolderStore(std::filesystem::path directory, pica::u64 most_bytes);

    std::vector<pica::u8> load(const std::string& name) override;
    pica::Status store(const std::string& name, std::span<const pica::u8> bytes) override;

private:
    std::filesystem::path path_of(const std::string& name) const;
    // Counts the files, and removes the oldest ones until `wanted` more bytes fit.
    void make_room(pica::u64 wanted);

    const std::filesystem::path directory_;
    const pica::u64 most_bytes_;
    std::mutex mutex_;          // guards everything below, and is held while files are removed
    bool counted_ = false;      // bytes_ is known
    pica::u64 bytes_ = 0;       // of all files, as far as this process knows
    pica::u64 temporaries_ = 0; // number of the last temporary file
};

} // namespace renderer
