// SPDX-License-Identifier: MIT
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_lighting.h"
#include "tests/reference/reference_proctex.h"
#include "tests/reference/reference_rules.h"
#include "tests/reference/reference_texture.h"

#include "pica/base/numeric.h"
#include "pica/state/proctex.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace tests
{

using namespace pica;

namespace
{

u32 logic_op(LogicOp op, u32 s, u32 d)
{
    const u32 results[16] = {0,        s & d, s & ~d,   s,     ~0u,      ~s,     d,      ~d,
                             ~(s & d), s | d, ~(s | d), s ^ d, ~(s ^ d), ~s & d, s | ~d, ~s | d};
    return results[static_cast<u32>(op) & 15];
}

// --- One triangle

struct Point
{
    s64 x, y;
};

s64 area(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Right-side edges and the upper horizontal edge are not part of the triangle (y up).
bool excludes(Point from, Point to)
{
    const bool vertical = is_exchanged(Exchange::FillRight) ? to.y < from.y : to.y > from.y;
    const bool horizontal = is_exchanged(Exchange::FillUpper) ? to.x > from.x : to.x < from.x;
    return vertical || (to.y == from.y && horizontal);
}

// The 8-bit code of a colour.
u32 color_code(f32 a)
{
    if (is_exchanged(Exchange::ColorTruncated))
        return static_cast<u32>(a * 255.0f);
    if (is_exchanged(Exchange::ColorTimes256))
        return static_cast<u32>(std::min(a * 256.0f, 255.0f));
    return static_cast<u32>(num::color_code(a));
}

// The code of a depth from 0 to 1.
u32 depth_code(f32 d, f32 most)
{
    const bool is_short = most == 65535.0f;
    if (is_short && is_exchanged(Exchange::Depth16Upper))
        return static_cast<u32>(num::depth_code(d, 16777215.0f)) >> 8;
    if (is_exchanged(is_short ? Exchange::Depth16TimesPower : Exchange::DepthTimesPower))
        return static_cast<u32>(std::min(d * (most + 1.0f), most));
    if (is_exchanged(is_short ? Exchange::Depth16Nearest : Exchange::DepthNearest))
        return static_cast<u32>(std::floor(static_cast<double>(d) * most + 0.5));
    return static_cast<u32>(num::depth_code(d, most));
}

// The channel at this bit, rounded to the nearest of `bits` bits, in front of 8 bits' lower ones.
u32 nearest_code(u32 color, u32 shift, u32 bits)
{
    const u32 most = (1u << bits) - 1;
    return ((color >> shift & 255) * most + 127) / 255 << (8 - bits) << shift;
}

f32 weight(f32 b, f32 r)
{
    if (is_exchanged(Exchange::WeightsKept))
        return b * r;
    const f32 l = num::weight(b, r);
    return is_exchanged(Exchange::InterpolationShort) ? std::floor(l * 65536.0f) / 65536.0f : l;
}

// a2 + d0 * l0 + d1 * l1, where d are the differences to a2.
f32 interpolated(f32 a2, f32 d0, f32 d1, f32 l0, f32 l1)
{
    if (is_exchanged(Exchange::InterpolationSum))
        return ((a2 + d0) * l0 + (a2 + d1) * l1) + a2 * (1.0f - l0 - l1);
    return num::interpolate(a2, d0, d1, l0, l1);
}

// 32x32 blocks whose tiles stand in rows.
u64 block32_in_rows(u32 x, u32 y, u32 width)
{
    const u64 block = u64{y / 32} * (width / 32) + x / 32;
    const u64 tile = y % 32 / 8 * 4 + x % 32 / 8;
    return block * 1024 + tile * 64 + tiled_index(x % 8, y % 8, 8);
}

class Painter
{
public:
    Painter(const Draw& draw, const RecordLayout& layout, GuestMemory& memory, const RegisterFile* registers)
        : draw_(draw), layout_(layout), registers_(registers)
    {
        for (u32 unit = 0; unit < 3; ++unit)
        {
            const TextureUnitKey& key = draw.fragment.texture[unit];
            if (!key.enabled() || key.null_address)
                continue;
            textures_[unit] = ReferenceTexture(draw, unit, memory);
        }
        proctex_.fragment.proctex = draw.fragment.proctex;
        proctex_.constants.proctex = draw.constants.proctex;
        if (registers)
        {
            Findings findings;
            const bool enabled = draw.fragment.proctex.enabled != 0;
            decode_proctex(*registers, {enabled, enabled}, proctex_, findings);
            exchange_noise(*registers, proctex_.constants.proctex);
        }
        const RenderTarget& target = draw.target;
        color_ = memory.span(target.color_address, target.color_bytes());
        if (target.has_depth)
            depth_ = memory.span(target.depth_address, target.depth_bytes());
    }

    void triangle(const u32* record, const s32* position)
    {
        const Point p[3] = {
            {position[0], position[1]}, {position[2], position[3]}, {position[4], position[5]}};
        const s64 total = area(p[0], p[1], p[2]);
        int shift = 0;
        while ((total >> shift) >= 1 << 24)
            ++shift;
        // Pixels that no edge leaves out are in the rectangle around the points.
        const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
        const auto [low, high] = std::minmax({p[0].y, p[1].y, p[2].y});
        const auto first = [](s64 at) { return static_cast<s32>(std::max<s64>(at >> 4, 0)); };
        const auto last = [](s64 at, u32 size)
        { return static_cast<s32>(std::min<s64>((at >> 4) + 1, size)); };
        for (s32 y = first(low); y < last(high, draw_.target.height); ++y)
        {
            for (s32 x = first(left); x < last(right, draw_.target.width); ++x)
            {
                const Point c = {16 * x + 8, 16 * y + 8};
                const s64 e[3] = {area(p[1], p[2], c), area(p[2], p[0], c), area(p[0], p[1], c)};
                const bool covered = e[0] - excludes(p[1], p[2]) >= 0 && e[1] - excludes(p[2], p[0]) >= 0 &&
                                     e[2] - excludes(p[0], p[1]) >= 0;
                if (covered && in_scissor(x, y))
                    pixel(record, p, x, y, e, total, shift);
            }
        }
    }

private:
    bool in_scissor(s32 x, s32 y) const
    {
        const PixelRect& r = draw_.scissor;
        if (x < r.x1 || x >= r.x2 || y < r.y1 || y >= r.y2)
            return false;
        const FragmentConstants& k = draw_.constants;
        return !draw_.fragment.scissor_exclude || x < k.scissor_x1 || x > k.scissor_x2 || y < k.scissor_y1 ||
               y > k.scissor_y2;
    }

    static f32 value(const u32* record, u32 word) { return num::as_real(record[word]); }

    // A coordinate pair in the record's planes at three pixels of the quad of pixel (x, y). Are some of them
    // beyond the horizon?
    // w_word: that of texcoord0.w, 0 where the record has none.
    static bool quad_coordinates(u32 word, u32 w_word, const u32* record, const Point* p, s32 x, s32 y,
                                 int shift, ReferenceTexture::Coordinates* at)
    {
        const bool per_pixel = is_exchanged(Exchange::LevelPerPixel);
        const s64 x0 = per_pixel ? x : x / 2 * 2;
        const s64 y0 = per_pixel ? y : y / 2 * 2;
        const Point points[3] = {{x0, y0}, {x0 + 1, y0}, {x0, y0 + 1}};
        bool beyond = false;
        for (u32 k = 0; k < 3; ++k)
        {
            const Point c = {16 * points[k].x + 8, 16 * points[k].y + 8};
            const s64 e[3] = {area(p[1], p[2], c), area(p[2], p[0], c), area(p[0], p[1], c)};
            f32 b[3];
            for (u32 i = 0; i < 3; ++i)
                b[i] = static_cast<f32>(std::clamp<s64>(e[i] >> shift, -16777215, 16777215)) *
                       value(record, kRecordInverseW + i);
            const f32 sum = (b[0] + b[1]) + b[2];
            beyond = beyond || sum <= std::max({b[0], b[1], b[2]}) / 1048576.0f;
            const f32 r = num::rcp(sum);
            const f32 l0 = num::weight(b[0], r);
            const f32 l1 = num::weight(b[1], r);
            const auto scalar = [&](u32 first)
            {
                return num::interpolate(value(record, first), value(record, first + 1),
                                        value(record, first + 2), l0, l1);
            };
            at[k] = {scalar(word), scalar(word + 3), w_word ? scalar(w_word) : 0.0f};
        }
        return beyond;
    }

    // Is a[0]*b[0] + a[1]*b[1] + a[2]*b[2] below 0? a: of 31 bits and the sign; b: of 60 bits. The sum may need more than
    // 64 bits, so it is made of whole 2^32 and the rest.
    static bool is_sum_negative(const std::array<s64, 3>& a, const std::array<s64, 3>& b)
    {
        s64 whole = 0;
        s64 rest = 0;
        for (u32 i = 0; i < 3; ++i)
        {
            const s64 low = a[i] * (b[i] & 0xFFFFFFFF);
            whole += a[i] * (b[i] >> 32) + (low >> 32);
            rest += low & 0xFFFFFFFF;
        }
        return whole + (rest >> 32) < 0;
    }

    // Row "Ties": the side of a near tie on which a2 + (d0*e0 + d1*e1) / total is, exactly, in 2^-28 of the largest
    // value.
    static f32 settled(f32 u, const u32* triple, const s64* e, s64 total)
    {
        const f32 a[3] = {value(triple, 0), value(triple, 1), value(triple, 2)};
        const f32 most = std::max({std::fabs(a[0]), std::fabs(a[1]), std::fabs(a[2])});
        const int exponent = most < 2.0f ? 0 : std::ilogb(most);
        const double spacing = std::ldexp(1.0, std::max(exponent, 4) - 15);
        const double tie = std::floor(u / spacing + 0.5) * spacing;
        if (std::fabs(u - tie) >= std::ldexp(1.0, exponent - 18))
            return u;
        const auto units = [&](double v)
        { return static_cast<s64>(std::floor(std::ldexp(v, 28 - exponent))); };
        if (is_sum_negative({units(a[0]) - units(tie), units(a[1]), units(a[2])}, {total, e[0], e[1]}))
        {
            const f32 near = static_cast<f32>(std::fabs(tie) + spacing) * 0x1p-22f;
            return std::min(u, static_cast<f32>(tie) - near);
        }
        return std::max(u, static_cast<f32>(tie));
    }

    void pixel(const u32* record, const Point* p, s32 x, s32 y, const s64* e, s64 total, int shift)
    {
        f32 f[3];
        f32 b[3];
        for (u32 i = 0; i < 3; ++i)
        {
            const s64 bias = is_exchanged(Exchange::WeightBiased) && excludes(p[(i + 1) % 3], p[(i + 2) % 3]);
            f[i] = static_cast<f32>((e[i] - bias) >> shift);
            b[i] = f[i] * value(record, kRecordInverseW + i);
        }
        const f32 r = num::rcp((b[0] + b[1]) + b[2]);
        const f32 l0 = weight(b[0], r);
        const f32 l1 = weight(b[1], r);
        const auto scalar = [&](u32 word, f32 w0, f32 w1) {
            return interpolated(value(record, word), value(record, word + 1), value(record, word + 2), w0,
                                w1);
        };
        const bool flat = record[kRecordInverseW] == record[kRecordInverseW + 1] &&
                          record[kRecordInverseW] == record[kRecordInverseW + 2];
        const auto texcoord = [&](u32 word)
        {
            const f32 u = scalar(word, l0, l1);
            return flat && !is_exchanged(Exchange::TiesPlain) ? settled(u, record + word, e, total) : u;
        };

        CombinerInputs inputs;
        if (layout_.color)
        {
            u32 c[4];
            for (u32 i = 0; i < 4; ++i)
                c[i] = color_code(scalar(layout_.color + 3 * i, l0, l1));
            inputs.primary = make_rgba(c[0], c[1], c[2], c[3]);
            if (is_exchanged(Exchange::ClockBlack) && ((*registers_)[0x06F] & 2) == 0)
                inputs.primary = 0;
        }
        for (u32 unit = 0; unit < 3; ++unit)
        {
            const TextureUnitKey& key = draw_.fragment.texture[unit];
            if (!key.enabled())
                continue;
            const u32 word = layout_.texcoord[key.texcoord];
            if (key.null_address)
            {
                inputs.texture[unit] = 0xFF000000u;
                continue;
            }
            const ReferenceTexture& texture = textures_[unit];
            s32 lod = 0;
            if (key.lod)
            {
                ReferenceTexture::Coordinates at[3];
                const bool beyond = quad_coordinates(word, layout_.texcoord0_w, record, p, x, y, shift, at);
                lod = texture.level_of_detail(at, beyond);
            }
            const f32 q = layout_.texcoord0_w ? scalar(layout_.texcoord0_w, l0, l1) : 0.0f;
            inputs.texture[unit] = texture.sample({texcoord(word), texcoord(word + 3), q}, lod);
        }
        if (const ProcTexKey& key = proctex_.fragment.proctex; key.enabled)
        {
            const u32 word = layout_.texcoord[key.texcoord];
            const ProcTexConstants& constants = proctex_.constants.proctex;
            ReferenceTexture::Coordinates at[3];
            const bool beyond = quad_coordinates(word, 0, record, p, x, y, shift, at);
            const f32 u[3] = {at[0].u, at[1].u, at[2].u};
            const f32 v[3] = {at[0].v, at[1].v, at[2].v};
            inputs.texture[3] =
                reference_proctex(key, constants, *draw_.luts, texcoord(word), texcoord(word + 3),
                                  reference_proctex_lod(constants, u, v, beyond));
        }
        if (draw_.fragment.lighting.lights != 0 && registers_)
        {
            LitFragment lit;
            for (u32 i = 0; i < 4; ++i)
                lit.quaternion[i] = scalar(layout_.quaternion + 3 * i, l0, l1);
            for (u32 i = 0; i < 3; ++i)
                lit.view[i] = scalar(layout_.view + 3 * i, l0, l1);
            std::copy(std::begin(inputs.texture), std::end(inputs.texture), lit.texture.begin());
            const LitColors colors = reference_lighting(*registers_, *draw_.luts, lit);
            inputs.light[0] = colors.primary;
            inputs.light[1] = colors.secondary;
        }
        u32 source = reference_texenv(draw_.fragment, draw_.constants, inputs);
        const RenderTarget& target = draw_.target;
        const u32 row = static_cast<u32>(target.flip ? target.height - 1 - y : y);
        const u64 index = pixel_index(static_cast<u32>(x), row);
        if (!reference_compare(draw_.fragment.alpha_func, source >> 24, draw_.constants.alpha_reference))
        {
            if (is_exchanged(Exchange::StencilFirst) && target.has_depth)
                depth_stencil(index, 0);
            return;
        }

        u32 code = 0;
        const FogKey& fog = draw_.fragment.fog;
        const DepthMode shadow_map = draw_.fragment.shadow_map;
        if (draw_.fragment.depth != DepthMode::None || fog.depth != DepthMode::None ||
            shadow_map != DepthMode::None)
        {
            const f32 ia = num::rcp(static_cast<f32>(total >> shift));
            const f32 zow = scalar(layout_.depth, f[0] * ia, f[1] * ia);
            f32 d = num::window_depth_z(zow, draw_.constants.depth_scale, draw_.constants.depth_offset);
            if (draw_.fragment.depth == DepthMode::W || fog.depth == DepthMode::W ||
                shadow_map == DepthMode::W)
                d = num::fm(d, static_cast<f32>(total >> shift) * r);
            code = depth_code(num::clamp_depth(d), draw_.fragment.depth16 ? 65535.0f : 16777215.0f);
            if (fog.mode == FogMode::Fog)
                source = reference_fog(*draw_.luts, fog.flip != 0, draw_.constants.fog_color, d, source);
        }
        if (is_exchanged(Exchange::EarlyDepthTests) && ((*registers_)[0x062] & 1) != 0 &&
            code < (*registers_)[0x06A])
            return;
        if (is_exchanged(Exchange::LinesSkipped) && ((*registers_)[0x100] >> 24 & 3) == 1 && y % 2 != 0)
            return;
        if (shadow_map != DepthMode::None)
            return shadow_texel(color_.data() + index * 4, code, source >> 8 & 255);
        if (target.has_depth && !depth_stencil(index, code))
            return;
        if (draw_.fragment.output != OutputClass::None)
            color(index, source);
    }

    u64 pixel_index(u32 x, u32 row) const
    {
        const u32 width = draw_.target.width;
        if (draw_.target.block32 == 0 || is_exchanged(Exchange::BlockIgnored))
            return tiled_index(x, row, width);
        return is_exchanged(Exchange::BlockRows) ? block32_in_rows(x, row, width)
                                                 : block32_index(x, row, width);
    }

    // Four bytes: depth from the most significant byte on, intensity.
    void shadow_texel(u8* p, u32 code, u32 green) const
    {
        const u32 stored = u32{p[0]} << 16 | u32{p[1]} << 8 | p[2];
        if (code >= stored)
            return;
        if (green == 0)
        {
            for (u32 i = 0; i < 3; ++i)
                p[i] = static_cast<u8>(code >> (16 - 8 * i));
            return;
        }
        const f32 x = num::fm(static_cast<f32>(code), 1.0f / static_cast<f32>(stored));
        const f32 n = draw_.constants.shadow_constant + num::fm(draw_.constants.shadow_linear, x);
        u32 intensity = n < 0 ? 0 : 255;
        if (n > std::ldexp(1.0f, -40))
            intensity =
                static_cast<u32>(std::min(num::fm(static_cast<f32>(green), 1.0f / n) +
                                              (is_exchanged(Exchange::ShadowWriteNearest) ? 0.5f : 0.0f),
                                          255.0f));
        p[3] = static_cast<u8>(std::min<u32>(p[3], intensity));
    }

    // Does the pixel survive?
    bool depth_stencil(u64 index, u32 code)
    {
        const DepthFormat format = draw_.target.depth_format;
        const OutputState& out = draw_.output;
        const FragmentConstants& k = draw_.constants;
        u8* p = depth_.data() + index * bytes_per_pixel(format);
        const u32 word = unpack_depth(format, p);
        u32 z = word & 0xFFFFFF;
        u32 s = word >> 24;
        const bool stencil = out.stencil_test && format == DepthFormat::D24S8;
        const auto update = [&](StencilOp op)
        {
            const bool from_zero = is_exchanged(Exchange::StencilFromZero) && ((*registers_)[0x114] & 3) == 0;
            const u32 result = reference_stencil(op, from_zero ? 0 : s, k.stencil_reference);
            s = (result & k.stencil_write_mask) | (s & ~static_cast<u32>(k.stencil_write_mask));
        };
        bool pass = true;
        if (stencil && !reference_compare(out.stencil_func, k.stencil_reference & k.stencil_compare_mask,
                                          s & k.stencil_compare_mask))
        {
            update(out.stencil_fail);
            pass = false;
        }
        else if (out.depth_test && !reference_compare(out.depth_func, code,
                                                      draw_.fragment.depth_zero != DepthZero::None ? 0 : z))
        {
            if (stencil)
                update(out.stencil_depth_fail);
            pass = false;
        }
        else
        {
            if (out.depth_write)
                z = code;
            if (stencil)
                update(out.stencil_pass);
        }
        pack_depth(format, p, z | s << 24);
        return pass;
    }

    void color(u64 index, u32 source)
    {
        const ColorFormat format = draw_.target.color_format;
        BlendState blend = draw_.output.blend;
        // The decoder has made other codes of code 15.
        const bool raw = is_exchanged(Exchange::Factor15Source);
        if (raw)
            blend.source_color = static_cast<BlendFactor>((*registers_)[0x101] >> 16 & 15);
        u8* p = color_.data() + index * bytes_per_pixel(format);
        const u32 stored = blend.read_destination ? unpack_pixel(format, p) : 0;
        u32 result = source;
        if (draw_.fragment.output != OutputClass::Opaque || raw)
            result = blend.logic ? logic_op(blend.logic_op, quantize(format, source), stored)
                                 : reference_blend(blend, source, stored, draw_.constants.blend_color);
        u32 mask = 0;
        for (u32 c = 0; c < 4; ++c)
            mask |= (blend.color_mask >> c & 1u) * (255u << (8 * c));
        if (is_exchanged(Exchange::GatePerChannel))
            for (u32 c = 0; c < 4; ++c)
                mask &= ~(((*registers_)[0x113] >> c & 1u) != 0 ? 0 : 255u << (8 * c));
        u32 code = (result & mask) | (stored & ~mask);
        if (is_exchanged(Exchange::TargetNearest) && format == ColorFormat::RGB565)
            code = nearest_code(code, 0, 5) | nearest_code(code, 8, 6) | nearest_code(code, 16, 5);
        pack_pixel(format, p, code);
    }

    const Draw& draw_;
    const RecordLayout& layout_;
    const RegisterFile* registers_;
    ReferenceTexture textures_[3];
    Draw proctex_; // only the procedural texture: of the registers with all channels, or else of the draw
    std::span<u8> color_;
    std::span<u8> depth_;
};

} // namespace

void reference_draw(const Draw& draw, const RecordLayout& layout, std::span<const u32> records,
                    std::span<const s32> positions, GuestMemory& memory, const RegisterFile* registers)
{
    const RenderTarget& target = draw.target;
    if (target.width % target.unit() != 0 && !is_exchanged(Exchange::WidthAsPitch))
        return;
    if (draw.fragment.output != OutputClass::None && target.has_depth &&
        target.color_address < target.depth_address + target.depth_bytes() &&
        target.depth_address < target.color_address + target.color_bytes())
        return;
    Painter painter(draw, layout, memory, registers);
    for (std::size_t i = 0; i * 6 < positions.size(); ++i)
        painter.triangle(records.data() + i * layout.words, positions.data() + i * 6);
    memory.did_write(draw.target.color_address, draw.target.color_bytes());
    if (draw.target.has_depth)
        memory.did_write(draw.target.depth_address, draw.target.depth_bytes());
}

} // namespace tests
