// SPDX-License-Identifier: MIT
#include "renderer/vertex/geometry_registers.h"

#include "pica/vertex/vertex_stage.h"
#include "renderer/vulkan/stream.h"
#include "shaders/include/layout.h"

#include <bit>
#include <cstring>
#include <utility>

namespace renderer
{

Status GeometryRegisters::create()
{
    auto state =
        parts_.memory.create_buffer(STATE_BUFFER_WORDS * 4,
                                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                    MemoryKind::Device, "geometry unit");
    if (!state)
        return state.error();
    state_ = std::move(*state);
    auto readback = parts_.memory.create_buffer(STATE_WORDS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                MemoryKind::Readback, "geometry unit, read back");
    if (!readback)
        return readback.error();
    readback_ = std::move(*readback);
    return {};
}

GeometryStart GeometryRegisters::take(const pica::Draw& draw, const GeometryPlan& plan,
                                      pica::VertexStage& stage)
{
    pica::GeometryShaderUnit& unit = stage.geometry();
    if (draw.geometry_unit.reset != 0)
        holds_unit_ = false;
    unit.begin(draw, parts_.report);
    GeometryStart start{unit.uniforms(), unit.fed(), {}, {}};
    if (!holds_unit_)
    {
        start.registers.resize(STATE_ASSEMBLER);
        unit.save(start.registers);
    }
    if (plan.assembles && !holds_assembler_ && draw.source.restart == 0)
    {
        const pica::AssemblerState state = stage.assembler_state();
        start.assembler = {state.word, 0};
        for (const auto& slot : state.slots)
            for (const f32 value : slot)
                start.assembler.push_back(std::bit_cast<u32>(value));
    }
    // Without an assembler on the device the draw emits whole triangles after a restart, and the CPU's
    // assembler has restarted (VertexStage::run_tail).
    holds_assembler_ = plan.assembles;
    holds_unit_ = true;
    unit.ran_elsewhere(plan.invocations, plan.first_uniform, plan.fed, plan.left, parts_.report);
    return start;
}

// Reads back the words STATE_* as all draws so far leave them. Null: the device failed.
const u32* GeometryRegisters::read_back()
{
    Stream& stream = parts_.stream;
    stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    const VkBufferCopy all{0, 0, STATE_WORDS * 4};
    parts_.device.vk.vkCmdCopyBuffer(stream.cmd(), state_.buffer, readback_.buffer, 1, &all);
    stream.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    if (!stream.wait(stream.submit()) || !parts_.memory.invalidate(readback_))
        return nullptr;
    return reinterpret_cast<const u32*>(readback_.mapped);
}

void GeometryRegisters::return_unit(pica::GeometryShaderUnit& unit)
{
    if (!std::exchange(holds_unit_, false))
        return;
    if (const u32* words = read_back())
        unit.load({words, STATE_WORDS});
}

void GeometryRegisters::return_assembler(pica::VertexStage& stage)
{
    if (!std::exchange(holds_assembler_, false))
        return;
    const u32* words = read_back();
    if (!words)
        return;
    pica::AssemblerState state;
    state.word = words[STATE_ASSEMBLER];
    static_assert(sizeof state.slots == (STATE_WORDS - STATE_ASSEMBLER_SLOTS) * 4);
    std::memcpy(state.slots.data(), words + STATE_ASSEMBLER_SLOTS, sizeof state.slots);
    stage.set_assembler_state(state);
}

} // namespace renderer
