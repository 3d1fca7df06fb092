// SPDX-License-Identifier: MIT
#include "pica/regs/register_fields.h"

#include "pica/base/float24.h"
#include "pica/regs/enum_names.h"
#include "pica/regs/registers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <type_traits>

namespace pica
{

namespace
{

// How the number in a field is to be understood.
enum class Meaning : u8
{
    Unsigned,
    Signed,
    Flag,
    Code, // of an enumeration
    Float16,
    Float20,
    Float24,
    Fixed,   // signed or unsigned, divided by `divisor`
    Address, // multiplied by `divisor`
};

template <typename T>
struct Names;
#define NAMES(TYPE)                                                                                          \
    template <>                                                                                              \
    struct Names<TYPE>                                                                                       \
    {                                                                                                        \
        static constexpr EnumNames value = k##TYPE##Names;                                                   \
    };
NAMES(AlphaOperand)
NAMES(AttributeType)
NAMES(BlendEquation)
NAMES(BlendFactor)
NAMES(BumpMode)
NAMES(ColorCombineMode)
NAMES(ColorFormat)
NAMES(ColorOperand)
NAMES(CombinerOp)
NAMES(CombinerScale)
NAMES(CombinerSource)
NAMES(CompareFunc)
NAMES(CullMode)
NAMES(DepthFormat)
NAMES(DepthMap)
NAMES(EarlyDepthFunc)
NAMES(FogMode)
NAMES(FragmentOperation)
NAMES(GasDensitySource)
NAMES(GasDepthFunc)
NAMES(GasLutInput)
NAMES(GeometryMode)
NAMES(GeometryStage)
NAMES(IndexType)
NAMES(LightingInput)
NAMES(LightingLut)
NAMES(LightingScale)
NAMES(LogicOp)
NAMES(ProcTexClamp)
NAMES(ProcTexFilter)
NAMES(ProcTexFunction)
NAMES(ProcTexShift)
NAMES(ProcTexTable)
NAMES(ScissorMode)
NAMES(Semantic)
NAMES(StencilOp)
NAMES(TextureFilter)
NAMES(TextureFormat)
NAMES(TextureType)
NAMES(TextureWrap)
NAMES(Topology)
NAMES(UniformFormat)
#undef NAMES

struct FieldRow
{
    std::span<const u32> ids;
    std::string_view name;
    u8 shift;
    u8 width;
    Meaning meaning;
    EnumNames names;
    bool is_signed;
    u32 divisor = 1;
};

// What the type of a field does not say: numbers that are no whole ones. By the first register of an array.
struct Special
{
    u32 id;
    std::string_view field;
    Meaning meaning;
    u32 divisor = 1;
};
constexpr Special kSpecial[] = {
    {reg::VIEWPORT_WIDTH::id, "value", Meaning::Float24},
    {reg::VIEWPORT_HEIGHT::id, "value", Meaning::Float24},
    {reg::FRAGOP_CLIP_DATA::id, "value", Meaning::Float24},
    {reg::DEPTHMAP_SCALE::id, "value", Meaning::Float24},
    {reg::DEPTHMAP_OFFSET::id, "value", Meaning::Float24},
    {reg::TEXUNIT_LOD::id, "bias", Meaning::Fixed, 256},
    {reg::TEXUNIT_ADDR::id, "address", Meaning::Address, 8},
    {reg::TEXUNIT3_PROCTEX1::id, "u_amplitude", Meaning::Fixed, 4096},
    {reg::TEXUNIT3_PROCTEX1::id, "u_phase", Meaning::Float16},
    {reg::TEXUNIT3_PROCTEX2::id, "v_amplitude", Meaning::Fixed, 4096},
    {reg::TEXUNIT3_PROCTEX2::id, "v_phase", Meaning::Float16},
    {reg::TEXUNIT3_PROCTEX3::id, "u_frequency", Meaning::Float16},
    {reg::TEXUNIT3_PROCTEX3::id, "v_frequency", Meaning::Float16},
    {reg::GAS_ATTENUATION::id, "value", Meaning::Float16},
    {reg::GAS_ACCMAX::id, "value", Meaning::Float16},
    {reg::DEPTHBUFFER_LOC::id, "address", Meaning::Address, 8},
    {reg::COLORBUFFER_LOC::id, "address", Meaning::Address, 8},
    {reg::GAS_DELTAZ_DEPTH::id, "delta_z", Meaning::Fixed, 256},
    {reg::FRAGOP_SHADOW::id, "constant", Meaning::Float16},
    {reg::FRAGOP_SHADOW::id, "linear", Meaning::Float16},
    {reg::LIGHT_XY::id, "x", Meaning::Float16},
    {reg::LIGHT_XY::id, "y", Meaning::Float16},
    {reg::LIGHT_Z::id, "z", Meaning::Float16},
    {reg::LIGHT_SPOTDIR_XY::id, "x", Meaning::Fixed, 2047},
    {reg::LIGHT_SPOTDIR_XY::id, "y", Meaning::Fixed, 2047},
    {reg::LIGHT_SPOTDIR_Z::id, "z", Meaning::Fixed, 2047},
    {reg::LIGHT_ATTENUATION_BIAS::id, "value", Meaning::Float20},
    {reg::LIGHT_ATTENUATION_SCALE::id, "value", Meaning::Float20},
    {reg::ATTRIBBUFFERS_LOC::id, "base", Meaning::Address, 16},
    {reg::CMDBUF_ADDR::id, "address", Meaning::Address, 16},
};

template <typename T>
constexpr FieldRow make_row(std::span<const u32> ids, std::string_view name, u8 shift, u8 width)
{
    FieldRow row{ids, name, shift, width, Meaning::Unsigned, {}, std::is_same_v<T, s32>};
    if constexpr (std::is_same_v<T, bool>)
        row.meaning = Meaning::Flag;
    else if constexpr (std::is_same_v<T, s32>)
        row.meaning = Meaning::Signed;
    else if constexpr (std::is_enum_v<T>)
    {
        row.meaning = Meaning::Code;
        row.names = Names<T>::value;
    }
    for (const Special& special : kSpecial)
        if (special.id == ids[0] && special.field == name)
        {
            row.meaning = special.meaning;
            row.divisor = special.divisor;
        }
    return row;
}

#define REG(NAME, ID)
#define REGS(NAME, COUNT, ...)
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE)
#define RESET(NAME, INDEX, VALUE)
constexpr FieldRow kRows[] = {
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)                                                       \
    make_row<TYPE>(reg::NAME::ids, #NAME_OF_FIELD, SHIFT, WIDTH),
#include "pica/regs/registers.def"
#undef FIELD
};
#undef REG
#undef REGS
#undef REGS_STRIDE

constexpr bool all_special_found()
{
    for (const Special& special : kSpecial)
        if (std::none_of(std::begin(kRows), std::end(kRows),
                         [&](const FieldRow& row)
                         { return row.ids[0] == special.id && row.name == special.field; }))
            return false;
    return true;
}
static_assert(all_special_found(), "kSpecial names a field that registers.def does not have");

constexpr std::array<bool, kRegisterCount> named_registers()
{
    std::array<bool, kRegisterCount> named{};
#define REG(NAME, ID) named[ID] = true;
#define REGS(NAME, COUNT, ...)                                                                               \
    for (const u32 id : reg::NAME::ids)                                                                      \
        named[id] = true;
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE) REGS(NAME, COUNT)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)
#include "pica/regs/registers.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
#undef RESET
#undef FIELD
    return named;
}
constexpr std::array<bool, kRegisterCount> kNamed = named_registers();

FieldValue value_of(const FieldRow& row, u32 word)
{
    const u32 unused = 32u - row.width;
    const u32 raw = word << (unused - row.shift) >> unused;
    const s64 number = row.is_signed ? static_cast<s32>(raw << unused) >> unused : s64{raw};
    switch (row.meaning)
    {
    case Meaning::Flag:
        return {row.name, raw != 0};
    case Meaning::Code:
        if (raw < row.names.size() && !row.names[raw].empty())
            return {row.name, row.names[raw]};
        return {row.name, number};
    case Meaning::Float16:
        return {row.name, float16_to_f32(raw)};
    case Meaning::Float20:
        return {row.name, float20_to_f32(raw)};
    case Meaning::Float24:
        return {row.name, float24_to_f32(raw)};
    case Meaning::Fixed:
        return {row.name, static_cast<f32>(number) / static_cast<f32>(row.divisor)};
    case Meaning::Address:
        return {row.name, FieldAddress{raw * row.divisor}};
    case Meaning::Unsigned:
    case Meaning::Signed:
        break;
    }
    return {row.name, number};
}

} // namespace

std::vector<FieldValue> register_fields(u32 id, u32 word)
{
    std::vector<FieldValue> fields;
    for (const FieldRow& row : kRows)
        if (std::find(row.ids.begin(), row.ids.end(), id) != row.ids.end())
            fields.push_back(value_of(row, word));
    return fields;
}

bool is_named_register(u32 id)
{
    return id < kRegisterCount && kNamed[id];
}

} // namespace pica
