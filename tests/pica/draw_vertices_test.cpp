// SPDX-License-Identifier: MIT
// The vertices of a draw: set up again from what is listed, the triangles of all bundled streams are those of the vertex
// stage, word by word; and the registers of vertices are those of their traces.
#include "pica/inspect/draw_vertices.h"

#include "pica/inspect/program_trace.h"
#include "pica/inspect/replay.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "pica/state/triangle_record.h"
#include "pica/trace/trace.h"
#include "pica/vertex/vertex_stage.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

struct Seen
{
    u64 draws = 0, triangles = 0, visible = 0, indexed = 0, emitted = 0, earlier = 0, traced = 0;
};

struct Records
{
    std::vector<u32> words;
    std::vector<s32> positions;

    bool operator==(const Records&) const = default;
};

Records records_of(const Draw& draw, const VertexStage& stage)
{
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    const u32 count = stage.triangle_count();
    Records records{std::vector<u32>(std::size_t{count} * layout.words),
                    std::vector<s32>(std::size_t{count} * 6)};
    stage.emit(layout, records.words.data(), records.positions.data());
    return records;
}

ShadedVertex of_earlier_draw(const AssembledVertex& from)
{
    ShadedVertex v{};
    v.x = from.semantics[0], v.y = from.semantics[1], v.z = from.semantics[2], v.w = from.semantics[3];
    for (u32 n = 0; n < kAttributeCount; ++n)
        v.attribute[n] = from.semantics[kAttributeSemantic[n]];
    for (u32 n = 0; n < 4; ++n)
        if (!std::isfinite(from.semantics[n]))
            v.outside = kNotFinite;
    return v;
}

ShadedVertex of_program(const Draw& draw, const AssembledVertex& from)
{
    alignas(32) f32 rows[4 + kAttributeCount][8] = {};
    VertexOutputRows output;
    for (u32 n = 0; n < output.row.size(); ++n)
    {
        std::fill_n(rows[n], 8, from.semantics[n < 4 ? n : kAttributeSemantic[n - 4]]);
        output.row[n] = rows[n];
    }
    output.geometry = draw.geometry;
    ShadedVertex out[8];
    vertex_outputs_baseline(output, 1, out);
    return out[0];
}

Records set_up(const Draw& draw, const DrawVertices& vertices)
{
    VisibleTriangles triangles(1);
    triangles.begin(draw);
    for (u32 i = 0; i < vertices.assembled.size(); ++i)
    {
        ShadedVertex v = i < vertices.earlier ? of_earlier_draw(vertices.assembled[i])
                                              : of_program(draw, vertices.assembled[i]);
        if (i < vertices.earlier)
            triangles.place(v);
        triangles.vertices().push_back(v);
    }
    for (const auto& [a, b, c] : vertices.triangles)
        triangles.add(a, b, c);
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    Records records{std::vector<u32>(std::size_t{triangles.count()} * layout.words),
                    std::vector<s32>(std::size_t{triangles.count()} * 6)};
    triangles.emit(layout, 0, triangles.count(), records.words.data(), records.positions.data());
    return records;
}

template <std::size_t count>
bool same_bits(const std::array<Vec4, count>& a, const std::array<Vec4, count>& b)
{
    return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

class Checker final : public ReplayObserver
{
public:
    Checker(Replay& replay, Seen& seen) : replay_(replay), seen_(seen) {}

    void before(std::size_t, const Draw* draw) override
    {
        if (!draw || ++draws_ > 40)
            return;
        ++seen_.draws;
        const Carryover carryover = replay_.core().save_carryover();
        const DrawVertices vertices = find_vertices(*draw, carryover, replay_.memory());
        VertexStage stage;
        KeptReport report;
        stage.load(carryover);
        stage.run(*draw, replay_.memory(), report);
        const Records expected = records_of(*draw, stage);
        CHECK(set_up(*draw, vertices) == expected);
        seen_.triangles += vertices.triangles.size();
        seen_.visible += stage.triangle_count();
        seen_.indexed += draw->source.indexed != 0 && !vertices.triangles.empty();
        seen_.earlier += vertices.earlier;
        seen_.emitted += draw->geometry_unit.program != nullptr && !vertices.triangles.empty();
        check_registers(*draw, vertices);
        check_limit(*draw, carryover, vertices);
    }
    void after(std::size_t, const Draw*) override {}

private:
    void check_registers(const Draw& draw, const DrawVertices& vertices)
    {
        // In variable mode the elements are not those of the draw: some are counts.
        if (vertices.elements.size() != draw.source.count)
            return;
        const u32 count = draw.source.count;
        for (const u32 index : {0u, count / 2, count - 1})
        {
            const auto trace = trace_vertex(draw, index, replay_.memory());
            if (!trace)
                continue;
            ++seen_.traced;
            const DrawVertex& vertex = vertices.shaded[vertices.elements[index]];
            CHECK(vertex.number == trace->number);
            CHECK(same_bits(vertex.outputs, trace->outputs));
            for (u32 reg = 0; reg < 16; ++reg)
                if (vertices.inputs_read >> reg & 1)
                    CHECK(std::memcmp(&vertex.inputs[reg], &trace->inputs[reg], sizeof(Vec4)) == 0);
        }
    }

    void check_limit(const Draw& draw, const Carryover& carryover, const DrawVertices& vertices)
    {
        const u32 most = draw.source.count / 2;
        const DrawVertices part = find_vertices(draw, carryover, replay_.memory(), most);
        CHECK(part.left_out == draw.source.count - most);
        CHECK(part.triangles.size() <= vertices.triangles.size());
        CHECK(part.elements.size() <= most);
    }

    Replay& replay_;
    Seen& seen_;
    u32 draws_ = 0; // of the stream
};

} // namespace

TEST_CASE("draw vertices: set up again, they are the triangles of the vertex stage, for all bundled streams")
{
    Seen seen;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files)
    {
        CAPTURE(file.string());
        const Result<Trace> trace = Trace::load(file.string());
        REQUIRE(trace);
        KeptReport report;
        const auto replay = Replay::create(*trace, report);
        REQUIRE(replay);
        Checker checker(**replay, seen);
        (*replay)->set_observer(&checker);
        (void)(*replay)->frame_end(0);
    }
    MESSAGE(seen.draws << " draws, " << seen.triangles << " triangles, " << seen.visible << " visible");
    CHECK(seen.draws > 300);
    CHECK(seen.triangles > 10000);
    CHECK(seen.visible > 5000);
    CHECK(seen.traced > 500);
    for (const u64 count : {seen.indexed, seen.emitted, seen.earlier})
        CHECK(count > 0);
}
