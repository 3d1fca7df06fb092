// SPDX-License-Identifier: MIT
// The steps of VertexStage, which keeps less of each vertex.
#include "pica/inspect/draw_vertices.h"

#include "pica/base/silent_report.h"
#include "pica/memory/guest_memory.h"
#include "pica/state/index_reader.h"
#include "pica/vertex/geometry_path.h"
#include "pica/vertex/primitive.h"
#include "pica/vertex/shaded_vertex.h"
#include "pica/vertex/unique_vertices.h"
#include "pica/vertex/vertex_fetch.h"

#include <algorithm>
#include <utility>

namespace pica
{

namespace
{

constexpr u32 kLanes = BatchInterpreter::kLanes;

class Collector
{
public:
    Collector(const Draw& draw, const Carryover& carryover, const GuestMemory& memory, u32 most)
        : draw_(draw), feed_(draw.geometry_unit.feed), memory_(memory),
          count_(std::min({draw.source.count, kMaxDrawVertices, most})),
          emits_(feed_.enabled != 0 && draw.geometry_unit.program != nullptr)
    {
        result_.left_out = std::min(draw.source.count, kMaxDrawVertices) - count_;
        geometry_.unit().set_carried(carryover.geometry);
        if (draw.source.restart == 0)
            continue_with(carryover.primitive);
    }

    DrawVertices run()
    {
        if (!draw_.program || !draw_.uniforms || count_ == 0)
            return std::move(result_);
        number_vertices();
        shade();
        if (emits_)
            assemble_emitted();
        else
            assemble();
        return std::move(result_);
    }

private:
    void continue_with(const CarriedPrimitive& primitive)
    {
        assembler_.set_state({primitive.filled, primitive.next, primitive.ready, primitive.inverted});
        result_.earlier = primitive.filled;
        for (u32 i = 0; i < primitive.filled; ++i)
        {
            const CarriedVertex& from = primitive.slots[i];
            AssembledVertex& vertex = result_.assembled.emplace_back();
            std::copy(from.position.begin(), from.position.end(), vertex.semantics.begin());
            for (u32 n = 0; n < kAttributeCount; ++n)
                vertex.semantics[kAttributeSemantic[n]] = from.attribute[n];
        }
    }

    void number_vertices()
    {
        unique_.begin();
        if (emits_ && feed_.mode == GeometryMode::Variable)
            geometry_.scan_primitives(draw_, count_, memory_, unique_, silent_);
        else if (draw_.source.indexed)
            unique_.add_all(IndexReader(draw_.source, count_, memory_, silent_), count_);
        else
        {
            result_.elements.resize(count_);
            result_.shaded.resize(count_);
            for (u32 i = 0; i < count_; ++i)
            {
                result_.elements[i] = i;
                result_.shaded[i].number = u64{draw_.source.first_vertex} + i;
            }
            return;
        }
        result_.elements.assign(unique_.elements().begin(), unique_.elements().end());
        result_.shaded.resize(unique_.count());
        for (u32 i = 0; i < unique_.count(); ++i)
            result_.shaded[i].number = unique_.numbers()[i];
    }

    void shade()
    {
        const ProgramUsage& usage = draw_.program->usage();
        result_.inputs_read = usage.inputs;
        result_.outputs_written = usage.outputs;
        std::vector<DrawVertex>& shaded = result_.shaded;
        if (emits_)
            geometry_.begin(feed_, static_cast<u32>(shaded.size()));
        if (shaded.empty())
            return;
        const auto [first, last] =
            std::minmax_element(shaded.begin(), shaded.end(),
                                [](const DrawVertex& a, const DrawVertex& b) { return a.number < b.number; });
        BatchInterpreter batch;
        batch.bind(*draw_.program, *draw_.uniforms);
        VertexFetch fetch;
        fetch.begin(draw_, first->number, last->number, memory_, input_rows(batch), silent_);
        for (u32 done = 0; done < shaded.size(); done += kLanes)
        {
            std::array<u64, kLanes> numbers;
            const u32 lanes = std::min(static_cast<u32>(shaded.size()) - done, kLanes);
            for (u32 i = 0; i < lanes; ++i)
                numbers[i] = shaded[done + i].number;
            fetch.fetch({numbers.data(), lanes}, input_rows(batch));
            keep(
                lanes, &shaded[done], [&](u32 reg, u32 c) { return batch.input(reg, c); },
                &DrawVertex::inputs);
            batch.run(lanes);
            keep(
                lanes, &shaded[done], [&](u32 reg, u32 c) { return batch.output(reg, c); },
                &DrawVertex::outputs);
            if (emits_)
                geometry_.keep_attributes(feed_, done, lanes, batch);
        }
    }

    template <typename Row>
    static void keep(u32 lanes, DrawVertex* vertices, const Row& row,
                     std::array<Vec4, 16> DrawVertex::*registers)
    {
        for (u32 reg = 0; reg < 16; ++reg)
            for (u32 c = 0; c < 4; ++c)
            {
                const f32* const values = row(reg, c);
                for (u32 i = 0; i < lanes; ++i)
                    (vertices[i].*registers)[reg][c] = values[i];
            }
    }

    // output: of a source of the output map.
    template <typename Output>
    void add_assembled(u32 shaded, const Output& output)
    {
        AssembledVertex& vertex = result_.assembled.emplace_back();
        vertex.shaded = shaded;
        for (u32 n = 0; n < vertex.semantics.size(); ++n)
        {
            const u8 source = draw_.vertex.source[n];
            vertex.semantics[n] = source == VertexKey::kUnmapped ? 1.0f : output(source / 4u, source % 4u);
        }
    }

    void push(u32 vertex)
    {
        assembler_.push(draw_.source.topology, vertex,
                        [this](u32 a, u32 b, u32 c) {
                            result_.triangles.push_back({a, b, c});
                        });
    }

    void assemble()
    {
        for (u32 i = 0; i < result_.shaded.size(); ++i)
            add_assembled(i, [&](u32 reg, u32 c) { return result_.shaded[i].outputs[reg][c]; });
        for (const u32 element : result_.elements)
            push(result_.earlier + element);
    }

    void assemble_emitted()
    {
        geometry_.unit().begin(draw_, silent_);
        u32 element = 0;
        if (feed_.mode != GeometryMode::Variable)
            while (element < result_.elements.size())
                feed(result_.elements[element++]);
        else
            for (const u32 vertices : geometry_.primitive_vertices())
            {
                geometry_.unit().begin_primitive(vertices);
                for (u32 i = 0; i < vertices; ++i)
                    feed(result_.elements[element++]);
            }
    }

    void feed(u32 vertex)
    {
        GeometryShaderUnit& unit = geometry_.unit();
        geometry_.push(feed_, vertex);
        for (u32 p = 0; p < unit.primitives(); ++p)
        {
            if (feed_.obeys_winding != 0 && unit.inverted(p))
                assembler_.invert();
            for (u32 corner = 0; corner < 3; ++corner)
            {
                add_assembled(AssembledVertex::kNone, [&](u32 reg, u32 c)
                              { return reg < unit.outputs() ? unit.output(p, corner, reg)[c] : 0.0f; });
                push(static_cast<u32>(result_.assembled.size()) - 1);
            }
        }
        unit.clear();
    }

    const Draw& draw_;
    const GeometryFeed& feed_;
    const GuestMemory& memory_;
    u32 count_;
    bool emits_;
    SilentReport silent_;
    UniqueVertices unique_;
    GeometryPath geometry_;
    PrimitiveAssembler assembler_;
    DrawVertices result_;
};

} // namespace

DrawVertices find_vertices(const Draw& draw, const Carryover& carryover, const GuestMemory& memory, u32 most)
{
    return Collector(draw, carryover, memory, most).run();
}

} // namespace pica
