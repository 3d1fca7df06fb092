// SPDX-License-Identifier: MIT
#include "renderer/draw/lut_buffer.h"

#include <bit>

namespace renderer
{

using pica::LutEntry;
using pica::LutTable;

static_assert(sizeof(LutEntry) == 8);

Status LutBuffer::create()
{
    return add_page();
}

Status LutBuffer::add_page()
{
    Device& device = stream_.device();
    auto page = std::make_unique<Page>();
    auto buffer =
        memory_.create_buffer(kPageEntries * sizeof(LutEntry), VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                              MemoryKind::Upload, "lookup tables");
    if (!buffer)
        return buffer.error();
    page->buffer = std::move(*buffer);
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = page->buffer.buffer;
    info.format = VK_FORMAT_R32G32_UINT;
    info.range = VK_WHOLE_SIZE;
    VkBufferView view = VK_NULL_HANDLE;
    if (Status status = device.check(device.vk.vkCreateBufferView(device.handle, &info, nullptr, &view),
                                     "vkCreateBufferView");
        !status)
        return status;
    page->view = UniqueBufferView(device.handle, device.vk, view);
    pages_.push_back(std::move(page));
    return {};
}

bool LutBuffer::turn_page()
{
    std::size_t next = 0;
    while (next < pages_.size() && (next == open_ || !stream_.done(pages_[next]->serial)))
        next++;
    if (next == pages_.size())
    {
        if (Status status = add_page(); !status)
        {
            stream_.device().fail(status.error().message);
            return false;
        }
    }
    open_ = next;
    stream_.take_upload_bytes(kPageEntries * sizeof(LutEntry)); // bounds what is in flight
    used_ = 0;
    places_ = {};
    counters.pages++;
    return true;
}

bool LutBuffer::place(const pica::Luts& luts, pica::LutMask tables, Bases& bases)
{
    bases = {};
    if (tables == 0)
        return true;
    const auto is_missing = [&](u32 table)
    { return places_[table].revision != luts.revision(static_cast<LutTable>(table)); };
    u32 missing = 0;
    for (pica::LutMask rest = tables; rest != 0; rest &= rest - 1)
        if (const u32 table = static_cast<u32>(std::countr_zero(rest)); is_missing(table))
            missing += pica::lut_size(static_cast<LutTable>(table));
    // A page is many times larger than all tables together, so one new page is enough.
    if (used_ + missing > kPageEntries && !turn_page())
        return false;

    LutEntry* entries = reinterpret_cast<LutEntry*>(pages_[open_]->buffer.mapped);
    for (pica::LutMask rest = tables; rest != 0; rest &= rest - 1)
    {
        const u32 table = static_cast<u32>(std::countr_zero(rest));
        const LutTable name = static_cast<LutTable>(table);
        if (is_missing(table))
        {
            pica::decode_lut(luts, name, entries + used_);
            places_[table] = {luts.revision(name), used_};
            used_ += pica::lut_size(name);
            counters.tables++;
        }
        bases[table] = static_cast<s32>(places_[table].base);
    }
    pages_[open_]->serial = stream_.current();
    return true;
}

} // namespace renderer
