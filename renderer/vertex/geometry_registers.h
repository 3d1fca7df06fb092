// SPDX-License-Identifier: MIT
// GeometryRegisters: the state of the geometry shader unit and of the primitive assembler on its way to the device and
// back. It stays on the device from draw to draw, until the CPU needs it. pica/hardware/geometry-unit.md. Tests:
// tests/renderer/geometry_executor_test.cpp.
#pragma once

#include "renderer/vertex/geometry_work.h"
#include "renderer/vulkan/memory.h"
#include "shadergen/geometry.h"

namespace pica
{
class GeometryShaderUnit;
class VertexStage;
} // namespace pica

namespace renderer
{

class Stream;

// Not thread-safe. Host failures are kept in Device::status.
class GeometryRegisters
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        Memory& memory;
        pica::Report& report;
    };
    explicit GeometryRegisters(const Parts& parts) : parts_(parts) {}
    Status create();

    // The draw goes to the device. Takes the registers of the unit and the assembler's vertices from the stage, unless
    // the device has them already.
    GeometryStart take(const pica::Draw& draw, const GeometryPlan& plan, pica::VertexStage& stage);
    // Does the device have the newest registers of the unit, or state of the assembler?
    bool holds_unit() const { return holds_unit_; }
    bool holds_assembler() const { return holds_assembler_; }
    // Read back what the device holds. They submit and wait, and collected draws must have been flushed.
    void return_unit(pica::GeometryShaderUnit& unit);
    void return_assembler(pica::VertexStage& stage);
    // The next draw restarts the assembler: the device's state is not needed.
    void drop_assembler() { holds_assembler_ = false; }

    // The state as a storage buffer, words STATE_* of shaders/include/layout.h.
    VkBuffer buffer() const { return state_.buffer; }
    // The key of the interpreted program whose code the buffer has. The owner of the copy sets it.
    shadergen::GeometryKey interpreted;

private:
    const u32* read_back();

    Parts parts_;
    Buffer state_;
    Buffer readback_;
    bool holds_unit_ = false;
    bool holds_assembler_ = false;
};

} // namespace renderer
