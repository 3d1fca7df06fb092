// SPDX-License-Identifier: MIT
// Random values in any field of the rasteriser, texture, combiner, lighting and framebuffer registers, a few
// at a time: combinations that no suite of one block makes. The fields are those of registers.def, so that a
// new one is included as soon as it has a name. Both backends leave the same bytes.
#include "tests/support/scenes/plain_state.h"
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

#include <algorithm>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kShaderCoverage, kComputeVotes};

struct AnyField
{
    const u32* ids;
    u32 count;
    u8 shift, width;
};

constexpr AnyField kAllFields[] = {
#define REG(NAME, ID)
#define REGS(NAME, COUNT, ...)
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE)
#define RESET(NAME, INDEX, VALUE)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)                                                       \
    {reg::NAME::ids.data(), u32(reg::NAME::ids.size()), SHIFT, WIDTH},
#include "pica/regs/registers.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
#undef RESET
#undef FIELD
};

bool is_place(u32 id)
{
    return id == reg::COLORBUFFER_LOC::id || id == reg::DEPTHBUFFER_LOC::id ||
           id == reg::FRAMEBUFFER_DIM::id || id == reg::VIEWPORT_WIDTH::id ||
           id == reg::VIEWPORT_HEIGHT::id || std::ranges::count(reg::TEXUNIT_ADDR::ids, id) != 0;
}

// Of the blocks between the vertex stage and memory. Places have values of their own below.
const std::vector<AnyField>& usable_fields()
{
    static const std::vector<AnyField> fields = []
    {
        std::vector<AnyField> found;
        for (const AnyField& field : kAllFields)
        {
            const u32 id = field.ids[0];
            if (id >= reg::FACECULLING_CONFIG::id && id < 0x200 && !is_place(id) &&
                id != reg::SH_OUTMAP_TOTAL::id && id != reg::SH_OUTMAP_O::id)
                found.push_back(field);
        }
        return found;
    }();
    return fields;
}

u32 random_value(Random& random, u32 width)
{
    const u32 mask = width >= 32 ? ~0u : (1u << width) - 1;
    if (width <= 4)
        return random.next() & mask;
    switch (random.below(6))
    {
    case 0:
        return random.below(4) & mask;
    case 1:
        return mask;
    case 2: // a float of that width that is neither huge nor tiny
        return width >= 16
                   ? (f32_to_float24(random.real(-2.0f, 2.0f)) >> (width < 24 ? 24 - width : 0)) & mask
                   : random.next() & mask;
    case 3:
        return random.next() & random.next() & mask;
    default:
        return random.next() & mask;
    }
}

void random_fields(ListScene& s, u32 count)
{
    const std::vector<AnyField>& fields = usable_fields();
    Random& random = s.random;
    for (u32 i = 0; i < count; ++i)
    {
        const AnyField& field = fields[random.below(u32(fields.size()))];
        const u32 id = field.ids[random.below(field.count)];
        const u32 mask = (field.width >= 32 ? ~0u : (1u << field.width) - 1) << field.shift;
        s.list.write(id, (s.list.registers()[id] & ~mask) | random_value(random, field.width) << field.shift);
        s.machine.coverage().note("fields written", u32(&field - fields.data()), true);
    }
}

PhysAddr place(Random& random)
{
    return kVramBase + random.below(16) * 0x8000 + random.below(8) * 64;
}

void random_places(ListScene& s)
{
    Random& random = s.random;
    switch (random.below(8))
    {
    case 0:
        s.color_target(place(random), any<ColorFormat>(random, 5));
        break;
    case 1:
        s.depth_target(place(random), random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
        break;
    case 2:
        s.size(8 * (1 + random.below(16)), 1 + random.below(128), random.chance(1, 2));
        s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
        break;
    case 3:
        s.texture_unit(random.below(3), place(random), 8u << random.below(5), 8u << random.below(5),
                       any<TextureFormat>(random, 14));
        break;
    default:
        break;
    }
}

// Between two lists.
void engine(ConformanceMachine& machine, Random& random)
{
    switch (random.below(4))
    {
    case 0:
    {
        const PhysAddr start = place(random);
        machine.memory_fill(start, start + 64 * random.below(0x200), random.next(), any<FillWidth>(random, 4),
                            random.below(2));
        break;
    }
    case 1:
        machine.display_transfer(place(random), place(random), 64 | 64 << 16, 64 | 64 << 16,
                                 random.below(2) * 0x1100 | random.below(4));
        break;
    case 2:
        machine.texture_copy(place(random), place(random), 16 * random.below(0x400), random.below(0x40),
                             random.below(0x40) | random.below(8) << 16);
        break;
    default:
        machine.gpu().end_frame();
        break;
    }
}

void plain(ListScene& s)
{
    for (const AnyField& field : usable_fields())
        for (u32 i = 0; i < field.count; ++i)
            if (s.list.registers()[field.ids[i]] != 0)
                s.list.write(field.ids[i], 0);
    write_plain_state(s.list);
    s.color_target(ListScene::kColor, ColorFormat::RGBA8);
    s.depth_target(ListScene::kDepth, DepthFormat::D24S8);
    s.size(64, 64, true);
    s.viewport(32.0f, 32.0f, 0, 0);
    for (u32 unit = 0; unit < 3; ++unit)
        s.texture_unit(unit, ListScene::kTextures + unit * 0x4000, 32, 32, TextureFormat::RGBA8);
    s.textured();
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    plain(s);
    for (u32 i = 0; i < 16; ++i)
    {
        if (random.chance(1, 5))
            plain(s); // out of states in which nothing is drawn
        random_fields(s, 1 + random.below(6));
        random_places(s);
        s.perspective = random.chance(1, 3);
        s.triangles(3);
        if (random.chance(1, 2))
            s.quad(0, 0, f32(s.width), f32(s.height), -0.5f);
        s.draw();
        if (random.chance(1, 4))
        {
            s.run();
            engine(machine, random);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("fields written", u32(usable_fields().size()));
    coverage.require("output class", {1});
}

} // namespace

TEST_CASE("conformance: any field of the registers leaves the same bytes in both cores")
{
    run_suite({.name = "any fields",
               .variants = kVariants,
               .seeds = 42,
               .generate = generate,
               .require = require,
               .mostly_specialised = true});
}
