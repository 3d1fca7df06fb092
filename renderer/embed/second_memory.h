// SPDX-License-Identifier: MIT
// SecondMemory: a copy of guest memory, on which the second backend of a validating context (context.h) works. Tests:
// tests/api/c_vulkan_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace renderer
{

class SecondMemory
{
public:
    // The memory with the bytes of these regions, which are the same at every call.
    pica::GuestMemory& copy(const std::vector<pica::MemoryRegion>& regions)
    {
        if (!memory_)
        {
            std::vector<pica::MemoryRegion> copies;
            for (const pica::MemoryRegion& region : regions)
            {
                bytes_.emplace_back(region.bytes.begin(), region.bytes.end());
                copies.push_back({region.base, bytes_.back()});
            }
            return memory_.emplace(std::move(copies));
        }
        // That of a lost device, which may have missed operations.
        for (std::size_t i = 0; i < regions.size(); ++i)
        {
            const pica::MemoryRegion& region = regions[i];
            std::copy(region.bytes.begin(), region.bytes.end(), bytes_[i].begin());
            memory_->did_write(region.base, static_cast<pica::u32>(region.bytes.size()));
        }
        return *memory_;
    }

private:
    std::vector<std::vector<pica::u8>> bytes_;
    std::optional<pica::GuestMemory> memory_;
};

} // namespace renderer
