// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_status.h"

#include "pica/shader/flow.h"
#include "renderer/vertex/runaway_programs.h"
#include "renderer/vulkan/frames_in_flight.h"
#include "shaders/include/layout.h"

#include <utility>

namespace renderer
{

namespace
{

// Of the submissions in flight, and of the one being recorded.
constexpr u32 kSections = FramesInFlight::kSubmissions + 1;

} // namespace

Status VertexStatus::create()
{
    auto buffer = parts_.memory.create_buffer(
        kSections * section_bytes(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        MemoryKind::Readback, "vertex status");
    if (!buffer)
        return buffer.error();
    buffer_ = std::move(*buffer);
    return {};
}

void VertexStatus::select()
{
    if (serial_ == parts_.stream.current())
        return;
    section_ = (section_ + 1) % kSections;
    serial_ = parts_.stream.current();
    is_new_ = true;
}

void VertexStatus::clear_new(VkCommandBuffer cmd)
{
    if (!std::exchange(is_new_, false))
        return;
    parts_.device.vk.vkCmdFillBuffer(cmd, buffer_.buffer, section().offset, section_bytes(), 0);
    parts_.stream.host_will_read(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
    parts_.stream.defer([this, section = section_, serial = serial_] { report(section, serial); });
}

void VertexStatus::report(u32 section, u64 serial)
{
    if (!parts_.memory.invalidate(buffer_))
        return;
    u32 bits = 0;
    const auto* words = reinterpret_cast<const u32*>(buffer_.mapped) + std::size_t{section} * words_;
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
