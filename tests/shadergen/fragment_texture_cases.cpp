// SPDX-License-Identifier: MIT
#include "tests/shadergen/fragment_case_builder.h"

namespace tests
{

using shadergen::Target;

void add_texture_cases(FragmentCases& to)
{
    using Op = CombinerOp;
    using Source = CombinerSource;
    using Wrap = TextureWrap;
    to.add("texture_nearest_clamp", Builder()
                                        .texture(0, Wrap::ClampToEdge, Wrap::ClampToEdge, 0, 0)
                                        .stage(0, Op::Replace, {Source::Texture0}));
    to.add("texture_linear_repeat",
           Builder().texture(0, Wrap::Repeat, Wrap::MirroredRepeat, 1, 0).modulate_texture0());
    to.add("texture_linear_border",
           Builder().texture(0, Wrap::ClampToBorder, Wrap::ClampToBorder2, 1, 0).modulate_texture0());
    to.add("texture_three_units",
           Builder()
               .texture(0, Wrap::ClampToEdge2, Wrap::Repeat, 0, 0)
               .texture(1, Wrap::Repeat, Wrap::Repeat, 1, 1)
               .texture(2, Wrap::Repeat, Wrap::ClampToEdge, 0, 1)
               .stage(0, Op::Interpolate, {Source::Texture0, Source::Texture1, Source::Texture2}));
    to.add("texture_lod_nearest", Builder()
                                      .texture(0, Wrap::Repeat, Wrap::ClampToBorder, 1, 0)
                                      .lod(0, 0)
                                      .stage(0, Op::Replace, {Source::Texture0}));
    to.add("texture_lod_trilinear", Builder()
                                        .texture(0, Wrap::Repeat, Wrap::Repeat, 1, 0)
                                        .texture(2, Wrap::ClampToEdge, Wrap::Repeat, 0, 1)
                                        .lod(0, TextureUnitKey::kLodMinLinear | TextureUnitKey::kLodMipLinear)
                                        .lod(2, TextureUnitKey::kLodMipLinear)
                                        .stage(0, Op::Modulate, {Source::Texture0, Source::Texture2}));
    Target many;
    many.varying_words = 120;
    to.add("texture_three_units_planes",
           Builder()
               .texture(0, Wrap::ClampToEdge, Wrap::Repeat, 0, 0)
               .texture(1, Wrap::Repeat, Wrap::Repeat, 1, 1)
               .texture(2, Wrap::Repeat, Wrap::ClampToEdge, 1, 2)
               .stage(0, Op::Interpolate, {Source::Texture0, Source::Texture1, Source::Texture2}),
           many);
    Target votes;
    votes.votes = true;
    to.add("texture_linear_votes",
           Builder().texture(0, Wrap::Repeat, Wrap::MirroredRepeat, 1, 0).modulate_texture0(), votes);
    Target gathers;
    gathers.gathers = true;
    to.add("texture_gather",
           Builder()
               .texture(0, Wrap::ClampToEdge, Wrap::Repeat, 1, 0)
               .texture(1, Wrap::ClampToBorder, Wrap::MirroredRepeat, 1, 0)
               .texture(2, Wrap::ClampToEdge2, Wrap::ClampToEdge, 1, 0)
               .stage(0, Op::Interpolate, {Source::Texture0, Source::Texture1, Source::Texture2}),
           gathers);
    gathers.votes = true;
    to.add("texture_gather_votes",
           Builder().texture(0, Wrap::MirroredRepeat, Wrap::ClampToBorder, 1, 0).modulate_texture0(),
           gathers);
    gathers.votes = false;
    Target flat;
    flat.flat_constants = true;
    flat.varying_words = 120;
    to.add("constants_as_varyings",
           Builder()
               .texture(0, Wrap::ClampToBorder, Wrap::Repeat, 1, 0)
               .texture(1, Wrap::Repeat, Wrap::Repeat, 0, 1)
               .stage(0, Op::Interpolate, {Source::Texture0, Source::Texture1, Source::Constant}),
           flat);
    const auto unit0 = [](TextureType type, u8 lod, u8 orthographic)
    {
        Builder b;
        b.texture(0, Wrap::ClampToEdge, Wrap::ClampToBorder, 1, 0).stage(0, Op::Replace, {Source::Texture0});
        TextureUnitKey& unit = b.key.texture[0];
        unit.type = type;
        unit.lod = lod;
        unit.orthographic = orthographic;
        if (unit.is_shadow())
        {
            unit.wrap_s = unit.wrap_t = {};
            unit.linear = 0;
        }
        return b;
    };
    to.add("texture_projection", unit0(TextureType::Projection, 0, 0));
    to.add("texture_projection_gather", unit0(TextureType::Projection, 0, 0), gathers);
    to.add("texture_projection_lod", unit0(TextureType::Projection, TextureUnitKey::kLodUsed, 0));
    to.add("texture_cube", unit0(TextureType::Cube, 0, 0));
    to.add("texture_cube_lod",
           unit0(TextureType::Cube, TextureUnitKey::kLodUsed | TextureUnitKey::kLodMinLinear, 0));
    to.add("texture_shadow", unit0(TextureType::Shadow2D, 0, 0));
    to.add("texture_shadow_orthographic", unit0(TextureType::Shadow2D, 0, 1));
    to.add("texture_shadow_cube", unit0(TextureType::ShadowCube, 0, 0));
    const auto scaled = [](Builder b, u8 units)
    {
        b.key.scaled_units = units;
        return b;
    };
    to.add("scaled_nearest_three_units",
           scaled(Builder()
                      .texture(0, Wrap::ClampToEdge, Wrap::Repeat, 0, 0)
                      .texture(1, Wrap::Repeat, Wrap::Repeat, 1, 1)
                      .texture(2, Wrap::ClampToEdge2, Wrap::ClampToBorder2, 0, 2)
                      .stage(0, Op::Interpolate, {Source::Texture0, Source::Texture1, Source::Texture2}),
                  5),
           many);
    to.add(
        "scaled_linear",
        scaled(Builder().texture(0, Wrap::ClampToEdge, Wrap::MirroredRepeat, 1, 0).modulate_texture0(), 1));
    to.add("scaled_gather",
           scaled(Builder()
                      .texture(0, Wrap::ClampToEdge, Wrap::ClampToBorder, 1, 0)
                      .texture(1, Wrap::Repeat, Wrap::ClampToEdge, 1, 0)
                      .stage(0, Op::Modulate, {Source::Texture0, Source::Texture1}),
                  3),
           gathers);
    to.add("scaled_lod", scaled(Builder()
                                    .texture(0, Wrap::MirroredRepeat, Wrap::ClampToBorder, 1, 0)
                                    .lod(0, TextureUnitKey::kLodMipLinear)
                                    .stage(0, Op::Replace, {Source::Texture0}),
                                1));
    to.add("scaled_cube", scaled(unit0(TextureType::Cube, 0, 0), 1));
    to.add("scaled_projection", scaled(unit0(TextureType::Projection, TextureUnitKey::kLodUsed, 0), 1));
    to.add("scaled_shadow", scaled(unit0(TextureType::Shadow2D, 0, 0), 1));
    to.add("scaled_shadow_cube", scaled(unit0(TextureType::ShadowCube, 0, 0), 1));
    to.add("texture_null_address",
           []
           {
               Builder b;
               b.key.texture[0].type = TextureType::Texture2D;
               b.key.texture[0].null_address = 1;
               return b.stage(0, Op::Replace, {Source::Texture0});
           }());
}

} // namespace tests
