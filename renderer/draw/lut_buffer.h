// SPDX-License-Identifier: MIT
// Lookup tables on the device: decoded entries (pica/state/luts.h) in texel buffers of fixed size, "pages",
// which fill from their start. A table is written once per revision and page, and never over anything: draws
// that see different contents of one table can be in one batch. Tests: tests/renderer/lut_buffer_test.cpp.
#pragma once

#include "pica/state/luts.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <memory>
#include <vector>

namespace renderer
{

class LutBuffer
{
public:
    // Entries of a page: the smallest maxTexelBufferElements that Vulkan allows.
    static constexpr u32 kPageEntries = 65536;
    using Bases = std::array<s32, pica::Luts::kTables>;

    LutBuffer(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}
    LutBuffer(const LutBuffer&) = delete;
    LutBuffer& operator=(const LutBuffer&) = delete;
    Status create();

    // Makes the tables of the mask readable in one page, for the submission being recorded, and sets their
    // places in `bases` (index of the first entry, by LutTable; the others become 0). False: the host is out
    // of memory (Device::status tells).
    bool place(const pica::Luts& luts, pica::LutMask tables, Bases& bases);
    // The page that the last place() used. R32G32_UINT, one texel an entry.
    VkBufferView view() const { return pages_[open_]->view.get(); }

    struct Counters
    {
        u64 tables = 0, pages = 0; // tables written, pages begun
    };
    Counters counters;

private:
    struct Page
    {
        Buffer buffer; // freed after the view
        UniqueBufferView view;
        u64 serial = 0; // last submission that used it
    };
    struct Place
    {
        u64 revision = 0; // 0: not in the open page
        u32 base = 0;
    };
    Status add_page();
    bool turn_page();

    Memory& memory_;
    Stream& stream_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::size_t open_ = 0;
    u32 used_ = 0; // entries of the open page
    std::array<Place, pica::Luts::kTables> places_{};
};

} // namespace renderer
