// SPDX-License-Identifier: MIT
// Reads vertex data from guest memory into rows, such as the input rows of the batched interpreter. Bytes outside memory
// are 0. Source: pica/hardware/vertex-input.md. Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/memory/guest_memory.h"
#include "pica/shader/batch_interpreter.h"
#include "pica/state/draw.h"

#include <span>

namespace pica
{

// A row for each component of v0..v15, with a float for each of `lanes` vertices.
struct InputRows
{
    f32* first = nullptr;
    u32 register_step = 0; // floats
    u32 component_step = 0;
    u32 lanes = 0;

    f32* row(u32 reg, u32 component) const
    {
        return first + std::size_t{reg} * register_step + std::size_t{component} * component_step;
    }
};
InputRows input_rows(BatchInterpreter& batch);

class VertexFetch
{
public:
    // Fills the rows that are the same for every vertex of the draw. first..last: the vertex numbers that
    // fetch will be called with.
    void begin(const Draw& draw, u64 first, u64 last, const GuestMemory& memory, const InputRows& inputs,
               Report& report);
    // The same for another draw of the same program with the same inputs (Draw::inputs_revision), into rows that are as the
    // last begin() and fetch() left them: only the places of vertices are found again.
    void begin_again(const Draw& draw, u64 first, u64 last, const GuestMemory& memory, Report& report);
    // Fills the other rows for up to inputs.lanes vertices; lane i is vertex number[i]. Lanes without a vertex may change,
    // too.
    void fetch(std::span<const u64> numbers, const InputRows& inputs) const;

private:
    struct Row
    {
        const u8* data = nullptr; // element of vertex first_; null if the draw's data is not in one region
        u64 address = 0;
        u32 stride = 0;
        u8 reg = 0;
        u8 components = 0;
        u8 mask = 0; // components that the program reads
        AttributeType type{};
        bool is_inline = false;
        u8 attribute = 0;
    };
    void fill_constants(const Draw& draw, const InputRows& inputs);
    void fetch_row(const Row& row, std::span<const u64> numbers, const InputRows& inputs) const;

    std::array<Row, 16> rows_;
    u32 row_count_ = 0;
    const GuestMemory* memory_ = nullptr;
    u64 first_ = 0;
    std::span<const Vec4> inline_values_;
    u32 inline_attributes_ = 0;
};

} // namespace pica
