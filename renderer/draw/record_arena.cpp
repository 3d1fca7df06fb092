// SPDX-License-Identifier: MIT
#include "renderer/draw/record_arena.h"

#include <algorithm>

namespace renderer
{

namespace
{

constexpr VkDeviceSize kRecordChunk = VkDeviceSize{512}
                                      << 10; // in texels far below the smallest limit that Vulkan allows
constexpr VkDeviceSize kPositionChunk = VkDeviceSize{96} << 10;
// Vertices 3t+1 and 3t+2 fetch past the record of triangle t. What they fetch is not used, but must be inside
// the buffer.
constexpr VkDeviceSize kPadding = 512;
constexpr VkDeviceSize kViewAlignment = 256; // largest minTexelBufferOffsetAlignment that Vulkan allows

} // namespace

RecordArena::~RecordArena()
{
    if (view_)
        stream_.retire(std::move(view_));
}

bool RecordArena::reserve(Run& run, VkDeviceSize size, VkDeviceSize chunk)
{
    if (run.slice && run.used + size + kPadding <= run.slice.size)
        return true;
    if (&run == &records_ && view_)
        stream_.retire(std::move(view_));
    run.slice = ring_.allocate(std::max(chunk, size + kPadding), kViewAlignment);
    run.used = 0;
    return static_cast<bool>(run.slice);
}

VkBufferView RecordArena::texel_view()
{
    if (view_)
        return view_.get();
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = records_.slice.buffer;
    info.format = VK_FORMAT_R32G32B32A32_SINT;
    info.offset = records_.slice.offset;
    info.range = std::min(records_.slice.size / 16 * 16,
                          VkDeviceSize{device_.properties.limits.maxTexelBufferElements} * 16);
    VkBufferView view = VK_NULL_HANDLE;
    if (device_.check(device_.vk.vkCreateBufferView(device_.handle, &info, nullptr, &view),
                      "vkCreateBufferView"))
        view_ = UniqueBufferView(device_.handle, device_.vk, view);
    return view;
}

RecordArena::Space RecordArena::allocate(u32 record_words, u32 triangles, bool with_texels)
{
    if (serial_ != stream_.current())
    {
        serial_ = stream_.current();
        records_ = positions_ = {};
        if (view_) // the last submission may still use it
            stream_.retire(std::move(view_));
    }
    const VkDeviceSize one = VkDeviceSize{record_words} * 4;
    if (with_texels) // the shader addresses records by number
        records_.used = (records_.used + one - 1) / one * one;
    const VkDeviceSize record_bytes = triangles * one;
    const VkDeviceSize position_bytes = VkDeviceSize{triangles} * 24;
    Space space;
    if (!reserve(records_, record_bytes, kRecordChunk) ||
        !reserve(positions_, position_bytes, kPositionChunk))
        return space;
    if (with_texels)
    {
        space.texels = texel_view();
        if (space.texels == VK_NULL_HANDLE)
            return space;
        space.geometry.first_record = static_cast<s32>(records_.used / one);
    }
    space.records = reinterpret_cast<u32*>(records_.slice.host + records_.used);
    space.positions = reinterpret_cast<s32*>(positions_.slice.host + positions_.used);
    space.geometry.record_buffer = records_.slice.buffer;
    space.geometry.position_buffer = positions_.slice.buffer;
    space.geometry.record_offset = records_.slice.offset + records_.used;
    space.geometry.position_offset = positions_.slice.offset + positions_.used;
    space.geometry.record_bytes = static_cast<u32>(one);
    space.geometry.triangles = triangles;
    records_.used += record_bytes;
    positions_.used += position_bytes;
    return space;
}

} // namespace renderer
