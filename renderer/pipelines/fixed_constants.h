// SPDX-License-Identifier: MIT
// C++ structs of the lists in shaders/include/fixed_constants.h. The constants of each shader have two bases:
// what is specialised into the pipeline, and what is pushed. Both hold 32-bit words in the order of the list.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "shaders/include/fixed_constants.h"

#include <array>
#include <bit>
#include <cstddef>

namespace renderer
{

#define MEMBER(name) pica::u32 name = 0;
#define SPECIALISED_MEMBER(id, name) MEMBER(name)
#define SPECIALISED_ID(id, name) id,
#define NOT_SPECIALISED(id, name)
#define NOT_PUSHED(name)
#define FIXED_CONSTANTS(Name, LIST)                                                                          \
    struct Name##Specialised                                                                                 \
    {                                                                                                        \
        static constexpr auto kIds = std::to_array<pica::u32>({LIST(SPECIALISED_ID, NOT_PUSHED)});           \
        LIST(SPECIALISED_MEMBER, NOT_PUSHED)                                                                 \
    };                                                                                                       \
    struct Name##Pushed                                                                                      \
    {                                                                                                        \
        LIST(NOT_SPECIALISED, MEMBER)                                                                        \
    };                                                                                                       \
    struct Name : Name##Specialised, Name##Pushed                                                            \
    {                                                                                                        \
        using Specialised = Name##Specialised;                                                               \
        using Pushed = Name##Pushed;                                                                         \
    };                                                                                                       \
    static_assert(ids_count_from_zero(Name##Specialised::kIds));                                             \
    static_assert(sizeof(Name##Specialised) <= kMostSpecialised * 4 &&                                       \
                  sizeof(Name##Specialised) + sizeof(Name##Pushed) <= PUSH_FIXED_BYTES);

static_assert(PUSH_FIXED_BYTES <= 128); // every device has as many

// The most words that a shader has specialised.
inline constexpr std::size_t kMostSpecialised = 8;

template <std::size_t count>
constexpr bool ids_count_from_zero(const std::array<pica::u32, count>& ids)
{
    for (std::size_t i = 0; i < count; ++i)
        if (ids[i] != i)
            return false;
    return true;
}

FIXED_CONSTANTS(SurfaceConstants, SURFACE_CONSTANTS)
FIXED_CONSTANTS(TextureConstants, TEXTURE_CONSTANTS)
FIXED_CONSTANTS(TransferConstants, TRANSFER_CONSTANTS)
FIXED_CONSTANTS(SurfaceTransferConstants, SURFACE_TRANSFER_CONSTANTS)
FIXED_CONSTANTS(FillConstants, FILL_CONSTANTS)
FIXED_CONSTANTS(ScreenConstants, SCREEN_CONSTANTS)

#undef MEMBER
#undef SPECIALISED_MEMBER
#undef SPECIALISED_ID
#undef NOT_SPECIALISED
#undef NOT_PUSHED
#undef FIXED_CONSTANTS

// The words of one of the bases.
template <typename Base>
std::array<pica::u32, sizeof(Base) / 4> words_of(const Base& base)
{
    return std::bit_cast<std::array<pica::u32, sizeof(Base) / 4>>(base);
}

// Where the lists say "the numbers of".
static_assert(FORMAT_RGBA8 == static_cast<pica::u32>(pica::ColorFormat::RGBA8));
static_assert(FORMAT_RGB8 == static_cast<pica::u32>(pica::ColorFormat::RGB8));
static_assert(FORMAT_RGB5A1 == static_cast<pica::u32>(pica::ColorFormat::RGB5A1));
static_assert(FORMAT_RGB565 == static_cast<pica::u32>(pica::ColorFormat::RGB565));
static_assert(FORMAT_RGBA4 == static_cast<pica::u32>(pica::ColorFormat::RGBA4));
static_assert(FORMAT_RGBA8 == static_cast<pica::u32>(pica::TextureFormat::RGBA8));
static_assert(FORMAT_RGB8 == static_cast<pica::u32>(pica::TextureFormat::RGB8));
static_assert(FORMAT_RGB5A1 == static_cast<pica::u32>(pica::TextureFormat::RGB5A1));
static_assert(FORMAT_RGB565 == static_cast<pica::u32>(pica::TextureFormat::RGB565));
static_assert(FORMAT_RGBA4 == static_cast<pica::u32>(pica::TextureFormat::RGBA4));
static_assert(FORMAT_IA8 == static_cast<pica::u32>(pica::TextureFormat::IA8));
static_assert(FORMAT_HILO8 == static_cast<pica::u32>(pica::TextureFormat::HILO8));
static_assert(FORMAT_I8 == static_cast<pica::u32>(pica::TextureFormat::I8));
static_assert(FORMAT_A8 == static_cast<pica::u32>(pica::TextureFormat::A8));
static_assert(FORMAT_IA4 == static_cast<pica::u32>(pica::TextureFormat::IA4));
static_assert(FORMAT_I4 == static_cast<pica::u32>(pica::TextureFormat::I4));
static_assert(FORMAT_A4 == static_cast<pica::u32>(pica::TextureFormat::A4));
static_assert(DEPTH_D16 == static_cast<pica::u32>(pica::DepthFormat::D16));
static_assert(DEPTH_D24 == static_cast<pica::u32>(pica::DepthFormat::D24));
static_assert(DEPTH_D24S8 == static_cast<pica::u32>(pica::DepthFormat::D24S8));
static_assert(SCALING_NONE == static_cast<pica::u32>(pica::TransferScaling::None));
static_assert(SCALING_HALVE_X == static_cast<pica::u32>(pica::TransferScaling::HalveX));
static_assert(SCALING_HALVE_XY == static_cast<pica::u32>(pica::TransferScaling::HalveXY));

} // namespace renderer
