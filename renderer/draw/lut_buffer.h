// SPDX-License-Identifier: MIT
// LutBuffer: the lookup tables on the device. Decoded entries (pica/state/luts.h) lie in texel buffers of
// fixed size, called pages, which are filled from their start. A table is written once per revision and page,
// and written entries are never overwritten. So draws that see different contents of one table can be in one
// batch. Tests: tests/renderer/lut_buffer_test.cpp.
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
    // Entries of a page. This is the smallest maxTexelBufferElements that Vulkan allows.
    static constexpr u32 kPageEntries = 65536;
    // Index of the first entry of each table in the page, by LutTable.
    using Bases = std::array<s32, pica::Luts::kTables>;

    LutBuffer(Memory& memory, Stream& stream) : memory_(memory), stream_(stream) {}
    LutBuffer(const LutBuffer&) = delete;
    LutBuffer& operator=(const LutBuffer&) = delete;
    // Allocates the first page.
    Status create();

    // Writes the tables of the mask to one page, as far as they are not there yet, and sets their `bases`.
    // The bases of other tables become 0. The page may be read by commands of the submission being recorded.
    // Never waits: where all pages are in use, another one is allocated. False: the host is out of memory
    // (Device::status).
    bool place(const pica::Luts& luts, pica::LutMask tables, Bases& bases);
    // View of the page that the last place() used. The format is R32G32_UINT, one texel per entry.
    VkBufferView view() const { return pages_[open_]->view.get(); }

    struct Counters
    {
        u64 tables = 0, pages = 0; // tables written, pages begun
    };
    Counters counters;

private:
    struct Page
    {
        Buffer buffer; // declared first, so that it outlives the view
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
