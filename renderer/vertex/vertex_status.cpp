// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_status.h"

#include "pica/shader/flow.h"
#include "renderer/vertex/runaway_programs.h"
#include "renderer/vulkan/stream.h"
#include "shaders/include/layout.h"

#include <utility>

namespace renderer
{

namespace
{

// Of a buffer. Few submissions are in flight mostly.
constexpr u32 kSections = 16;

} // namespace

Status VertexStatus::create()
{
    return add_sections();
}

Status VertexStatus::add_sections()
{
    auto buffer = parts_.memory.create_buffer(
        kSections * section_bytes(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        MemoryKind::Readback, "vertex status");
    if (!buffer)
        return buffer.error();
    buffers_.push_back(std::move(*buffer));
    serials_.resize(buffers_.size() * kSections);
    return {};
}

VkDescriptorBufferInfo VertexStatus::section() const
{
    return {buffers_[section_ / kSections].buffer, section_ % kSections * section_bytes(), section_bytes()};
}

void VertexStatus::select()
{
    if (serial_ == parts_.stream.current())
        return;
    const auto count = static_cast<u32>(serials_.size());
    u32 next = 0;
    while (next < count && !parts_.stream.done(serials_[(section_ + 1 + next) % count]))
        next++;
    section_ = (section_ + 1 + next) % count;
    if (next == count)
    {
        if (Status status = add_sections(); !status)
            parts_.device.fail(status.error().message);
        else
            section_ = count;
    }
    serials_[section_] = serial_ = parts_.stream.current();
    is_new_ = true;
}

void VertexStatus::clear_new(VkCommandBuffer cmd)
{
    if (!std::exchange(is_new_, false))
        return;
    parts_.device.vk.vkCmdFillBuffer(cmd, section().buffer, section().offset, section_bytes(), 0);
    parts_.stream.host_will_read(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    parts_.stream.defer([this, section = section_, serial = serial_] { report(section, serial); });
}

void VertexStatus::report(u32 section, u64 serial)
{
    const Buffer& buffer = buffers_[section / kSections];
    if (!parts_.memory.invalidate(buffer))
        return;
    u32 bits = 0;
    const auto* words =
        reinterpret_cast<const u32*>(buffer.mapped) + std::size_t{section % kSections} * words_;
    for (u32 i = 0; i < words_; i++)
        bits |= words[i];
    static_assert(STATUS_BUDGET == pica::kBudgetExhausted && STATUS_BREAK == pica::kBreakOutsideLoop);
    static_assert(STATUS_PRIMITIVES_LOST == pica::kPrimitivesLost && STATUS_BAD_SLOT == pica::kBadVertexSlot);
    pica::report_run_events(bits & ~STATUS_UNFINISHED, "on the device", parts_.report);
    parts_.runaways.finish(serial, (bits & STATUS_BUDGET) != 0);
    if (bits & STATUS_UNFINISHED)
        parts_.device.fail("a geometry program needed more dispatches than were planned for it");
}

} // namespace renderer
