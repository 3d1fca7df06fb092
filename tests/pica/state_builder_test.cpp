// SPDX-License-Identifier: MIT
#include "pica/state/state_builder.h"

#include "pica/state/triangle_record.h"
#include "tests/support/scenes/plain_state.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

using namespace pica;
using tests::Random;

namespace
{

void require_equal(const DecodedDraw& a, const DecodedDraw& b)
{
    REQUIRE(a.draw.fragment.text() == b.draw.fragment.text());
    REQUIRE(a.draw.fragment == b.draw.fragment);
    REQUIRE(a.draw.output == b.draw.output);
    REQUIRE(a.draw.constants == b.draw.constants);
    REQUIRE(a.draw.lighting == b.draw.lighting);
    REQUIRE(a.draw.gas_depth == b.draw.gas_depth);
    REQUIRE(a.draw.cube_faces == b.draw.cube_faces);
    REQUIRE(a.draw.texture == b.draw.texture);
    REQUIRE(a.draw.target == b.draw.target);
    REQUIRE(a.draw.scissor == b.draw.scissor);
    REQUIRE(a.draw.vertex == b.draw.vertex);
    REQUIRE(a.draw.geometry == b.draw.geometry);
    const VertexSource &s = a.draw.source, &t = b.draw.source;
    REQUIRE(s.input == t.input);
    REQUIRE(s.count == t.count);
    REQUIRE(s.first_vertex == t.first_vertex);
    REQUIRE(s.index_address == t.index_address);
    REQUIRE(s.indexed == t.indexed);
    REQUIRE(s.index16 == t.index16);
    REQUIRE(s.topology == t.topology);
    REQUIRE(s.inline_attributes == t.inline_attributes);
    REQUIRE(a.is_drawable == b.is_drawable);
}

// Remembers the parts of draws by their revisions. Those that come again must be the same.
class SeenParts
{
public:
    void see(const Draw& draw)
    {
        REQUIRE(std::min({draw.keys_revision, draw.constants_revision, draw.inputs_revision}) != 0);
        const auto [keys, new_keys] = keys_.try_emplace(draw.keys_revision, draw);
        REQUIRE(keys->second.fragment == draw.fragment);
        REQUIRE(keys->second.output == draw.output);
        REQUIRE(keys->second.target == draw.target);
        REQUIRE(keys->second.scissor == draw.scissor);
        REQUIRE(keys->second.geometry == draw.geometry);
        const auto [constants, new_constants] = constants_.try_emplace(draw.constants_revision, draw);
        REQUIRE(constants->second.constants == draw.constants);
        REQUIRE(constants->second.lighting == draw.lighting);
        REQUIRE(constants->second.texture == draw.texture);
        REQUIRE(constants->second.gas_depth == draw.gas_depth);
        REQUIRE(constants->second.cube_faces == draw.cube_faces);
        const auto [inputs, new_inputs] = inputs_.try_emplace(draw.inputs_revision, draw);
        REQUIRE(inputs->second.source.input == draw.source.input);
        REQUIRE(inputs->second.source.inline_attributes == draw.source.inline_attributes);
        again += !new_keys + !new_constants + !new_inputs;
    }
    u32 again = 0; // parts

private:
    std::map<u64, Draw> keys_, constants_, inputs_;
};

u32 random_id(Random& random)
{
    switch (random.below(10))
    {
    case 8:
        return 0x140 + random.below(0xA0);
    case 9:
        return random.pick({reg::LIGHTING_ENABLE0::id, reg::LIGHTING_ENABLE1::id, reg::TEXENV_SOURCE::ids[5],
                            reg::TEXENV_UPDATE_BUFFER::id});
    case 0:
        return 0x040 + random.below(0x40);
    case 1:
        return 0x080 + random.below(0x40);
    case 2:
        return 0x0C0 + random.below(0x40);
    case 3:
        return 0x100 + random.below(0x40);
    case 4:
        return 0x200 + random.below(0x60);
    case 5:
        return 0x2B0 + random.below(0x30);
    default:
        return random.below(0x300);
    }
}

class CountingReport final : public Report
{
public:
    void report(ReportKind kind, std::string_view cause, std::string_view) override
    {
        missing += kind == ReportKind::Missing;
        guest += kind == ReportKind::Guest;
        if (kind == ReportKind::Missing)
            last = std::string(cause);
    }
    u32 missing = 0, guest = 0;
    std::string last;
};

} // namespace

TEST_CASE("state builder: decoding dirty groups gives what decoding from scratch gives")
{
    u32 lit = 0;   // draws
    u32 again = 0; // parts of draws
    tests::for_each_seed(300,
                         [&](u32, Random& random)
                         {
                             // Most begin with a state that draws colours, so that combiners and lights matter.
                             tests::CommandListBuilder plain;
                             if (random.chance(3, 4))
                                 tests::write_plain_state(plain);
                             RegisterFile regs = plain.registers();
                             FixedAttributes fixed{};
                             u64 fixed_revision = 1;
                             StateBuilder builder;
                             SeenParts seen;
                             for (int step = 0; step < 60; ++step)
                             {
                                 // Nothing but colours of the combiners.
                                 const bool colors = random.chance(1, 4);
                                 for (u32 i = random.below(6); i > 0; --i)
                                 {
                                     const u32 value = random.chance(1, 3) ? random.below(4) : random.next();
                                     const u32 id =
                                         colors ? reg::TEXENV_COLOR::ids[random.below(6)] : random_id(random);
                                     regs.write(id, value, random.below(16));
                                 }
                                 if (random.chance(1, 8))
                                 {
                                     fixed[random.below(16)][random.below(4)] = random.real(-1.0f, 1.0f);
                                     ++fixed_revision;
                                 }
                                 const DrawKind kind =
                                     random.pick({DrawKind::Arrays, DrawKind::Elements, DrawKind::Immediate});
                                 if (random.chance(1, 16))
                                     builder.invalidate();
                                 const DecodedDraw fresh = decode_draw(regs, fixed, kind);
                                 const DecodedDraw& built = builder.update(regs, fixed, fixed_revision, kind);
                                 require_equal(built, fresh);
                                 seen.see(built.draw);
                                 lit += fresh.draw.fragment.lighting.lights != 0;
                                 // A builder keeps what it has found.
                                 for (u32 i = 0; i < static_cast<u32>(Finding::Count); ++i)
                                     if (fresh.findings.has(static_cast<Finding>(i)))
                                         REQUIRE(built.findings.has(static_cast<Finding>(i)));
                                 REQUIRE_FALSE(regs.any_dirty());
                             }
                             again += seen.again;
                         });
    tests::SeedRange chosen{0, 0};
    if (!tests::chosen_seeds(chosen))
    {
        CHECK(lit != 0);
        CHECK(again != 0);
    }
}

TEST_CASE("state builder: a revision is renewed where its part of the draw changes, and keys get theirs back")
{
    tests::CommandListBuilder plain;
    tests::write_plain_state(plain);
    RegisterFile regs = plain.registers();
    const FixedAttributes fixed{};
    StateBuilder builder;
    struct Revisions
    {
        u64 keys, constants, inputs;
    };
    const auto build = [&](u64 fixed_revision = 1)
    {
        const Draw& draw = builder.update(regs, fixed, fixed_revision, DrawKind::Arrays).draw;
        return Revisions{draw.keys_revision, draw.constants_revision, draw.inputs_revision};
    };
    const Revisions first = build();
    // Most draws write no more than this.
    regs.write(reg::NUMVERTICES::id, 99);
    regs.write(reg::VERTEX_OFFSET::id, 7);
    Revisions next = build();
    CHECK(next.keys == first.keys);
    CHECK(next.constants == first.constants);
    CHECK(next.inputs == first.inputs);
    // A colour and a texture.
    regs.write(reg::TEXENV_COLOR::ids[0], ~regs[reg::TEXENV_COLOR::ids[0]]);
    const Revisions colored = build();
    CHECK(colored.keys == first.keys);
    CHECK(colored.constants != first.constants);
    CHECK(colored.inputs == first.inputs);
    regs.write(reg::TEXUNIT_ADDR::ids[0], regs[reg::TEXUNIT_ADDR::ids[0]] + 0x100);
    next = build();
    CHECK(next.keys == first.keys);
    CHECK(next.constants != colored.constants);
    regs.write(reg::ATTRIBBUFFERS_LOC::id, regs[reg::ATTRIBBUFFERS_LOC::id] + 1);
    const Revisions moved = build();
    CHECK(moved.inputs != first.inputs);
    CHECK(build(2).inputs != moved.inputs); // fixed attributes
    // Back and forth between two states.
    const u32 operations = regs[reg::DEPTH_COLOR_MASK::id];
    regs.write(reg::DEPTH_COLOR_MASK::id, operations ^ 0x100);
    next = build();
    CHECK(next.keys != first.keys);
    regs.write(reg::DEPTH_COLOR_MASK::id, operations);
    CHECK(build().keys == first.keys);
    regs.write(reg::DEPTH_COLOR_MASK::id, operations ^ 0x100);
    CHECK(build().keys == next.keys);
}

TEST_CASE("state builder: register bits that select nothing leave keys unchanged")
{
    RegisterFile regs;
    const FixedAttributes fixed{};
    const DecodedDraw before = decode_draw(regs, fixed, DrawKind::Arrays);
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0x00008070); // disabled
    regs.write(reg::STENCIL_TEST::id, 0xFFFFFF70);      // disabled
    regs.write(reg::TEXUNIT_BORDER_COLOR::ids[1], 0x12345678);
    regs.write(reg::TEXUNIT_PARAM::ids[0], 0x01002206); // unit off
    regs.write(reg::BLEND_COLOR::id, 0x11223344);
    regs.write(reg::FRAGOP_CLIP_DATA::ids[2], 0x3F0000);
    regs.write(reg::EARLYDEPTH_DATA::id, 0xFFFFFF);
    require_equal(decode_draw(regs, fixed, DrawKind::Arrays), before);
}

TEST_CASE("state builder: what is not built is reported once")
{
    RegisterFile regs;
    const FixedAttributes fixed{};
    CountingReport report;
    StateBuilder builder;
    regs.write(reg::GEOSTAGE_CONFIG::id, 2); // without the role of the bank
    CHECK_FALSE(builder.update(regs, fixed, 1, DrawKind::Elements, report).is_drawable);
    CHECK(report.missing == 0);
    CHECK(builder.update(regs, fixed, 1, DrawKind::Elements).findings.has(Finding::GeometryConfiguration));
    const u32 guest = report.guest;
    builder.update(regs, fixed, 1, DrawKind::Elements, report);
    CHECK(report.guest == guest);
    regs.write(reg::GEOSTAGE_CONFIG::id, 0);
    CHECK(builder.update(regs, fixed, 1, DrawKind::Elements, report).is_drawable);
}

TEST_CASE("keys: text names what is not default and reads back")
{
    tests::for_each_seed(500,
                         [](u32, Random& random)
                         {
                             FragmentKey key;
                             std::array<u8, sizeof key> bytes;
                             std::memcpy(bytes.data(), &key, sizeof key);
                             for (u32 i = 0; i < 20; ++i)
                                 bytes[random.below(sizeof key)] = u8(random.next());
                             std::memcpy(&key, bytes.data(), sizeof key);
                             FragmentKey read;
                             REQUIRE(fragment_key_from_text(key.text(), read));
                             REQUIRE(read == key);
                         });
    FragmentKey key;
    CHECK(key.text() == "default");
    key.texture[1].wrap_s = TextureWrap::Repeat;
    key.texenv[0].color_source[1] = CombinerSource::Constant;
    CHECK(key.text() == "tex1.wrap_s=Repeat tev0.color_source=PrimaryColor,Constant,PrimaryColor");
    FragmentKey unchanged = key;
    for (const char* text : {"tex1.wrap_s", "tex1.wrap_s=", "tex1.wrap_s=256", "tex3.wrap_s=1", "nothing=1",
                             "tev0.color_source=1,2", "tev0.color_source=1,2,3,4"})
    {
        CHECK_FALSE(fragment_key_from_text(text, key));
        CHECK(key == unchanged);
    }
}

TEST_CASE("keys: units that sample nothing are never sampled at N x")
{
    FragmentKey key;
    key.texture[0].type = TextureType::ShadowCube;
    key.texture[1].type = TextureType::Texture2D;
    key.texture[1].null_address = 1;
    set_scaled_units(key, {true, true, true});
    CHECK(key.scaled_units == 1);
    CHECK(key.is_scaled(0));
    CHECK_FALSE(key.is_scaled(1));
    key.texture[2].type = TextureType::Texture2D;
    set_scaled_units(key, {false, true, true});
    CHECK(key.scaled_units == 4);
    CHECK(key.text().find("scaled_units=4") != std::string::npos);
    set_scaled_units(key, {});
    CHECK(key.scaled_units == 0);
}

TEST_CASE("keys: force_fetch keeps the state of the fixed-function classes")
{
    FragmentKey key;
    OutputState output;
    output.blend.color_mask = 15;
    output.blend.logic = 1;
    output.blend.logic_op = LogicOp::Xor;
    force_fetch(key, output);
    CHECK(key.output == OutputClass::None);
    key.output = OutputClass::LogicOp;
    force_fetch(key, output);
    CHECK(key.output == OutputClass::Fetch);
    CHECK(key.fetch == output.blend);
}

TEST_CASE("triangle record: only what the key reads, whole vertices of 4-word attributes")
{
    FragmentKey key;
    GeometryConstants geometry;
    geometry.half_width = 120.0f;
    geometry.half_height = 200.0f;
    for (TexEnvStageKey& stage : key.texenv)
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
    RecordLayout layout = record_layout(key, geometry, 1);
    CHECK(layout.words == 12);
    CHECK(layout.wide == 0);
    CHECK(layout.color == 0);

    key.depth = DepthMode::Z;
    key.texenv[0].color_source[0] = CombinerSource::PrimaryColor;
    key.texture[0].type = key.texture[1].type = TextureType::Texture2D;
    key.texture[1].texcoord = 1;
    key.texture[2].type = TextureType::Texture2D; // shares set 1
    key.texture[2].texcoord = 1;
    layout = record_layout(key, geometry, 1);
    CHECK(layout.depth == 12);
    CHECK(layout.color == 15);
    CHECK(layout.texcoord == std::array<u8, 3>{27, 33, 0});
    CHECK(layout.words == 48);

    // (16 * 2 * 120 * 3 + 32) * (16 * 2 * 200 * 3 + 32) passes 2^27
    layout = record_layout(key, geometry, 3);
    CHECK(layout.wide == kEdges36);
    CHECK(layout.depth == 15);
    CHECK(record_layout(key, geometry, 2).wide == kEdges32);
    geometry.viewport_x = -400; // the way from the origin counts
    CHECK(record_layout(key, geometry, 2).wide == kEdges36);
    geometry.viewport_x = 300;
    CHECK(record_layout(key, geometry, 2).wide == kEdges36);

    // (16 * 4096 * 2 + 32) squared passes 2^34
    geometry.viewport_x = geometry.viewport_y = 0;
    geometry.half_width = geometry.half_height = 2048.0f;
    CHECK(record_layout(key, geometry, 1).wide == kEdges36);
    CHECK(record_layout(key, geometry, 2).wide == kEdges64);
    geometry.half_width = geometry.half_height = 1900.0f;
    CHECK(record_layout(key, geometry, 2).wide == kEdges36);
}

TEST_CASE("triangle record: the bounds of snapped coordinates are the viewport, rounded outwards")
{
    GeometryConstants geometry;
    geometry.half_width = 120.0f;
    geometry.half_height = -10.03125f; // mirrored
    geometry.viewport_x = -8;
    geometry.viewport_y = 3;
    CHECK(snap_bounds(geometry, 1) == SnapBounds{-128, -273, 3712, 48});
    CHECK(snap_bounds(geometry, 2) == SnapBounds{-256, -546, 7424, 96});
    geometry.half_width = 1.0e9f;
    CHECK(snap_bounds(geometry, 1) == SnapBounds{-128, -273, 65536, 48});
}
