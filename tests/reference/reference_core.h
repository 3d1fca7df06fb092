// SPDX-License-Identifier: MIT
// A backend made of the scalar reference, for small pieces of work: what a console would leave if one of its rules were
// another (reference_rules.h).
#pragma once

#include "pica/command/null_backend.h"
#include "pica/regs/registers.h"
#include "pica/vertex/vertex_stage.h"

#include <vector>

namespace tests
{

class ReferenceCore final : public pica::NullBackend
{
public:
    explicit ReferenceCore(pica::GuestMemory& memory) : NullBackend(memory) {}
    // Of the Gpu that uses this backend; call it before the first draw.
    void set_registers(const pica::RegisterFile& registers) { registers_ = &registers; }

    std::string_view name() const override { return "reference"; }
    // Straight vertex programs run in the reference too. Assembly and clipping are the product's, and so are other
    // programs, those of the geometry unit, and gas.
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override;
    void display_transfer(const pica::DisplayTransfer& transfer) override;
    void texture_copy(const pica::TextureCopy& copy) override;

private:
    void run_program(const pica::Draw& draw);
    // The draw after its program, whose outputs are inline values.
    pica::Draw with_outputs(const pica::Draw& draw) const;
    void snap(const pica::Draw& draw);

    const pica::RegisterFile* registers_ = nullptr;
    pica::VertexStage stage_;
    std::vector<pica::Vec4> outputs_; // 16 for each vertex
    std::vector<pica::u32> records_;
    std::vector<pica::s32> positions_;
};

} // namespace tests
