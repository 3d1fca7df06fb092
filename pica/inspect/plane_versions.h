// SPDX-License-Identifier: MIT
// Versions of the N x N planes of guest memory that share the pages in which they agree. Goes with MemoryVersions: planes
// belong to the guest memory of the same moment. Source: design.md, "N times the resolution". Tests:
// tests/pica/replay_test.cpp.
#pragma once

#include "pica/upscale/plane_memory.h"

#include <memory>
#include <span>
#include <vector>

namespace pica
{

class PlaneVersions
{
    struct Page
    {
        u32 number = 0; // its address is this << 12
        u64 lines = 0;  // with planes
        u64 held = 0;   // of these, the ones that are not the guest's in every plane
        std::shared_ptr<const std::vector<u8>> bytes; // of all planes; null: no line is held
    };

public:
    // In their order of use, so that the same pages leave later.
    using Version = std::vector<Page>;

    // planes must outlive it.
    explicit PlaneVersions(PlaneMemory& planes) : planes_(planes) {}

    Version take();
    // Makes the planes what they were. Guest memory must already be what it was.
    void restore(const Version& version);
    // What the pages of all versions that still exist take.
    u64 bytes() const;

private:
    void drop_unused();

    PlaneMemory& planes_;
    // The last bytes of each page, which the next version shares where they are still the same.
    std::vector<std::weak_ptr<const std::vector<u8>>> known_;
    std::vector<std::weak_ptr<const std::vector<u8>>> all_;
};

} // namespace pica
