// SPDX-License-Identifier: MIT
// Draws for the compute vertex executor: neighbours in a small pool of vertices, indices that use them many
// times, and what the renderer counted.
#pragma once

#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

namespace tests
{

inline constexpr u32 kPool = 64; // number of vertices; groups of four are close to each other
inline constexpr u32 kIndexOffset = kPool * sizeof(ListVertex);

struct ExecutorScene
{
    explicit ExecutorScene(const Variant& variant, u32 seed, Shaders shaders = Shaders::Specialised)
        : machine(variant, shaders), random(seed), scene(machine, random, 64, 64)
    {
        machine.begin_seed(random, ConformanceMachine::Compare::EachList);
        std::vector<ListVertex> pool;
        for (u32 i = 0; i < kPool; i++)
        {
            const f32 x = f32(i / 4 % 4) * 16, y = f32(i / 16) * 16;
            pool.push_back(scene.random_vertex(x + random.real(0, 14), y + random.real(0, 14),
                                               random.real(-1, 0), random.real(0.5f, 2)));
        }
        const auto* bytes = reinterpret_cast<const u8*>(pool.data());
        machine.write(ListScene::kVertices, std::span(bytes, kIndexOffset));
    }
    ~ExecutorScene()
    {
        machine.end_seed();
        CHECK(machine.failure() == "");
        CHECK(machine.changed_memory());
    }
    // Writes indices of neighbours into memory, after the vertices.
    void write_indices(u32 count)
    {
        std::vector<u16> indices(count);
        for (u32 i = 0; i < count; i++)
            indices[i] = u16(i / 24 % (kPool / 4) * 4 + random.below(4));
        const auto* bytes = reinterpret_cast<const u8*>(indices.data());
        machine.write(ListScene::kVertices + kIndexOffset, std::span(bytes, indices.size() * 2));
    }
    void topology(Topology topology) { scene.list.set(reg::PRIMITIVE_CONFIG::topology, topology); }
    void elements(u32 first, u32 count)
    {
        scene.list.set(reg::NUMVERTICES::count, count);
        scene.list.set(reg::INDEXBUFFER_CONFIG::offset, kIndexOffset + 2 * first);
        scene.list.set(reg::INDEXBUFFER_CONFIG::type, IndexType::U16);
        scene.list.write(reg::DRAWELEMENTS::id, 1);
    }
    void arrays(u32 first, u32 count)
    {
        scene.list.set(reg::NUMVERTICES::count, count);
        scene.list.set(reg::VERTEX_OFFSET::first, first);
        scene.list.write(reg::DRAWARRAYS::id, 1);
    }
    // A state with triangle records of 72 words.
    void lit()
    {
        for (u32 unit = 0; unit < 3; unit++)
        {
            scene.texture_unit(unit, ListScene::kTextures + unit * 0x1000, 16, 16, TextureFormat::RGBA8);
            scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource(u32(CombinerSource::Texture0) + unit),
                           unit + 1);
            scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, unit + 1);
        }
        scene.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
        scene.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::GreaterOrEqual);
        scene.list.set(reg::LIGHTING_ENABLE0::enable, true);
        scene.list.set(reg::LIGHTING_ENABLE1::disable, false);
        scene.list.write(reg::LIGHTING_AMBIENT::id, 0x02040810);
        scene.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::FragmentPrimary, 0);
        scene.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::PrimaryColor, 0);
        scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Add, 0);
    }
    // Runs the list and returns what it added to the counters.
    renderer::Statistics run()
    {
        scene.run();
        const renderer::Statistics now = machine.vulkan().statistics();
        renderer::Statistics change;
        change.draws = now.draws - last_.draws;
        change.device_draws = now.device_draws - last_.device_draws;
        change.device_parts = now.device_parts - last_.device_parts;
        change.texel_parts = now.texel_parts - last_.texel_parts;
        change.device_vertices = now.device_vertices - last_.device_vertices;
        change.geometry_draws = now.geometry_draws - last_.geometry_draws;
        change.parallel_geometry_draws = now.parallel_geometry_draws - last_.parallel_geometry_draws;
        change.interpreted_parts = now.interpreted_parts - last_.interpreted_parts;
        change.interpreted_geometry_draws = now.interpreted_geometry_draws - last_.interpreted_geometry_draws;
        change.batches = now.batches - last_.batches;
        last_ = now;
        return change;
    }

    ConformanceMachine machine;
    Random random;
    ListScene scene;

private:
    renderer::Statistics last_;
};

} // namespace tests
