// SPDX-License-Identifier: MIT
// State keys: the part of a draw that selects code. Plain bytes in canonical form: everything that cannot
// change the result is zero or one fixed value. Only pica/state makes keys. Constants never enter a key.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/state/lighting.h"
#include "pica/state/luts.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace pica
{

// Channels of a colour.
struct ColorChannels
{
    bool color = false; // R, G or B
    bool alpha = false;

    bool operator==(const ColorChannels&) const = default;
    void add(ColorChannels other)
    {
        color |= other.color;
        alpha |= other.alpha;
    }
};

// Texture unit 0..2. Only unit 0 has types other than Texture2D. A unit that is off, missing or never read by
// a combiner is all zero, except for type = Disabled.
struct TextureUnitKey
{
    TextureType type = TextureType::Disabled;
    TextureWrap wrap_s{};
    TextureWrap wrap_t{};
    u8 linear = 0;   // filter: 0 nearest, 1 linear; with lod, the filter of magnification
    u8 texcoord = 0; // coordinate set 0..2
    // 1: the address register is 0; the unit gives (0, 0, 0, 255) [EMU: textures.md, "Registers"]
    u8 null_address = 0;
    u8 lod = 0;          // 0: only level 0 of the binding; else bits, kLodUsed among them
    u8 orthographic = 0; // Shadow2D: 1 = coordinates are not divided by texcoord0.w

    // Bits of lod.
    static constexpr u8 kLodUsed = 1;      // the level of detail decides filter and level
    static constexpr u8 kLodMinLinear = 2; // minification filters linearly
    static constexpr u8 kLodMipLinear = 4; // filters linearly between two levels

    bool enabled() const { return type != TextureType::Disabled; }
    bool samples() const { return enabled() && null_address == 0; }
    bool is_cube() const { return type == TextureType::Cube || type == TextureType::ShadowCube; }
    bool is_shadow() const { return type == TextureType::Shadow2D || type == TextureType::ShadowCube; }
    bool uses_texcoord_w() const { return samples() && type != TextureType::Texture2D; }
    bool operator==(const TextureUnitKey&) const = default;
};

// One combiner stage. In stage 0, "previous" is already replaced by the source of slot 3
// (pica/hardware/combiners.md). Sources that read as zero are CombinerSource::Zero. Unused slots are zero.
struct TexEnvStageKey
{
    CombinerSource color_source[3]{};
    CombinerSource alpha_source[3]{};
    ColorOperand color_operand[3]{};
    AlphaOperand alpha_operand[3]{};
    CombinerOp color_op{};
    CombinerOp alpha_op{}; // Replace if color_op is Dot3Rgba; never Dot3Rgb or Dot3Rgba
    u8 color_shift = 0;    // result is multiplied by 1 << shift, 0..2
    u8 alpha_shift = 0;

    bool operator==(const TexEnvStageKey&) const = default;
    // Bits of the slots that a half reads, 0..3. The alpha half is not evaluated if color_op is Dot3Rgba.
    u32 color_slots() const;
    u32 alpha_slots() const;
    // Does the stage only pass on the previous stage's output, unscaled? Then it needs no code.
    bool is_pass_through() const;
};

// How many slots an operation reads, 1..3.
u32 combiner_slots(CombinerOp op);
// Does the operand read 255 - x? The odd codes do.
constexpr bool is_inverted(ColorOperand operand)
{
    return (static_cast<u32>(operand) & 1) != 0;
}
constexpr bool is_inverted(AlphaOperand operand)
{
    return (static_cast<u32>(operand) & 1) != 0;
}
constexpr bool reads_destination(BlendFactor factor)
{
    return factor == BlendFactor::DestColor || factor == BlendFactor::OneMinusDestColor ||
           factor == BlendFactor::DestAlpha || factor == BlendFactor::OneMinusDestAlpha ||
           factor == BlendFactor::SourceAlphaSaturate;
}
// The channels that an operand takes from its source.
ColorChannels read_by(ColorOperand operand);
ColorChannels read_by(AlphaOperand operand);

// How colour reaches the target (design D5).
enum class OutputClass : u8
{
    None,       // no channel written
    Opaque,     // plain write through the colour mask
    LogicOp,    // fixed-function logic operation
    FixedBlend, // fixed-function blending with factors ONE and ZERO, 8-bit targets
    Fetch,      // destination read in the shader
};

enum class DepthMode : u8
{
    None, // the depth is not used
    Z,
    W,
};

// A depth test for which the stored depth reads as 0 (gate 0x114). Its result depends on the fragment's own
// depth code alone, so the shader decides it. OutputState then has the comparison with 0: Equal or NotEqual.
enum class DepthZero : u8
{
    None,
    Zero,    // code 0 passes
    Nonzero, // all other codes pass
    // Forms of Nonzero that the renderer makes for draws that also write the code; each drops fragments of
    // one kind.
    KeepNonzero,
    KeepZero,
};

// The fog unit; all zero if it has no effect.
struct FogKey
{
    FogMode mode = FogMode::None;
    u8 flip = 0;       // 1: the table is read at 1 - depth
    DepthMode depth{}; // the depth that selects the entry; not None with fog, None with gas
    u8 gas = 0;        // gas shading: kGas bits

    static constexpr u8 kGasAttenuated = 1; // 1: shades the depth-attenuated density, 0: the plain density
    static constexpr u8 kGasByLight = 2;    // 1: the light selects the table entry, 0: the density

    bool operator==(const FogKey&) const = default;
};

// Blending or logic operation on 8-bit codes with the colour mask (pica/hardware/fragment-operations.md).
struct BlendState
{
    u8 logic = 0; // 1: logic_op, 0: blending
    LogicOp logic_op{};
    BlendEquation equation_color{};
    BlendEquation equation_alpha{};
    BlendFactor source_color{};
    BlendFactor destination_color{};
    BlendFactor source_alpha{};
    BlendFactor destination_alpha{};
    u8 color_mask = 0; // bit 0 R, 1 G, 2 B, 3 A; write gate 0x113 and missing alpha are already applied
    // 0: the destination reads as 0 (gate 0x112) [ASM]. In keys that are not of the fetch class: premultiplies().
    u8 read_destination = 1;

    bool operator==(const BlendState&) const = default;
};

// Gas accumulation (fragment operation 1); all zero in other modes.
struct GasKey
{
    u8 accumulate = 0;
    GasDepthFunc func{};        // own depth FUNC stored depth; never Never
    DepthMode depth{};          // how the own depth is computed
    DepthFormat depth_format{}; // of the stored depth
    u8 flip = 0;                // of the target: memory row = height-1-py, else py
    u8 block32 = 0;             // of the target: 1: 32x32 blocks, 0: 8x8 tiles

    bool operator==(const GasKey&) const = default;
};

enum class ProcTexMip : u8
{
    None, // level 0
    Nearest,
    Linear,
};

// Procedural texture (unit 3); all zero if no combiner that matters reads it. Clamp and shift of a coordinate
// are zero if no function that is used reads the coordinate.
struct ProcTexKey
{
    u8 enabled = 0;
    u8 texcoord = 0; // coordinate set 0..2
    ProcTexClamp clamp_u{};
    ProcTexClamp clamp_v{};
    ProcTexShift shift_u{};
    ProcTexShift shift_v{};
    u8 noise = 0;
    ProcTexFunction color_func{};
    u8 separate_alpha = 0;        // 1: alpha is read, and is that of the alpha map
    ProcTexFunction alpha_func{}; // 0 without separate alpha
    u8 linear = 0;                // filter inside a level
    ProcTexMip mip = ProcTexMip::None;
    // 1: separate alpha is all that is read, so the RGB map and the colour table are not used. Then the
    // function, filter and levels of the colour are zero.
    u8 alpha_only = 0;

    bool operator==(const ProcTexKey&) const = default;
};

struct FragmentKey
{
    TextureUnitKey texture[3];
    ProcTexKey proctex;
    TexEnvStageKey texenv[6];
    u8 buffer_color_update = 0; // bit i: stage i's colour goes to the combiner buffer, i < 4
    u8 buffer_alpha_update = 0;
    FogKey fog;
    GasKey gas;
    CompareFunc alpha_func = CompareFunc::Always; // Always when the test is off
    u8 scissor_exclude = 0;                       // 1: pixels inside the scissor rectangle are dropped
    DepthMode depth = DepthMode::None;            // how the depth code that is tested or written is computed
    u8 depth16 = 0;                               // 1: 16-bit depth codes
    DepthZero depth_zero = DepthZero::None;
    // Not None: shadow map rendering, with this depth. Then output is Fetch, fetch is BlendState{}, and there
    // are no other fragment operations.
    DepthMode shadow_map = DepthMode::None;
    OutputClass output = OutputClass::None;
    ColorFormat color_format{}; // the 8-bit result is truncated to this format and expanded again
    BlendState fetch{};         // BlendState{} unless output is Fetch or premultiplies() holds
    // Bit n: unit n samples a picture of N x texels (design.md, "N times the resolution"). Decoded draws have 0;
    // set_scaled_units sets it.
    u8 scaled_units = 0;
    LightingKey lighting;

    bool operator==(const FragmentKey& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
    bool reads(CombinerSource source) const; // does any combiner stage read it?
    // Channels of the procedural texture that combiner stages and lighting read.
    ColorChannels proctex_channels() const;
    // The shader multiplies the source by the factors that `fetch` has for it, and the fixed function does the rest. The
    // product is rounded up where the equation is ReverseSubtract, else down. Decoded keys never do this.
    bool premultiplies() const
    {
        return fetch.read_destination == 0 &&
               (output == OutputClass::Opaque || output == OutputClass::FixedBlend);
    }
    bool is_scaled(u32 unit) const { return (scaled_units >> unit & 1) != 0; }
    bool uses_primary_color() const { return reads(CombinerSource::PrimaryColor); }
    // How the window depth of a fragment is computed, whatever uses it: depth test and write, fog, shadow
    // maps.
    DepthMode depth_mode() const;
    // The tables that the draw reads.
    LutMask luts() const;
    // One line that names every field that is not at its default; parse with fragment_key_from_text.
    std::string text() const;
};
static_assert(std::has_unique_object_representations_v<FragmentKey>);

// Chooses the units whose textures have N x texels. Units that sample nothing have no effect.
void set_scaled_units(FragmentKey& key, const std::array<bool, 3>& units);

// Reads what FragmentKey::text() wrote. Returns false, and leaves key unchanged, if the text is not a key.
bool fragment_key_from_text(std::string_view text, FragmentKey& key);

// Fixed-function state of the target.
struct OutputState
{
    BlendState blend; // as programmed; for OutputClass::Fetch the shader does it
    u8 depth_test = 0;
    CompareFunc depth_func = CompareFunc::Always;
    u8 depth_write = 0;
    u8 stencil_test = 0;
    CompareFunc stencil_func = CompareFunc::Always;
    StencilOp stencil_fail{};
    StencilOp stencil_depth_fail{};
    StencilOp stencil_pass{};

    bool operator==(const OutputState&) const = default;
    std::string text() const;
};
static_assert(std::has_unique_object_representations_v<OutputState>);

// Vertex program plus output map. source[s] is where semantic s comes from: output register * 4 + component,
// or kUnmapped, which means 1.0. Semantics: 0-3 position, 4-7 quaternion, 8-11 colour, 12-13 texcoord0, 14-15
// texcoord1, 16 texcoord0.w, 18-20 view, 22-23 texcoord2.
struct VertexKey
{
    static constexpr u8 kUnmapped = 0xFF;
    u64 program = 0; // Program::id()
    std::array<u8, 24> source{};

    bool operator==(const VertexKey& other) const
    {
        using Words = std::array<u64, 4>; // compared faster than bytes
        const Words a = std::bit_cast<Words>(*this), b = std::bit_cast<Words>(other);
        return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0;
    }
    std::string text() const; // the output map
};
static_assert(std::has_unique_object_representations_v<VertexKey>);

// A hash of the bytes of a key, taken eight at a time, for hash tables and short names. Equality is always decided by the
// bytes.
u64 hash_bytes(const void* data, std::size_t size);
template <typename Key>
u64 hash_key(const Key& key)
{
    static_assert(std::has_unique_object_representations_v<Key>);
    return hash_bytes(&key, sizeof key);
}

// Changes the key so that the same picture is drawn through OutputClass::Fetch, for devices whose fixed
// function cannot do LogicOp or FixedBlend.
void force_fetch(FragmentKey& key, const OutputState& output);

} // namespace pica
