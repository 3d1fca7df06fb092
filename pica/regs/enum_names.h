// SPDX-License-Identifier: MIT
// Names of register encodings, for reports and for the text of keys. The index is the encoding; an empty name
// means that there is no enumerator, and the number is shown. Each name is one word, as in enums.h.
#pragma once

#include "pica/base/types.h"

#include <span>
#include <string>
#include <string_view>

namespace pica
{
// clang-format off

using EnumNames = std::span<const std::string_view>;

inline constexpr std::string_view kTextureTypeNames[] =
    {"Texture2D", "Cube", "Shadow2D", "Projection", "ShadowCube", "Disabled"};
inline constexpr std::string_view kTextureWrapNames[] =
    {"ClampToEdge", "ClampToBorder", "Repeat", "MirroredRepeat", "ClampToEdge2", "ClampToBorder2"};
inline constexpr std::string_view kCombinerSourceNames[] =
    {"PrimaryColor", "FragmentPrimary", "FragmentSecondary", "Texture0", "Texture1", "Texture2", "Texture3", "Zero",
     "", "", "", "", "", "PreviousBuffer", "Constant", "Previous"};
inline constexpr std::string_view kColorOperandNames[] =
    {"Rgb", "OneMinusRgb", "Alpha", "OneMinusAlpha", "Red", "OneMinusRed", "", "", "Green", "OneMinusGreen", "", "",
     "Blue", "OneMinusBlue"};
inline constexpr std::string_view kAlphaOperandNames[] =
    {"Alpha", "OneMinusAlpha", "Red", "OneMinusRed", "Green", "OneMinusGreen", "Blue", "OneMinusBlue"};
inline constexpr std::string_view kCombinerOpNames[] =
    {"Replace", "Modulate", "Add", "AddSigned", "Interpolate", "Subtract", "Dot3Rgb", "Dot3Rgba", "MultiplyThenAdd",
     "AddThenMultiply"};
inline constexpr std::string_view kBlendEquationNames[] = {"Add", "Subtract", "ReverseSubtract", "Min", "Max"};
inline constexpr std::string_view kBlendFactorNames[] =
    {"Zero", "One", "SourceColor", "OneMinusSourceColor", "DestColor", "OneMinusDestColor", "SourceAlpha",
     "OneMinusSourceAlpha", "DestAlpha", "OneMinusDestAlpha", "ConstantColor", "OneMinusConstantColor", "ConstantAlpha",
     "OneMinusConstantAlpha", "SourceAlphaSaturate"};
inline constexpr std::string_view kLogicOpNames[] =
    {"Clear", "And", "AndReverse", "Copy", "Set", "CopyInverted", "NoOp", "Invert", "Nand", "Or", "Nor", "Xor", "Equiv",
     "AndInverted", "OrReverse", "OrInverted"};
inline constexpr std::string_view kCompareFuncNames[] =
    {"Never", "Always", "Equal", "NotEqual", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"};
inline constexpr std::string_view kStencilOpNames[] =
    {"Keep", "Zero", "Replace", "IncrementSaturate", "DecrementSaturate", "Invert", "IncrementWrap", "DecrementWrap"};
inline constexpr std::string_view kColorFormatNames[] = {"RGBA8", "RGB8", "RGB5A1", "RGB565", "RGBA4"};
inline constexpr std::string_view kDepthFormatNames[] = {"D16", "", "D24", "D24S8"};
inline constexpr std::string_view kFogModeNames[] = {"None", "", "", "", "", "Fog", "", "Gas"};
inline constexpr std::string_view kProcTexClampNames[] =
    {"ToZero", "ToEdge", "SymmetricalRepeat", "MirroredRepeat", "Pulse"};
inline constexpr std::string_view kProcTexShiftNames[] = {"None", "Odd", "Even"};
inline constexpr std::string_view kProcTexFunctionNames[] =
    {"U", "U2", "V", "V2", "Add", "Add2", "SqrtAdd2", "Min", "Max", "RMax"};
inline constexpr std::string_view kTopologyNames[] = {"TriangleList", "TriangleStrip", "TriangleFan", "Geometry"};

inline constexpr std::string_view kCullModeNames[] = {"None", "Front", "Back", "NoneToo"};
inline constexpr std::string_view kScissorModeNames[] = {"Disabled", "Exclude", "DisabledToo", "Include"};
inline constexpr std::string_view kEarlyDepthFuncNames[] = {"GreaterOrEqual", "Greater", "LessOrEqual", "Less"};
inline constexpr std::string_view kDepthMapNames[] = {"WBuffer", "ZBuffer"};
inline constexpr std::string_view kSemanticNames[] =
    {"PositionX", "PositionY", "PositionZ", "PositionW", "NormQuatX", "NormQuatY", "NormQuatZ", "NormQuatW", "ColorR",
     "ColorG", "ColorB", "ColorA", "TexCoord0U", "TexCoord0V", "TexCoord1U", "TexCoord1V", "TexCoord0W", "", "ViewX",
     "ViewY", "ViewZ", "", "TexCoord2U", "TexCoord2V", "", "", "", "", "", "", "", "Unused"};
inline constexpr std::string_view kTextureFormatNames[] =
    {"RGBA8", "RGB8", "RGB5A1", "RGB565", "RGBA4", "IA8", "HILO8", "I8", "A8", "IA4", "I4", "A4", "ETC1", "ETC1A4"};
inline constexpr std::string_view kTextureFilterNames[] = {"Nearest", "Linear"};
inline constexpr std::string_view kProcTexFilterNames[] =
    {"Nearest", "Linear", "NearestMipNearest", "LinearMipNearest", "NearestMipLinear", "LinearMipLinear"};
inline constexpr std::string_view kProcTexTableNames[] = {"Noise", "", "RgbMap", "AlphaMap", "Color", "ColorDiff"};
inline constexpr std::string_view kCombinerScaleNames[] = {"One", "Two", "Four", "OneToo"};
inline constexpr std::string_view kGasDensitySourceNames[] = {"Plain", "DepthAttenuated"};
inline constexpr std::string_view kGasLutInputNames[] = {"Density", "LightFactor"};
inline constexpr std::string_view kGasDepthFuncNames[] = {"Never", "Always", "Greater", "Less"};
inline constexpr std::string_view kFragmentOperationNames[] = {"Default", "Gas", "", "Shadow"};
inline constexpr std::string_view kColorCombineModeNames[] = {"LogicOp", "Blend"};
inline constexpr std::string_view kLightingInputNames[] = {"NH", "VH", "NV", "LN", "SP", "CP", "Zero"};
inline constexpr std::string_view kLightingScaleNames[] = {"One", "Two", "Four", "Eight", "", "", "Quarter", "Half"};
inline constexpr std::string_view kBumpModeNames[] = {"None", "NormalMap", "TangentMap"};
inline constexpr std::string_view kLightingLutNames[] =
    {"D0", "D1", "", "FR", "RB", "RG", "RR", "", "Spotlight0", "Spotlight1", "Spotlight2", "Spotlight3", "Spotlight4",
     "Spotlight5", "Spotlight6", "Spotlight7", "DistanceAttenuation0", "DistanceAttenuation1", "DistanceAttenuation2",
     "DistanceAttenuation3", "DistanceAttenuation4", "DistanceAttenuation5", "DistanceAttenuation6",
     "DistanceAttenuation7"};
inline constexpr std::string_view kAttributeTypeNames[] = {"S8", "U8", "S16", "F32"};
inline constexpr std::string_view kIndexTypeNames[] = {"U8", "U16"};
inline constexpr std::string_view kGeometryStageNames[] = {"Off", "", "On"};
inline constexpr std::string_view kGeometryModeNames[] = {"Point", "Variable", "Fixed"};
inline constexpr std::string_view kUniformFormatNames[] = {"F24", "F32"};

// clang-format on

// The name, or the number where there is none.
inline std::string name_or_number(EnumNames names, u32 value)
{
    return value < names.size() && !names[value].empty() ? std::string(names[value]) : std::to_string(value);
}

} // namespace pica
