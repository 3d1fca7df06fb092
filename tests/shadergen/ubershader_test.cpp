// SPDX-License-Identifier: MIT
// The ubershader's variants compile, match the layout, and its state block has the bytes the text reads.
#include "shadergen/reflect.h"
#include "shadergen/ubershader.h"
#include "shadergen/ubershader_lighting.h"
#include "shadergen/ubershader_state.h"
#include "shadergen/uniforms.h"
#include "tests/shadergen/fragment_cases.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace shadergen;
using namespace pica;

TEST_CASE("ubershader: every variant compiles, hardens and matches the layout")
{
    for (const OutputClass output : {OutputClass::None, OutputClass::Opaque, OutputClass::Fetch})
        for (u8 bits = 0; bits < 64; bits++)
        {
            UbershaderKey key{.discards = static_cast<u8>(bits & 1),
                              .depth = static_cast<u8>(bits >> 1 & 1),
                              .output = output,
                              .lod = static_cast<u8>(bits >> 4)};
            key.lighting = bits == 9 || bits == 30;
            key.fog = output == OutputClass::None ? 0 : static_cast<u8>(bits >> 2 & 1);
            key.proctex = static_cast<u8>((bits ^ bits >> 1) & 1);
            key.lod = bits >> 4 != 0;
            key.unit0 = static_cast<Unit0Types>(std::max(bits >> 4, 1) - 1);
            key.shadow_map = output == OutputClass::Fetch && bits % 4 == 0;
            key.depth_zero = key.depth & (bits >> 2 & 1);
            key.gas = output == OutputClass::Fetch && bits % 4 == 1;
            key.scaled = (bits ^ bits >> 2 ^ bits >> 4) & 1;
            const u8 wide = bits % 3; // EdgeWidth
            Target target;
            target.color_output = (bits & 8) != 0 ? ColorOutput::Unorm : ColorOutput::Uint;
            target.fetch_path = (bits & 8) != 0 ? FetchPath::Interlock : FetchPath::InputAttachment;
            target.coverage_in_shader = (bits & 15) == 15;
            target.scale = key.scaled ? 3 : 1;
            const std::string text = generate_ubershader(key, wide, target);
            const auto module = compile(Stage::Fragment, text, target);
            REQUIRE_MESSAGE(module, tests::message_of(module));
            const auto status = check_layout(Stage::Fragment, *module);
            CHECK_MESSAGE(status, tests::message_of(status));
        }
}

TEST_CASE("ubershader: the largest variant equals its reference")
{
    const std::string text = generate_ubershader(
        {.discards = 1, .depth = 1, .fog = 1, .lighting = 1, .output = OutputClass::Fetch}, 0, {});
    tests::check_reference("ubershader_fetch", text);
    tests::check_reference("ubershader_proctex",
                           generate_ubershader({.output = OutputClass::Opaque, .proctex = 1}, 0, {}));
    tests::check_reference("ubershader_lod",
                           generate_ubershader({.output = OutputClass::Opaque, .lod = 1}, 1, {}));
    tests::check_reference(
        "ubershader_projection",
        generate_ubershader({.output = OutputClass::Opaque, .lod = 1, .unit0 = Unit0Types::Divided}, 0, {}));
    tests::check_reference(
        "ubershader_cube",
        generate_ubershader({.output = OutputClass::Opaque, .lod = 1, .unit0 = Unit0Types::Cube}, 0, {}));
    tests::check_reference("ubershader_scaled",
                           generate_ubershader({.output = OutputClass::Opaque, .scaled = 1}, 0, {}));
    tests::check_reference(
        "ubershader_scaled_cube",
        generate_ubershader({.output = OutputClass::Opaque, .lod = 1, .unit0 = Unit0Types::Cube, .scaled = 1},
                            0, {}));
}

TEST_CASE("ubershader: its record holds every scalar and fits the varyings")
{
    CHECK(ubershader_layout({}, 0).words == 48);
    CHECK(ubershader_layout({}, 1).words == 48);
    CHECK(ubershader_layout({}, 1).texcoord[2] + 6 == 48);
    const UbershaderKey cube{.output = OutputClass::Opaque, .lod = 1, .unit0 = Unit0Types::Cube};
    CHECK(ubershader_layout(cube, 0).texcoord0_w + 3 == 48);
    CHECK(ubershader_layout(cube, 1).words == 60);
    const UbershaderKey lit{.lighting = 1, .output = OutputClass::Opaque};
    CHECK(ubershader_layout(lit, 0).words == 72);
    CHECK(ubershader_layout(lit, 1).view + 9 <= 72);
}

TEST_CASE("ubershader: fixed-function classes share the opaque variant")
{
    FragmentKey key;
    key.output = OutputClass::LogicOp;
    CHECK(ubershader_key(key) == UbershaderKey{.output = OutputClass::Opaque});
    key.output = OutputClass::Fetch;
    key.scissor_exclude = 1;
    key.depth = DepthMode::W;
    CHECK(ubershader_key(key) == UbershaderKey{.discards = 1, .depth = 1, .output = OutputClass::Fetch});
    key.scissor_exclude = 0;
    key.texture[0].type = TextureType::Texture2D;
    key.texture[1].type = TextureType::Texture2D;
    CHECK(ubershader_key(key).lod == 0);
    key.texture[1].lod = TextureUnitKey::kLodUsed;
    CHECK(ubershader_key(key).lod == 1);
    CHECK(ubershader_key(key).unit0 == Unit0Types::Texture2D);
    key.texture[0].type = TextureType::ShadowCube;
    CHECK(ubershader_key(key).unit0 == Unit0Types::Cube);
    key.texture[0].type = TextureType::Shadow2D;
    CHECK(ubershader_key(key).unit0 == Unit0Types::Divided);
    key.alpha_func = CompareFunc::Never;
    CHECK(ubershader_key(key).discards == 1);
    CHECK(ubershader_key(key).scaled == 0);
    key.scaled_units = 2;
    CHECK(ubershader_key(key).scaled == 1);
}

TEST_CASE("ubershader: keys that differ give state blocks that differ")
{
    const auto cases = tests::fragment_cases();
    for (const auto& a : cases)
        for (const auto& b : cases)
        {
            FragmentBlock block_a{}, block_b{};
            pack_ubershader_state(a.key, block_a);
            pack_ubershader_state(b.key, block_b);
            FragmentKey key_b = b.key;
            key_b.output = a.key.output;             // selects the variant, not the state
            key_b.scaled_units = a.key.scaled_units; // likewise
            CAPTURE(a.name);
            CAPTURE(b.name);
            LightingBlock lights_a{}, lights_b{};
            pack_ubershader_lighting(a.key.lighting, lights_a);
            pack_ubershader_lighting(b.key.lighting, lights_b);
            CHECK((a.key == key_b) ==
                  (std::memcmp(block_a.state, block_b.state, sizeof block_a.state) == 0 &&
                   std::memcmp(lights_a.state, lights_b.state, sizeof lights_a.state) == 0));
        }
}
