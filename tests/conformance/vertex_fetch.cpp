// SPDX-License-Identifier: MIT
// Attributes from memory and fixed ones: formats, strides, padding, several loaders, u8 and u16 indices,
// permutation, unloaded inputs, data at and past the end of memory, immediate vertices. vertex-input.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"
#include "tests/support/programs/program_builder.h"

#include <algorithm>
#include <bit>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute, kComputeBarrier, kShaderCoverage, kInterpret};

constexpr OwnedField kFields[] = {
    owned("topology in the register", reg::PRIMITIVE_CONFIG::topology, 4),
    owned("loader component count", reg::ATTRIBBUFFER_CONFIG2::count, 16),
    owned("attribute count - 1", reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, 12),
    owned("input count - 1", reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 16),
    {"first input's attribute", reg::VSH_ATTRIBUTES_PERMUTATION_LOW::ids.data(), 1, 0, 4, 16, nullptr,
     0xFFFF},
    {"last input's attribute", reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::ids.data(), 1, 28, 4, 16, nullptr,
     0xFFFF},
};

// o0 = position from c0 * v + c1, o1 = a mixture of all inputs that depends on every component.
void upload_program(ListScene& s, u32 position_input, u32 inputs)
{
    ProgramBuilder b;
    b.mul(r(0), c(0), v(position_input));
    b.add(r(0), c(1), r(0));
    b.mov(o(0)["xyz"], r(0));
    b.mov(o(0)["w"], c(2));
    b.mov(r(1), c(3));
    for (u32 i = 0; i < 16; ++i)
        if (inputs >> i & 1)
        {
            b.mul(r(2), c(8 + i), v(i));
            b.add(r(1), r(1), r(2)["yzwx"]);
        }
    b.mov(o(1), r(1));
    b.end();
    s.list.upload_vertex_program(b.words(), b.descriptors(), 0);
    s.list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    s.list.set(reg::VSH_OUTMAP_MASK::mask, 3);
}

f32 scale_of(AttributeType type)
{
    return type == AttributeType::F32 ? 0.7f : type == AttributeType::S16 ? 1.2f / 32768.0f : 1.2f / 128.0f;
}

struct Loaders
{
    std::array<AttributeType, 12> type{};
    std::array<u32, 12> components{};
};

Loaders random_loaders(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    Loaders loaders;
    u32 low = 0, high = 0;
    for (u32 i = 0; i < 12; ++i)
    {
        loaders.type[i] = static_cast<AttributeType>(random.below(4));
        loaders.components[i] = random.chance(1, 3) ? 4 : 1 + random.below(4);
        const u32 nibble = u32(loaders.type[i]) | (loaders.components[i] - 1) << 2;
        (i < 8 ? low : high) |= nibble << (i % 8 * 4);
    }
    const u32 total = random.chance(1, 2) ? 12 : 1 + random.below(12);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, low);
    list.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, high | random.below(0x1000) << 16 | (total - 1) << 28);

    // Every attribute to some loader at random, padding in between.
    std::array<std::vector<u32>, 12> walk;
    const u32 used = 1 + random.below(4);
    for (u32 i = 0; i < 12; ++i)
        if (i < 2 || random.chance(3, 4))
        {
            std::vector<u32>& list_of = walk[random.chance(1, 16) ? random.below(12) : random.below(used)];
            if (random.chance(1, 4))
                list_of.push_back(12 + random.below(4));
            list_of.push_back(i);
        }
    const bool strict = random.chance(2, 3); // strides that hold the vertex, base in the vertex area
    list.set(reg::ATTRIBBUFFERS_LOC::base, (ListScene::kVertices + random.below(16) * 16) >> 4);
    for (u32 loader = 0; loader < 12; ++loader)
    {
        u64 components = 0;
        u32 count = 0, bytes = 0;
        for (const u32 code : walk[loader])
        {
            if (count == 12)
                break;
            components |= u64{code} << (4 * count++);
            s.machine.coverage().note("loader component", code, true); // 12..15: padding
            if (code >= 12)
                bytes = (bytes + 3) / 4 * 4 + 4 * (code - 11);
            else
            {
                const u32 one = loaders.type[code] == AttributeType::F32   ? 4
                                : loaders.type[code] == AttributeType::S16 ? 2
                                                                           : 1;
                bytes = (bytes + one - 1) / one * one + one * loaders.components[code];
            }
        }
        if (random.chance(1, 24))
            count = 13 + random.below(3);
        const u32 stride = strict ? std::min(bytes, 255u) : random.below(256);
        u32 offset = strict ? random.below(0x1000) / 4 * 4 : random.below(0x4000);
        if (random.chance(1, 40)) // towards the end of memory, or past it
            offset = random.pick({0xFF000u, 0xFFF00u, 0x100000u, 0xFFFFFFFu, 0xE000000u});
        list.set(reg::ATTRIBBUFFER_OFFSET::offset, offset, loader);
        list.write(reg::ATTRIBBUFFER_CONFIG1::ids[loader], u32(components));
        list.write(reg::ATTRIBBUFFER_CONFIG2::ids[loader],
                   u32(components >> 32) | stride << 16 | count << 28);
    }
    return loaders;
}

void random_draw(ListScene& s)
{
    Random& random = s.random;
    const Topology topology = static_cast<Topology>(random.below(4));
    const u32 count = 6 + random.below(60);
    if (random.chance(1, 3))
    {
        const u32 first = random.chance(1, 24) ? random.next() : random.below(64);
        s.list.draw_arrays(topology, first, count);
        return;
    }
    // Indices lie in noise that was made small by the words around them.
    const u32 offset = random.chance(1, 24) ? 0xFFFC0 + random.below(0x80) : 0x8000 + random.below(0x1000);
    s.list.draw_elements(topology, offset, static_cast<IndexType>(random.below(2)), count);
}

void immediate_draw(ListScene& s)
{
    Random& random = s.random;
    const u32 attributes = 1 + random.below(6);
    s.list.set(reg::VSH_NUM_ATTR::count_minus_1, attributes - 1);
    s.list.set(reg::PRIMITIVE_CONFIG::topology, static_cast<Topology>(random.below(4)));
    s.list.set(reg::FIXEDATTRIB_INDEX::index, 15);
    for (u32 i = 0; i < (3 + random.below(9)) * attributes; ++i)
    {
        // Any other register write draws the vertices so far; the primitive continues after it.
        if (random.chance(1, 12))
            s.list.set(reg::FACECULLING_CONFIG::mode, static_cast<CullMode>(random.below(4)));
        std::array<u32, 3> words;
        u32 raw[4];
        for (u32& value : raw)
            value = f32_to_float24(random.real(-1.5f, 1.5f));
        words = {raw[3] << 8 | raw[2] >> 16, raw[2] << 16 | raw[1] >> 8, raw[1] << 24 | raw[0]};
        s.list.write_consecutive(reg::FIXEDATTRIB_DATA::id, words);
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    // Words that are sane floats and noise to smaller types; where indices are read, small ones.
    std::vector<u32> words(0x20000 / 4);
    for (u32 i = 0; i < words.size(); ++i)
    {
        words[i] = std::bit_cast<u32>(random.real(-2.0f, 2.0f)) ^ random.below(0x1000);
        if (i >= 0x8000 / 4 && i < 0xA000 / 4)
            words[i] &= 0x007F007F;
        if (random.chance(1, 128))
            words[i] = random.next();
    }
    machine.write(ListScene::kVertices, words);
    // Indices that point anywhere, at times.
    if (random.chance(1, 8))
    {
        std::array<u32, 64> wild;
        for (u32& word : wild)
            word = random.next();
        machine.write(ListScene::kVertices + 0x8000, wild);
    }
    for (u32 i = 0; i < 16; ++i)
        s.list.fixed_attribute(
            i % 12, {random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)});

    const u32 position = random.below(3);
    upload_program(s, position, 0xFFFF);
    for (u32 i = 0; i < 16; ++i)
    {
        const Loaders loaders = random_loaders(s);
        const u32 inputs = random.chance(1, 2) ? 16 : 1 + random.below(16);
        s.list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, inputs - 1);
        u32 low = 0x76543210, high = 0xFEDCBA98;
        if (random.chance(1, 2)) // exchange some, use some twice
            for (u32 k = 0; k < 1 + random.below(8); ++k)
            {
                u32& word = random.chance(1, 2) ? low : high;
                const u32 shift = 4 * random.below(8);
                word = (word & ~(15u << shift)) | random.below(16) << shift;
            }
        s.list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, low);
        s.list.write(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id, high);
        // The position's attribute decides the scale; others are kept small.
        const f32 scale = scale_of(loaders.type[position]);
        const f32 shift = loaders.type[position] == AttributeType::U8 ? -1.1f : 0.0f;
        s.list.float_uniform(0, {scale, scale, scale * 0.4f, 0.0f});
        s.list.float_uniform(1, {shift, shift, shift * 0.4f - 0.5f, 0.0f});
        s.list.float_uniform(2, {1, 1, 1, 1});
        s.list.float_uniform(3, {0.5f, 0.5f, 0.5f, 0.5f});
        for (u32 n = 0; n < 16; ++n)
        {
            const f32 k = n < 12 ? 0.1f * scale_of(loaders.type[n]) : 0.05f;
            s.list.float_uniform(8 + n, {k, -k, k * 0.7f, k * 1.3f});
        }
        if (random.chance(1, 4))
            immediate_draw(s);
        else
            random_draw(s);
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("attribute type", 4);
    coverage.require("attribute type and components", 16);
    coverage.require("attribute address modulo 4", 4);
    coverage.require("attribute stride modulo 4", 4);
    coverage.require("loader component", 16);
    coverage.require("restart", {1});
    coverage.require("input source", 4);
    coverage.require("topology", 3);
    coverage.require("vertex order", 4);
    coverage.require("immediate topology", 3);
}

} // namespace

TEST_CASE("conformance: vertex fetch leaves the same bytes in both cores")
{
    run_suite({.name = "vertex formats",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require});
}
