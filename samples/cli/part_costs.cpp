// SPDX-License-Identifier: MIT
// Plays the stream into backends that do only the part that is measured.
#include "samples/cli/part_costs.h"

#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"
#include "pica/vertex/vertex_stage.h"

#include <algorithm>
#include <chrono>

namespace samples
{

namespace
{

constexpr int kMeasuredPasses = 5;

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

class VertexBackend final : public pica::NullBackend
{
public:
    VertexBackend(pica::GuestMemory& memory, pica::Report& report) : NullBackend(memory), report_(report) {}

    void draw(const pica::Draw& draw) override
    {
        const auto start = Clock::now();
        stage_.run(draw, memory(), report_);
        ns += nanoseconds_since(start);
        vertices += stage_.shaded_vertices();
        triangles += stage_.triangle_count();
    }

    double ns = 0.0;
    pica::u64 vertices = 0;
    pica::u64 triangles = 0;

private:
    pica::Report& report_;
    pica::VertexStage stage_;
};

// Plays the whole stream; returns its register writes.
pica::u64 play(const pica::Trace& trace, pica::Backend& backend, pica::Report& report)
{
    pica::Gpu gpu(backend, report);
    pica::TracePlayer player(trace, gpu);
    while (player.step(pica::Step::Frame) != pica::StepResult::End)
    {
    }
    return gpu.register_writes();
}

} // namespace

PartCosts measure_parts(const pica::Trace& trace, pica::Report& report)
{
    PartCosts costs;
    const double frames = std::max<double>(trace.frames(), 1.0);
    pica::GuestArena arena(trace.memory());
    for (int pass = 0; pass < kMeasuredPasses; ++pass)
    {
        pica::NullBackend nothing(arena.memory());
        const auto start = Clock::now();
        const pica::u64 writes = play(trace, nothing, report);
        const double ns = nanoseconds_since(start) / double(std::max<pica::u64>(writes, 1));
        costs.ns_per_register_write = pass == 0 ? ns : std::min(costs.ns_per_register_write, ns);

        VertexBackend vertices(arena.memory(), report);
        play(trace, vertices, report);
        const double ms = vertices.ns * 1e-6 / frames;
        costs.vertex_ms_per_frame = pass == 0 ? ms : std::min(costs.vertex_ms_per_frame, ms);
        costs.vertices_per_frame = double(vertices.vertices) / frames;
        costs.triangles_per_frame = double(vertices.triangles) / frames;
    }
    if (costs.vertices_per_frame > 0.0)
        costs.ns_per_vertex = costs.vertex_ms_per_frame * 1e6 / costs.vertices_per_frame;
    return costs;
}

} // namespace samples
