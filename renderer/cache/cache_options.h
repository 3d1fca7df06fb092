// SPDX-License-Identifier: MIT
// CacheOptions: where the disk cache of a renderer is, and for which title. Guide: renderer/EMBEDDING.md.
#pragma once

#include "pica/base/types.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace renderer
{

struct CacheOptions
{
    std::string directory; // the folder of the records; empty: there is none
    // The most bytes that records in the folder may take. Beyond this the least recently used ones are removed.
    pica::u64 most_bytes = pica::u64{128} << 20;
    // Names the guest's title. Its pipelines are made at creation. Without a name all titles share one list.
    std::string title;
    // The host's own storage in place of the folder; both or none. Names consist of a-z, 0-9 and '-'. Any thread
    // of the renderer calls them, but only one at a time. load gives all bytes that were stored last under the
    // name, or none. store returns false if it could not keep them.
    std::function<std::vector<pica::u8>(const std::string& name)> load;
    std::function<bool(const std::string& name, std::span<const pica::u8> bytes)> store;

    // Is anything kept?
    bool enabled() const { return !directory.empty() || (load && store); }
};

} // namespace renderer
