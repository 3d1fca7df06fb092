// SPDX-License-Identifier: MIT
#include "pica/command/ports.h"

#include "pica/base/float24.h"

#include <algorithm>
#include <bit>

namespace pica
{

namespace
{

constexpr u32 kFloatUniforms = 96;
constexpr u32 kImmediateIndex = 15;
constexpr u32 kFixedAttributeCount = 12;

// Stores a word and increments an index that wraps inside its table. An equal word changes no revision,
// because programs upload the same tables every frame.
template <std::size_t size>
void store(Luts& luts, LutTable table, std::array<u32, size>& words, u32& index, u32 word)
{
    u32& stored = words[index % size];
    index = (index + 1) % size;
    if (stored == word)
        return;
    stored = word;
    luts.changed(table);
}

constexpr u32 words_of(UniformFormat format)
{
    return format == UniformFormat::F32 ? 4 : 3;
}

// words: as many as words_of says, w first.
Vec4 vector_of(const u32* words, UniformFormat format)
{
    if (format == UniformFormat::F32)
    {
        const auto component = [&](u32 i)
        { return f32_truncate_to_float24(std::bit_cast<f32>(words[3 - i])); };
        return {component(0), component(1), component(2), component(3)};
    }
    return {float24_to_f32(words[2] & 0xFFFFFF), float24_to_f32((words[1] & 0xFFFF) << 8 | words[2] >> 24),
            float24_to_f32((words[0] & 0xFF) << 16 | words[1] >> 16), float24_to_f32(words[0] >> 8)};
}

u32 vertex_or_geometry(u32 bank, u32 vertex_id, u32 geometry_id)
{
    return bank == kVertexBank ? vertex_id : geometry_id;
}

} // namespace

bool VectorFifo::push(u32 word, UniformFormat format, Vec4& out)
{
    words_[count_++] = word;
    if (count_ < words_of(format))
        return false;
    count_ = 0;
    out = vector_of(words_.data(), format);
    return true;
}

bool VectorFifo::take(std::span<const u32>& words, UniformFormat format, Vec4& out)
{
    const std::size_t whole = words_of(format);
    if (count_ == 0 && words.size() >= whole)
    {
        out = vector_of(words.data(), format);
        words = words.subspan(whole);
        return true;
    }
    const std::size_t taken = std::min(whole - std::min<std::size_t>(count_, whole), words.size());
    std::copy_n(words.begin(), taken, words_.begin() + count_);
    words = words.subspan(taken);
    count_ += static_cast<u32>(taken);
    if (count_ < whole)
        return false;
    count_ = 0;
    out = vector_of(words_.data(), format);
    return true;
}

void ShaderUnit::set_float(u32 index, const Vec4& value)
{
    written_floats.set(index);
    // Compares bits, because NaN must equal itself.
    using Raw = std::array<u32, 4>;
    if (std::bit_cast<Raw>(uniforms.f[index]) == std::bit_cast<Raw>(value))
        return;
    uniforms.f[index] = value;
    ++uniforms_revision;
}

void ShaderUnit::set_bools(u16 bools)
{
    written_bools = true;
    if (uniforms.b == bools)
        return;
    uniforms.b = bools;
    ++uniforms_revision;
}

void ShaderUnit::set_int(u32 index, const std::array<u8, 4>& value)
{
    if (uniforms.i[index] == value)
        return;
    uniforms.i[index] = value;
    ++uniforms_revision;
}

bool Ports::shares_banks(const RegisterFile& regs)
{
    return !regs.get(reg::VSH_COM_MODE::geometry_own_config) &&
           regs.get(reg::GEOSTAGE_CONFIG::mode) == GeometryStage::Off;
}

void Ports::load_table_index(TablePort port, const RegisterFile& regs)
{
    switch (port)
    {
    case TablePort::Lighting:
        lighting_index = regs.get(reg::LIGHTING_LUT_INDEX::index);
        lighting_table = static_cast<u32>(regs.get(reg::LIGHTING_LUT_INDEX::table));
        return;
    case TablePort::Fog:
        fog_index = regs.get(reg::FOG_LUT_INDEX::index);
        return;
    case TablePort::ProcTex:
        proctex_index = regs.get(reg::PROCTEX_LUT::index);
        proctex_table = regs.get(reg::PROCTEX_LUT::table);
        return;
    case TablePort::Gas:
        gas_index = regs.get(reg::GAS_LUT_INDEX::index);
        return;
    }
}

void Ports::load_code_index(const RegisterFile& regs, u32 bank)
{
    unit(bank).code_index = bank == kVertexBank ? regs.get(reg::VSH_CODETRANSFER_INDEX::index)
                                                : regs.get(reg::GSH_CODETRANSFER_INDEX::index);
}

void Ports::load_descriptor_index(const RegisterFile& regs, u32 bank)
{
    unit(bank).descriptor_index = bank == kVertexBank ? regs.get(reg::VSH_OPDESCS_INDEX::index)
                                                      : regs.get(reg::GSH_OPDESCS_INDEX::index);
}

void Ports::load_float_index(const RegisterFile& regs, u32 bank)
{
    ShaderUnit& u = unit(bank);
    u.float_index = bank == kVertexBank ? regs.get(reg::VSH_FLOATUNIFORM_INDEX::index)
                                        : regs.get(reg::GSH_FLOATUNIFORM_INDEX::index);
    u.float_format = bank == kVertexBank ? regs.get(reg::VSH_FLOATUNIFORM_INDEX::format)
                                         : regs.get(reg::GSH_FLOATUNIFORM_INDEX::format);
    u.float_fifo.clear(); // [ASSUMED]
}

void Ports::load_fixed_index(const RegisterFile& regs)
{
    fixed_index = regs.get(reg::FIXEDATTRIB_INDEX::index);
    fixed_fifo.clear();
}

void Ports::write_code(u32 bank, u32 word, bool share, Report& report)
{
    ShaderUnit& u = unit(bank);
    const bool stored = u.code.write_word(u.code_index, word);
    if (share)
        geometry.code.write_word(u.code_index, word);
    if (!stored && !share)
        report.report(ReportKind::Guest, "shader code past the end of code memory", "the words are dropped");
    u.code_index = (u.code_index + 1) & 0xFFF;
}

void Ports::write_descriptor(u32 bank, u32 word, bool share, Report& report)
{
    ShaderUnit& u = unit(bank);
    if (u.descriptor_index >= kDescriptorCount)
    {
        report.report(ReportKind::Guest, "operand descriptor past entry 127", "dropped");
        return;
    }
    u.code.write_descriptor(u.descriptor_index, word);
    if (share)
        geometry.code.write_descriptor(u.descriptor_index, word);
    ++u.descriptor_index;
}

void Ports::write_floats(u32 bank, std::span<const u32> words, bool share)
{
    ShaderUnit& u = unit(bank);
    Vec4 value;
    while (!words.empty())
    {
        if (!u.float_fifo.take(words, u.float_format, value))
            continue;
        // Numbers past c95 are dropped and not stepped; games do that [GAME].
        if (u.float_index >= kFloatUniforms)
            continue;
        u.set_float(u.float_index, value);
        if (share)
            geometry.set_float(u.float_index, value);
        ++u.float_index;
    }
}

void Ports::load_constant(const RegisterFile& regs, u32 bank, u32 index, bool share)
{
    ShaderUnit& u = unit(bank);
    if (index == 0)
    {
        const u32 word = regs[vertex_or_geometry(bank, reg::VSH_BOOLUNIFORM::id, reg::GSH_BOOLUNIFORM::id)];
        const u16 bools = static_cast<u16>(word);
        u.set_bools(bools);
        if (share)
            geometry.set_bools(bools);
        return;
    }
    const u32 i = index - 1;
    const u32 word =
        regs[vertex_or_geometry(bank, reg::VSH_INTUNIFORM_I::ids[i], reg::GSH_INTUNIFORM_I::ids[i])];
    const std::array<u8, 4> value = {static_cast<u8>(word), static_cast<u8>(word >> 8),
                                     static_cast<u8>(word >> 16), static_cast<u8>(word >> 24)};
    u.set_int(i, value);
    if (share)
        geometry.set_int(i, value);
}

AttributeWord Ports::write_attribute(u32 word, Vec4& value)
{
    if (!fixed_fifo.push(word, UniformFormat::F24, value))
        return AttributeWord::Partial;
    if (fixed_index == kImmediateIndex)
        return AttributeWord::Immediate;
    // 12..14 do not exist.
    if (fixed_index < kFixedAttributeCount)
    {
        using Raw = std::array<u32, 4>;
        if (std::bit_cast<Raw>(fixed[fixed_index]) != std::bit_cast<Raw>(value))
            ++fixed_revision;
        fixed[fixed_index] = value;
        ++fixed_index;
    }
    return AttributeWord::Stored;
}

void Ports::write_table(TablePort port, u32 word)
{
    switch (port)
    {
    case TablePort::Lighting:
        return write_lighting(word);
    case TablePort::Fog:
        return store(luts, LutTable::Fog, luts.fog, fog_index, word);
    case TablePort::ProcTex:
        return write_proctex(word);
    case TablePort::Gas:
        return store(luts, LutTable::Gas, luts.gas, gas_index, word);
    }
}

void Ports::write_lighting(u32 word)
{
    // The index wraps inside the table [HW].
    if (lighting_table < Luts::kLightingTables)
        store(luts, lighting_lut(lighting_table), luts.lighting[lighting_table], lighting_index, word);
    else
        lighting_index = (lighting_index + 1) & 0xFF;
}

void Ports::write_proctex(u32 word)
{
    switch (proctex_table)
    {
    case ProcTexTable::Noise:
        return store(luts, LutTable::ProcTexNoise, luts.proctex_noise, proctex_index, word);
    case ProcTexTable::RgbMap:
        return store(luts, LutTable::ProcTexRgbMap, luts.proctex_rgb_map, proctex_index, word);
    case ProcTexTable::AlphaMap:
        return store(luts, LutTable::ProcTexAlphaMap, luts.proctex_alpha_map, proctex_index, word);
    case ProcTexTable::Color:
        return store(luts, LutTable::ProcTexColor, luts.proctex_color, proctex_index, word);
    case ProcTexTable::ColorDiff:
        return store(luts, LutTable::ProcTexColor, luts.proctex_color_diff, proctex_index, word);
    default:
        return;
    }
}

} // namespace pica
