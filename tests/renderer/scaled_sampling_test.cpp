// SPDX-License-Identifier: MIT
// Texture units that sample pictures of N x texels (design.md, "N times the resolution"): generated fragment shaders, both
// specialised ones and the ubershader, against the software core's kernels, bit for bit. The shaders run as compute shaders
// with their inputs in buffers, so that pictures of any size need no renderer.
#include "pica/memory/guest_arena.h"
#include "pica/soft/raster.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "pica/vertex/vertex_stage.h"
#include "shadergen/fragment.h"
#include "shadergen/ubershader.h"
#include "shadergen/ubershader_state.h"
#include "shadergen/uniforms.h"
#include "tests/support/device/compute_runner.h"
#include "tests/support/scenes/draw_scene.h"
#include "tests/support/scenes/pixel_probe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

using namespace tests;
using namespace shadergen;

namespace
{

constexpr u32 kSide = 16; // pixels of the target at 1x
constexpr u32 kTriangles = 4;

// A picture as the kernels read it: all levels of the first face, then those of the next one.
struct Picture
{
    std::vector<u32> texels;
    std::vector<u32> begins; // of the levels of a face
    u32 face_texels = 0;
};

// One draw, and what its units sample.
struct Case
{
    explicit Case(Random& random) : n(static_cast<u32>(random.between(2, 8))), scene(kSide, kSide)
    {
        scene.state.target.flip = 0;
        for (u32 unit = 0; unit < 3; ++unit)
            choose_unit(random, unit);
        choose_combiner(random);
        const bool first = random.chance(1, 2);
        std::array<bool, 3> scaled{};
        for (u32 unit = 0; unit < 3; ++unit)
            scaled[unit] = key().texture[unit].samples() && random.chance(3, 4);
        scaled[first ? read[0] : read[1]] = true;
        set_scaled_units(key(), scaled);
        for (u32 unit = 0; unit < 3; ++unit)
            fill_picture(random, unit);
        add_triangles(random);
    }

    FragmentKey& key() { return scene.state.fragment; }
    void choose_unit(Random& random, u32 unit);
    void choose_combiner(Random& random);
    void fill_picture(Random& random, u32 unit);
    void add_triangles(Random& random);

    u32 n;
    DrawScene scene;
    std::array<u32, 2> read{}; // the units that give colour and alpha
    std::array<Picture, 3> pictures;
};

void Case::choose_unit(Random& random, u32 unit)
{
    TextureUnitKey& k = key().texture[unit];
    k.type = unit != 0 ? TextureType::Texture2D
                       : random.pick({TextureType::Texture2D, TextureType::Cube, TextureType::Projection,
                                      TextureType::Shadow2D, TextureType::ShadowCube});
    k.texcoord = static_cast<u8>(unit == 0 ? 0 : random.below(3));
    TextureBinding& binding = scene.state.texture[unit];
    binding.width = static_cast<u16>(8u << random.below(k.is_cube() ? 5 : 8));
    binding.height = k.is_cube() ? binding.width : static_cast<u16>(8u << random.below(6));
    FragmentConstants& constants = scene.state.constants;
    constants.border_color[unit] = random.next();
    constants.shadow_bias = random.below(0x10000);
    if (k.is_shadow())
    {
        k.orthographic = k.type == TextureType::Shadow2D && random.chance(1, 2);
        return;
    }
    k.wrap_s = static_cast<TextureWrap>(random.below(6));
    k.wrap_t = static_cast<TextureWrap>(random.below(6));
    k.linear = static_cast<u8>(random.below(2));
    if (random.chance(1, 2))
        return;
    k.lod = static_cast<u8>(TextureUnitKey::kLodUsed | random.below(4) << 1);
    const u32 levels = static_cast<u32>(std::bit_width(u32{std::min(binding.width, binding.height)})) - 3;
    binding.levels = static_cast<u8>(1 + random.below(levels));
    constants.texture_lod[unit] = {static_cast<s16>(random.between(-512, 512)),
                                   static_cast<u16>(random.below(binding.levels) * 256), 0};
    TextureLod& lod = constants.texture_lod[unit];
    lod.high = static_cast<u16>(
        std::max<u32>(lod.low, (binding.levels - 1u) * 256)); // whole levels, the last one included
}

void Case::choose_combiner(Random& random)
{
    constexpr CombinerSource kSources[] = {CombinerSource::Texture0, CombinerSource::Texture1,
                                           CombinerSource::Texture2};
    read = {random.below(3), random.below(3)};
    TexEnvStageKey& stage = key().texenv[0];
    stage.color_source[0] = kSources[read[0]];
    stage.alpha_source[0] = kSources[read[1]];
    for (u32 unit = 0; unit < 3; ++unit)
        if (unit != read[0] && unit != read[1])
        {
            key().texture[unit] = {};
            scene.state.texture[unit] = {};
        }
}

void Case::fill_picture(Random& random, u32 unit)
{
    const TextureUnitKey& k = key().texture[unit];
    if (!k.samples())
        return;
    const u32 texels = key().is_scaled(unit) ? n : 1;
    const TextureBinding& binding = scene.state.texture[unit];
    Picture& picture = pictures[unit];
    for (u32 level = 0; level < binding.levels; ++level)
    {
        picture.begins.push_back(picture.face_texels);
        picture.face_texels +=
            (u32{binding.width} >> level) * (u32{binding.height} >> level) * texels * texels;
    }
    picture.texels.resize(std::size_t{picture.face_texels} * (k.is_cube() ? 6 : 1) + 1);
    for (u32& texel : picture.texels)
        texel = random.next();
}

// Coordinates inside the picture, far away, on corners of texels, texel for pixel.
void Case::add_triangles(Random& random)
{
    for (u32 i = 0; i < kTriangles; ++i)
    {
        const u32 kind = random.below(4);
        const bool flat = random.chance(1, 2);
        const auto coordinate = [&](f32 at)
        {
            switch (kind)
            {
            case 0:
                return at;
            case 1:
                return static_cast<f32>(random.between(-40, 40)) / 8.0f;
            case 2:
                return std::ldexp(random.real(-1.0f, 1.0f), random.between(-4, 12));
            default:
                return random.real(-2.0f, 3.0f);
            }
        };
        for (u32 corner = 0; corner < 3; ++corner)
        {
            constexpr f32 kCorners[3][2] = {{-0.5f, -0.25f}, {2.0f, 0.0f}, {0.0f, 2.0f}};
            const f32 x = kCorners[corner][0] + (kind == 0 ? 0.0f : random.real(0.0f, 0.5f));
            const f32 y = kCorners[corner][1] + (kind == 0 ? 0.0f : random.real(0.0f, 0.5f));
            SceneVertex v;
            v.position = scene.at(x * kSide, y * kSide, -0.5f, flat ? 1.0f : random.real(0.25f, 4.0f));
            v.texcoord01 = {coordinate(x), coordinate(y), coordinate(y), coordinate(x)};
            v.texcoord2 = {coordinate(-x), coordinate(2 * y), 0, 0};
            v.view[3] = random.chance(1, 4) ? 1.0f : random.real(-1.0f, 1.0f);
            scene.add(v);
        }
    }
}

// The records of a draw's triangles.
struct Triangles
{
    Triangles(Case& c, const RecordLayout& layout)
    {
        GuestArena arena(0x1000);
        Reports reports;
        VertexStage stage(c.n);
        stage.run(c.scene.draw(), arena.memory(), reports);
        count = stage.triangle_count();
        records.resize(std::size_t{count} * layout.words);
        positions.resize(std::size_t{count} * 6);
        stage.emit(layout, records.data(), positions.data());
    }
    u32 count = 0;
    std::vector<u32> records;
    std::vector<s32> positions;
};

// Pixels of N x that a triangle covers have the same colour over any background.
struct Drawn
{
    std::vector<u32> color; // rows of p.y
    std::vector<bool> covered;
};

void bind_pictures(const Case& c, soft::PixelPlan& plan)
{
    for (u32 unit = 0; unit < 3; ++unit)
    {
        soft::TexturePlan& texture = plan.texture[unit];
        if (!texture.enabled)
            continue;
        texture.scaled = c.scene.state.fragment.is_scaled(unit);
        const TextureBinding& binding = c.scene.state.texture[unit];
        const u32 texels = texture.scaled ? c.n : 1;
        texture.width = static_cast<s32>(binding.width * texels);
        texture.height = static_cast<s32>(binding.height * texels);
        texture.width_log2 = static_cast<u32>(std::bit_width(u32{binding.width})) - 1;
        const Picture& picture = c.pictures[unit];
        texture.texels = picture.texels.data();
        for (u32 face = 0; c.scene.state.fragment.texture[unit].is_cube() && face < 6; ++face)
            texture.face_texels[face] = picture.texels.data() + std::size_t{face} * picture.face_texels;
        for (u32 level = 0; level < binding.levels; ++level)
            texture.level_texels[level] = static_cast<s32>(picture.begins[level]);
    }
}

Drawn draw_in_software(Case& c, const RecordLayout& layout, const Triangles& triangles, u32 triangle)
{
    const u32 side = kSide * c.n;
    soft::PixelPlan plan;
    REQUIRE(soft::make_pixel_plan(c.scene.draw(), layout, c.n, plan));
    bind_pictures(c, plan);
    std::array<std::vector<u8>, 2> bytes;
    for (u32 background = 0; background < 2; ++background)
    {
        bytes[background].assign(std::size_t{side} * side * 4, background != 0 ? 0xFF : 0);
        plan.color = bytes[background].data();
        const soft::TriangleList list{triangles.records.data(), triangles.positions.data(), layout.words};
        soft::choose_raster(SoftwareKernel::Best)(plan, list, &triangle, 1, 0, static_cast<s32>(side));
    }
    Drawn drawn;
    for (u32 y = 0; y < side; ++y)
        for (u32 x = 0; x < side; ++x)
        {
            const u64 at = tiled_offset(x, y, side, 4);
            drawn.color.push_back(unpack_pixel(ColorFormat::RGBA8, bytes[0].data() + at));
            drawn.covered.push_back(std::memcmp(bytes[0].data() + at, bytes[1].data() + at, 4) == 0);
        }
    return drawn;
}

// Replaces every occurrence.
void replace(std::string& in, const std::string& what, const std::string& by)
{
    for (std::size_t at = in.find(what); at != in.npos; at = in.find(what, at + by.size()))
        in.replace(at, what.size(), by);
}

// Where the texels of a unit's level begin, the level's width, the texels of a face. The last row: pixels of a row of the
// target, and of all of it.
using Rows = std::array<std::array<s32, 4>, 3 * 8 + 1>;

constexpr std::string_view kInputs = R"(
layout(std430, set = 0, binding = 1) readonly buffer Records { ivec4 record_texels[]; };
layout(std430, set = 0, binding = 2) readonly buffer Texels { ivec4 rows[25]; uint texels[]; };
int triangle;
struct ArrayImage { int unit; };
uvec4 fetch_texel(int unit, ivec3 at, int level)
{
    ivec4 row = rows[unit * 8 + level];
    return uvec4(texels[row.x + at.z * row.z + at.y * row.y + at.x], 0u, 0u, 0u);
}
uvec4 fetch_texel(int image, ivec2 at, int level) { return fetch_texel(image, ivec3(at, 0), level); }
uvec4 fetch_texel(ArrayImage image, ivec3 at, int level) { return fetch_texel(image.unit, at, level); }
)";

// An invocation for each pixel of each triangle.
constexpr std::string_view kMain = R"(
layout(std430, set = 0, binding = 3) writeonly buffer Colors { uint colors[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint pixel = i % uint(rows[24].y);
    triangle = int(i / uint(rows[24].y));
    frag_coord = vec4(vec2(float(pixel % uint(rows[24].x)), float(pixel / uint(rows[24].x))) + 0.5, 0.0, 1.0);
    shade();
    colors[i] = color_output.r | color_output.g << 8 | color_output.b << 16 | color_output.a << 24;
}
)";

// The fragment shader as a compute shader.
std::string as_compute(std::string text)
{
    text.erase(text.find("// "), text.find('\n', text.find("// ")) - text.find("// ")); // the key
    replace(text, "#version 450\n", "#version 450\nlayout(local_size_x = 64) in;\nvec4 frag_coord;\n");
    replace(text, "layout(set = 0, binding = 1) uniform isamplerBuffer record_texels;\n",
            std::string(kInputs));
    replace(text, "layout(location = 0) flat in int triangle;\n", "");
    replace(text, "texelFetch(record_texels, record + ", "record_texels[record + ");
    for (u32 quad = 0; quad < 32; ++quad)
        replace(text, "record_texels[record + " + std::to_string(quad) + ")",
                "record_texels[record + " + std::to_string(quad) + "]");
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const std::string n = std::to_string(unit);
        const std::string place = "layout(set = 1, binding = " + n + ") uniform ";
        replace(text, place + "usampler2D texture_image" + n + ";",
                "const int texture_image" + n + " = " + n + ";");
        replace(text, place + "usampler2DArray texture_image" + n + ";",
                "const ArrayImage texture_image" + n + " = ArrayImage(" + n + ");");
    }
    replace(text, "usampler2DArray", "ArrayImage");
    replace(text, "usampler2D", "int");
    replace(text, "texelFetch(", "fetch_texel(");
    replace(text, "gl_FragCoord", "frag_coord");
    replace(text, "layout(location = 0) out uvec4 color_output;", "uvec4 color_output;");
    replace(text, "void main()", "void shade()");
    return text + std::string(kMain);
}

// The rows, then the texels of all units.
std::vector<u32> texel_words(const Case& c)
{
    Rows rows{};
    std::vector<u32> words(sizeof rows / 4);
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const Picture& picture = c.pictures[unit];
        const s32 begin = static_cast<s32>(words.size() - sizeof rows / 4);
        const s32 width =
            c.scene.state.texture[unit].width * (c.scene.state.fragment.is_scaled(unit) ? c.n : 1);
        for (u32 level = 0; level < picture.begins.size(); ++level)
            rows[unit * 8 + level] = {begin + static_cast<s32>(picture.begins[level]), width >> level,
                                      static_cast<s32>(picture.face_texels), 0};
        words.insert(words.end(), picture.texels.begin(), picture.texels.end());
    }
    const s32 side = static_cast<s32>(kSide * c.n);
    rows[24] = {side, side * side, 0, 0};
    std::memcpy(words.data(), &rows, sizeof rows);
    return words;
}

// Runs shaders. Their pipelines are kept: those of the ubershader take drivers long.
class SamplingDevice
{
public:
    explicit SamplingDevice(ComputeRunner& runner) : runner_(runner) {}

    Target target() const
    {
        Target target = runner_.target();
        target.record_path = RecordPath::TexelBuffer;
        return target;
    }
    // Colours of all pixels of all triangles.
    std::vector<u32> draw(Case& c, const std::string& text, const FragmentBlock& block,
                          const Triangles& triangles)
    {
        const u32 pixels = kSide * kSide * c.n * c.n * triangles.count;
        const std::vector<u32> words = texel_words(c);
        const renderer::Buffer constants = runner_.buffer_of(std::span<const FragmentBlock>(&block, 1));
        const renderer::Buffer records = runner_.buffer_of(std::span<const u32>(triangles.records));
        const renderer::Buffer images = runner_.buffer_of(std::span<const u32>(words));
        const renderer::Buffer colors = runner_.buffer(std::size_t{pixels} * 4);
        const std::initializer_list<ComputeBinding> bindings = {
            {0, &constants, true}, {1, &records}, {2, &images}, {3, &colors}};
        const std::string compute = as_compute(text);
        auto found = pipelines_.find(compute);
        if (found == pipelines_.end())
            found =
                pipelines_.emplace(compute, runner_.pipeline(compile_compute(compute, target()), bindings))
                    .first;
        runner_.dispatch(found->second, bindings, pixels / 64);
        runner_.submit();
        const std::span<u32> view = ComputeRunner::view<u32>(colors);
        return {view.begin(), view.begin() + pixels};
    }

private:
    ComputeRunner& runner_;
    std::map<std::string, u32> pipelines_;
};

struct Counts
{
    u64 pixels = 0;
    u64 wrong = 0;
};

void check_form(SamplingDevice& device, Case& c, bool ubershader, Counts& counts)
{
    const FragmentKey& key = c.scene.state.fragment;
    const RecordLayout own = record_layout(key, c.scene.state.geometry, c.n);
    const UbershaderKey form = ubershader_key(key);
    const RecordLayout layout = ubershader ? ubershader_layout(form, own.wide) : own;
    const Target target = device.target();
    const std::string text =
        ubershader ? generate_ubershader(form, own.wide, target) : generate_fragment(key, own, target);
    const Draw& draw = c.scene.draw();
    FragmentBlock block;
    pack_fragment_block(draw.constants, draw.texture, c.n, key.scaled_units, block);
    if (ubershader)
        pack_ubershader_state(key, block);
    const Triangles drawn(c, own);
    const Triangles records(c, layout);
    REQUIRE(drawn.count != 0);
    const std::vector<u32> colors = device.draw(c, text, block, records);
    const u32 pixels = kSide * kSide * c.n * c.n;
    for (u32 triangle = 0; triangle < drawn.count; ++triangle)
    {
        const Drawn software = draw_in_software(c, own, drawn, triangle);
        for (u32 i = 0; i < pixels; ++i)
            if (software.covered[i])
            {
                ++counts.pixels;
                counts.wrong += software.color[i] != colors[std::size_t{triangle} * pixels + i];
            }
    }
}

} // namespace

TEST_CASE("scaled sampling: units that sample N x texels give the bits of the software core")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    SamplingDevice device(*runner);
    u64 pixels = 0;
    const auto test = [&](u32, Random& random)
    {
        Case c(random);
        CAPTURE(c.n);
        CAPTURE(c.key().text());
        for (const bool ubershader : {false, true})
        {
            CAPTURE(ubershader);
            Counts counts;
            check_form(device, c, ubershader, counts);
            CHECK(counts.wrong == 0);
            pixels += counts.pixels;
        }
    };
    for_each_seed(60, test);
    CHECK(pixels != 0);
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}
