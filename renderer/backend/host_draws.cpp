// SPDX-License-Identifier: MIT
// Draws over memory that the CPU has to touch: where vertices lie, and what lies outside the device's copy of
// guest memory, which holds VRAM and FCRAM as far as one storage buffer may reach (GuestMirror). Extended
// FCRAM, 256 MiB, is larger than that on some devices. Tests: tests/conformance/coherence.cpp.
#include "renderer/backend/renderer_impl.h"

#include <algorithm>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Memory that a draw's attributes take for these vertex numbers: visit(input, address, size).
template <typename Visit>
void for_each_attribute_range(const pica::VertexSource& source, pica::soft::IndexRange range, Visit visit)
{
    constexpr u32 kElementBytes[4] = {1, 1, 2, 4};
    for (const pica::FetchInput& input : source.input)
    {
        if (input.source != pica::FetchInput::Source::Memory)
            continue;
        const u64 begin = input.address + range.first * input.stride;
        const u64 end = input.address + range.last * input.stride +
                        input.components * kElementBytes[static_cast<u32>(input.type) & 3];
        if (begin < (u64{1} << 32))
            visit(input, static_cast<PhysAddr>(begin), end - begin);
    }
}

} // namespace

// The CPU reads indices and attributes from guest memory, which the device may have written.
pica::soft::IndexRange Renderer::Impl::bring_vertex_data(const pica::Draw& draw)
{
    const pica::VertexSource& source = draw.source;
    if (source.count == 0)
        return {};
    if (source.indexed)
        make_current(source.index_address, source.count * (source.index16 ? 2 : 1));
    if (source.indexed && !executor_ && !targets_->any_dirty() && !mirror_->any_newer())
    {
        // The range of the indices is needed only where attributes may be in what the open batch draws to.
        bool may_overlap = false;
        for_each_attribute_range(source, {0, source.index16 ? 0xFFFFu : 0xFFu},
                                 [&](const pica::FetchInput&, PhysAddr address, u64 size)
                                 { may_overlap = may_overlap || batch_overlaps(address, size); });
        if (!may_overlap)
            return {};
    }
    const pica::soft::IndexRange range = vertex_stage_.index_range(draw, guest_);
    for_each_attribute_range(source, range,
                             [&](const pica::FetchInput&, PhysAddr address, u64 size)
                             { make_current(address, size); });
    return range;
}

bool Renderer::Impl::needs_host(const pica::Draw& draw, pica::soft::IndexRange vertices) const
{
    // Shaders count from the address of an attribute or of the indices to the end of its region, and read 0
    // behind it. A vertex number may well lead to another region.
    const pica::VertexSource& source = draw.source;
    bool missing = target_needs_host(draw);
    if (source.indexed)
        missing |= !mirror_->region_holds(source.index_address, source.index_address,
                                          source.count * (source.index16 ? 2 : 1));
    for_each_attribute_range(source, vertices,
                             [&](const pica::FetchInput& input, PhysAddr address, u64 size)
                             { missing |= !mirror_->region_holds(input.address, address, size); });
    return missing;
}

bool Renderer::Impl::target_needs_host(const pica::Draw& draw) const
{
    bool missing = false;
    if (!mirror_->is_whole())
        for_each_buffer(draw, [&](PhysAddr address, u32 size) { missing |= mirror_->misses(address, size); });
    return missing;
}

void Renderer::Impl::draw_on_host(const pica::Draw& draw)
{
    if (!host_core_)
        host_core_ = std::make_unique<pica::SoftwareCore>(guest_, report_);
    bring_pixels(draw);
    rasterise(draw, *host_core_);
}

void Renderer::Impl::bring_pixels(const pica::Draw& draw)
{
    const auto read = [&](PhysAddr address, u32 size) { make_current(address, size); };
    for_each_buffer(draw, read);
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding) {
                         for_each_address(draw, unit, binding,
                                          [&](PhysAddr address) { read(address, binding.byte_size()); });
                     });
    flush_batch(); // an open one has draws of before this one
}

void Renderer::Impl::rasterise(const pica::Draw& draw, pica::SoftwareCore& core)
{
    core.rasterise(draw, vertex_stage_);
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { targets_->invalidate(address, size); });
}

} // namespace renderer
