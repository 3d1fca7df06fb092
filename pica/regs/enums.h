// SPDX-License-Identifier: MIT
// Enumerations of register fields. Every enumerator has the value of its register encoding, so a field
// converts by a cast; values without an enumerator can still occur in registers, because the guest may write
// anything. pica/state decides what they mean; what it decodes has enumerators only.
// Source: 3dbrew "GPU/Internal Registers"; pica/hardware has a document for each block.
#pragma once

#include "pica/base/types.h"

namespace pica
{
// clang-format off

// --- Rasterizer (pica/hardware/registers.md, "Rasteriser")

// Front is counter-clockwise, y up.
enum class CullMode : u8 { None = 0, Front = 1, Back = 2, NoneToo = 3 };
enum class ScissorMode : u8 { Disabled = 0, Exclude = 1, DisabledToo = 2, Include = 3 };
// Not the numbering of CompareFunc.
enum class EarlyDepthFunc : u8 { GreaterOrEqual = 0, Greater = 1, LessOrEqual = 2, Less = 3 };
enum class DepthMap : u8 { WBuffer = 0, ZBuffer = 1 };

// Vertex output semantics, one per component of SH_OUTMAP_O0..6.
enum class Semantic : u8
{
    PositionX = 0x00, PositionY, PositionZ, PositionW,
    NormQuatX = 0x04, NormQuatY, NormQuatZ, NormQuatW,
    ColorR = 0x08, ColorG, ColorB, ColorA,
    TexCoord0U = 0x0C, TexCoord0V,
    TexCoord1U = 0x0E, TexCoord1V,
    TexCoord0W = 0x10,
    ViewX = 0x12, ViewY, ViewZ,
    TexCoord2U = 0x16, TexCoord2V,
    Unused = 0x1F,
};

// --- Texture units (textures.md)

enum class TextureFormat : u8
{
    RGBA8 = 0x0, RGB8 = 0x1, RGB5A1 = 0x2, RGB565 = 0x3, RGBA4 = 0x4, IA8 = 0x5, HILO8 = 0x6, I8 = 0x7, A8 = 0x8,
    IA4 = 0x9, I4 = 0xA, A4 = 0xB, ETC1 = 0xC, ETC1A4 = 0xD,
};
inline constexpr u32 kTextureFormatCount = 14;

enum class TextureType : u8 { Texture2D = 0, Cube = 1, Shadow2D = 2, Projection = 3, ShadowCube = 4, Disabled = 5 };
// 4 and 5 behave as pica/hardware/textures.md, "Wrap modes", says [HW].
enum class TextureWrap : u8
{
    ClampToEdge = 0, ClampToBorder = 1, Repeat = 2, MirroredRepeat = 3, ClampToEdge2 = 4, ClampToBorder2 = 5,
};
enum class TextureFilter : u8 { Nearest = 0, Linear = 1 };

// --- Procedural texture (procedural-texture.md)

enum class ProcTexClamp : u8
{
    ToZero = 0, ToEdge = 1, SymmetricalRepeat = 2, MirroredRepeat = 3, Pulse = 4,
};
enum class ProcTexFunction : u8
{
    U = 0, U2 = 1, V = 2, V2 = 3, Add = 4, Add2 = 5, SqrtAdd2 = 6, Min = 7, Max = 8, RMax = 9,
};
enum class ProcTexShift : u8 { None = 0, Odd = 1, Even = 2 };
enum class ProcTexFilter : u8
{
    Nearest = 0, Linear = 1, NearestMipNearest = 2, LinearMipNearest = 3, NearestMipLinear = 4, LinearMipLinear = 5,
};
enum class ProcTexTable : u8 { Noise = 0, RgbMap = 2, AlphaMap = 3, Color = 4, ColorDiff = 5 };

// --- Texture environment (combiners.md)

// Zero is not a documented code: it stands for every slot that reads 0 (TexEnvStageKey).
enum class CombinerSource : u8
{
    PrimaryColor = 0, FragmentPrimary = 1, FragmentSecondary = 2, Texture0 = 3, Texture1 = 4, Texture2 = 5,
    Texture3 = 6, Zero = 7, PreviousBuffer = 13, Constant = 14, Previous = 15,
};
enum class ColorOperand : u8
{
    Rgb = 0, OneMinusRgb = 1, Alpha = 2, OneMinusAlpha = 3, Red = 4, OneMinusRed = 5,
    Green = 8, OneMinusGreen = 9, Blue = 12, OneMinusBlue = 13,
};
enum class AlphaOperand : u8
{
    Alpha = 0, OneMinusAlpha = 1, Red = 2, OneMinusRed = 3, Green = 4, OneMinusGreen = 5, Blue = 6, OneMinusBlue = 7,
};
enum class CombinerOp : u8
{
    Replace = 0, Modulate = 1, Add = 2, AddSigned = 3, Interpolate = 4, Subtract = 5, Dot3Rgb = 6, Dot3Rgba = 7,
    MultiplyThenAdd = 8, AddThenMultiply = 9,
};
enum class CombinerScale : u8 { One = 0, Two = 1, Four = 2, OneToo = 3 };

// --- Fog and gas (fog-and-gas.md)

enum class FogMode : u8 { None = 0, Fog = 5, Gas = 7 };
enum class GasDensitySource : u8 { Plain = 0, DepthAttenuated = 1 };
enum class GasLutInput : u8 { Density = 0, LightFactor = 1 };
// Libraries and 3dbrew disagree on the numbering (fog-and-gas.md, "Gas") [ASM].
enum class GasDepthFunc : u8 { Never = 0, Always = 1, Greater = 2, Less = 3 };

// --- Fragment operations and framebuffer (fragment-operations.md, framebuffer.md)

enum class FragmentOperation : u8 { Default = 0, Gas = 1, Shadow = 3 };
enum class ColorCombineMode : u8 { LogicOp = 0, Blend = 1 };
enum class BlendEquation : u8 { Add = 0, Subtract = 1, ReverseSubtract = 2, Min = 3, Max = 4 };
enum class BlendFactor : u8
{
    Zero = 0, One = 1, SourceColor = 2, OneMinusSourceColor = 3, DestColor = 4, OneMinusDestColor = 5,
    SourceAlpha = 6, OneMinusSourceAlpha = 7, DestAlpha = 8, OneMinusDestAlpha = 9, ConstantColor = 10,
    OneMinusConstantColor = 11, ConstantAlpha = 12, OneMinusConstantAlpha = 13, SourceAlphaSaturate = 14,
};
// Not the OpenGL order.
enum class LogicOp : u8
{
    Clear = 0, And = 1, AndReverse = 2, Copy = 3, Set = 4, CopyInverted = 5, NoOp = 6, Invert = 7, Nand = 8, Or = 9,
    Nor = 10, Xor = 11, Equiv = 12, AndInverted = 13, OrReverse = 14, OrInverted = 15,
};
enum class CompareFunc : u8
{
    Never = 0, Always = 1, Equal = 2, NotEqual = 3, Less = 4, LessOrEqual = 5, Greater = 6, GreaterOrEqual = 7,
};
enum class StencilOp : u8
{
    Keep = 0, Zero = 1, Replace = 2, IncrementSaturate = 3, DecrementSaturate = 4, Invert = 5, IncrementWrap = 6,
    DecrementWrap = 7,
};
// Framebuffer numbering (0x117). The transfer engine and the LCD swap 2 and 3: PixelFormat.
enum class ColorFormat : u8 { RGBA8 = 0, RGB8 = 1, RGB5A1 = 2, RGB565 = 3, RGBA4 = 4 };
enum class DepthFormat : u8 { D16 = 0, D24 = 2, D24S8 = 3 };

// --- Fragment lighting (lighting.md)

// Zero is not a documented code: it stands for every input that reads 0 (LightingTableKey).
enum class LightingInput : u8 { NH = 0, VH = 1, NV = 2, LN = 3, SP = 4, CP = 5, Zero = 6 };
enum class LightingScale : u8 { One = 0, Two = 1, Four = 2, Eight = 3, Quarter = 6, Half = 7 };
enum class BumpMode : u8 { None = 0, NormalMap = 1, TangentMap = 2 };
// LUT select of 0x1C5: these, then Spotlight0 + light and DistanceAttenuation0 + light.
enum class LightingLut : u8 { D0 = 0, D1 = 1, FR = 3, RB = 4, RG = 5, RR = 6, Spotlight0 = 8, DistanceAttenuation0 = 16 };

// --- Geometry pipeline (pica/hardware/registers.md, "Geometry pipeline")

enum class AttributeType : u8 { S8 = 0, U8 = 1, S16 = 2, F32 = 3 };
enum class IndexType : u8 { U8 = 0, U16 = 1 };
enum class Topology : u8 { TriangleList = 0, TriangleStrip = 1, TriangleFan = 2, Geometry = 3 };
enum class GeometryStage : u8 { Off = 0, On = 2 };
enum class GeometryMode : u8 { Point = 0, Variable = 1, Fixed = 2 };
enum class UniformFormat : u8 { F24 = 0, F32 = 1 };

// --- Engines (engines.md)

enum class FillWidth : u8 { Bits16 = 0, Bits24 = 1, Bits32 = 2, Bits24Too = 3 };
// Transfer and LCD numbering. 5..7 behave as RGBA4 in transfers [GBATEK].
enum class PixelFormat : u8 { RGBA8 = 0, RGB8 = 1, RGB565 = 2, RGB5A1 = 3, RGBA4 = 4 };
enum class TransferScaling : u8 { None = 0, HalveX = 1, HalveXY = 2, Invalid3 = 3 };
enum class LcdInterlace : u8 { Single = 0, Doubled = 1, AlternateAB = 2, AlternateBA = 3 };

// clang-format on
} // namespace pica
