// SPDX-License-Identifier: MIT
// The vertex stage with several threads: each has a VertexRunner of its own, and takes some of the triangles.
#include "pica/base/silent_report.h"
#include "pica/base/work_sharer.h"
#include "pica/memory/guest_arena.h"
#include "pica/vertex/vertex_stage.h"
#include "tests/support/programs/scaling_program.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

#include <thread>

using namespace tests;

namespace
{

// Three threads, each of which does every third part, so that all have some.
class ThirdParts final : public WorkSharer
{
public:
    void share(const Work& work) override
    {
        shared_parts += work.parts;
        std::vector<std::thread> others;
        for (u32 thread = 1; thread < threads(); ++thread)
            others.emplace_back([&work, thread] { run(work, thread); });
        run(work, 0);
        for (std::thread& other : others)
            other.join();
    }
    u32 threads() const override { return 3; }

    u32 shared_parts = 0;

private:
    static void run(const Work& work, u32 thread)
    {
        for (u32 part = thread; part < work.parts; part += 3)
            work.job(work.context, part, thread);
    }
};

struct Triangles
{
    u32 shaded;
    std::vector<u32> records;
    std::vector<s32> positions;
    bool operator==(const Triangles&) const = default;
};
Triangles run(VertexStage& stage, const Draw& draw, const GuestMemory& memory, WorkSharer* sharer)
{
    SilentReport silent;
    stage.run(draw, memory, silent, sharer);
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    Triangles triangles{stage.shaded_vertices(),
                        std::vector<u32>(std::size_t{stage.triangle_count()} * layout.words),
                        std::vector<s32>(std::size_t{stage.triangle_count()} * 6)};
    stage.emit(layout, triangles.records.data(), triangles.positions.data());
    return triangles;
}

} // namespace

TEST_CASE(
    "vertex runner: what several threads shade and assemble is what one does, whatever the draws before were")
{
    const Program programs[2] = {scaling_program(0), scaling_program(3)};
    for_each_seed(
        4,
        [&](u32, Random& random)
        {
            GuestArena arena(0x10000);
            DrawScene scene(64, 64);
            ShaderUniforms uniforms;
            VertexStage alone;
            VertexStage shared;
            ThirdParts sharer;
            for (u32 draw = 0; draw < 12; ++draw)
            {
                scene.vertices.clear();
                // Large and small draws, so that threads miss some.
                random_triangles(scene, random,
                                 random.below(2) == 0 ? 1 + random.below(20) : 300 + random.below(600));
                uniforms.f[0] = {random.real(0.5f, 1.5f), random.real(0.5f, 1.5f), 1, 1};
                Draw drawn = scene.draw();
                drawn.program = &programs[random.below(2)];
                drawn.uniforms = &uniforms;
                drawn.uniforms_revision = 100 + draw;
                drawn.source.topology =
                    random.pick({Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan});
                drawn.source.restart = random.below(4) != 0;
                const Triangles expected = run(alone, drawn, arena.memory(), nullptr);
                CHECK(expected.shaded != 0);
                CHECK(run(shared, drawn, arena.memory(), &sharer) == expected);
            }
            CHECK(sharer.shared_parts > 12);
        });
}
