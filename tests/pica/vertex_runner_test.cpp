// SPDX-License-Identifier: MIT
// The vertex stage with several threads: each has a VertexRunner of its own, and takes some of the triangles.
#include "pica/base/silent_report.h"
#include "pica/memory/guest_arena.h"
#include "pica/vertex/vertex_stage.h"
#include "tests/support/programs/scaling_program.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/third_parts.h"

#include <doctest/doctest.h>

using namespace tests;

namespace
{

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
    stage.emit(layout, triangles.records.data(), triangles.positions.data(), sharer);
    return triangles;
}

} // namespace

TEST_CASE("vertex runner: what several threads shade, assemble and emit is what one does, whatever the draws "
          "before were")
{
    const Program programs[2] = {scaling_program(0), scaling_program(3)};
    for_each_seed(4,
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
                                           draw == 11             ? 900
                                           : random.below(2) == 0 ? 1 + random.below(20)
                                                                  : 300 + random.below(600));
                          uniforms.f[0] = {random.real(0.5f, 1.5f), random.real(0.5f, 1.5f), 1, 1};
                          Draw drawn = scene.draw();
                          drawn.program = &programs[random.below(2)];
                          drawn.uniforms = &uniforms;
                          drawn.uniforms_revision = 100 + draw;
                          drawn.source.topology = random.pick(
                              {Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan});
                          drawn.source.restart = random.below(4) != 0;
                          const Triangles expected = run(alone, drawn, arena.memory(), nullptr);
                          CHECK(expected.shaded != 0);
                          CHECK(run(shared, drawn, arena.memory(), &sharer) == expected);
                      }
                      CHECK(sharer.shared_parts > 12);
                      CHECK(sharer.calls > 24); // one a draw shades and one emits; the others place triangles
                  });
}
