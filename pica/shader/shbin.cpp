// SPDX-License-Identifier: MIT
#include "pica/shader/shbin.h"

#include "pica/base/float24.h"

#include <algorithm>

namespace pica
{

namespace
{

constexpr u32 kDvlb = 0x424C5644;
constexpr u32 kDvlp = 0x504C5644;
constexpr u32 kDvle = 0x454C5644;
constexpr u32 kDvlpBytes = 0x1C; // the part that every tool writes
constexpr u32 kDvleBytes = 0x40;
constexpr u32 kMaxEntryPoints = 4096;

// A part of the file. Every read is checked against it first.
class View
{
public:
    explicit View(std::span<const u8> bytes) : bytes_(bytes) {}

    bool holds(u64 offset, u64 size) const
    {
        return offset <= bytes_.size() && size <= bytes_.size() - offset;
    }
    u8 byte(size_t at) const { return bytes_[at]; }
    u16 half(size_t at) const { return static_cast<u16>(bytes_[at] | bytes_[at + 1] << 8); }
    u32 word(size_t at) const { return half(at) | static_cast<u32>(half(at + 2)) << 16; }
    View from(size_t offset) const { return View(bytes_.subspan(offset)); }
    std::span<const u8> bytes() const { return bytes_; }

private:
    std::span<const u8> bytes_;
};

Error bad(const std::string& what)
{
    return Error{"shbin: " + what};
}

struct Table
{
    u32 offset = 0;
    u32 count = 0;
};

// Reads the offset and count at `at` and checks that the table lies inside the view.
Result<Table> table(const View& view, u32 at, u32 entry_bytes, const std::string& name)
{
    const Table t = {view.word(at), view.word(at + 4)};
    if (t.count != 0 && !view.holds(t.offset, u64{t.count} * entry_bytes))
        return bad(name + " (" + std::to_string(t.count) + " entries at offset " + std::to_string(t.offset) +
                   ") reaches beyond the end of the file");
    return t;
}

Result<std::string> text(const View& view, const Table& strings, u32 offset, const std::string& owner)
{
    if (offset >= strings.count)
        return bad("the name of a " + owner + " lies outside the symbol table");
    const auto characters = view.bytes().subspan(strings.offset + offset, strings.count - offset);
    const auto end = std::find(characters.begin(), characters.end(), u8{0});
    if (end == characters.end())
        return bad("the name of a " + owner + " has no end");
    return std::string(characters.begin(), end);
}

Result<ShbinConstant> read_constant(const View& view, size_t at)
{
    ShbinConstant constant;
    const u16 type = view.half(at);
    if (type > 2)
        return bad("constant of unknown type " + std::to_string(type));
    constant.type = static_cast<ShbinConstant::Type>(type);
    constant.reg = view.half(at + 2);
    const u32 registers[3] = {16, 4, 96};
    if (constant.reg >= registers[type])
        return bad("constant for register " + std::to_string(constant.reg) + ", which does not exist");
    constant.boolean = type == 0 && (view.word(at + 4) & 1) != 0;
    for (u32 i = 0; i < 4; i++)
    {
        if (constant.type == ShbinConstant::Type::Int)
            constant.integer[i] = view.byte(at + 4 + i);
        if (constant.type == ShbinConstant::Type::Float)
            constant.real[i] = float24_to_f32(view.word(at + 4 + 4 * i) & 0xFFFFFF);
    }
    return constant;
}

Status read_tables(const View& view, ShbinEntryPoint& entry)
{
    const auto constants = table(view, 0x18, 0x14, "constant table");
    const auto labels = table(view, 0x20, 0x10, "label table");
    const auto outputs = table(view, 0x28, 8, "output table");
    const auto uniforms = table(view, 0x30, 8, "uniform table");
    const auto strings = table(view, 0x38, 1, "symbol table");
    for (const auto* t : {&constants, &labels, &outputs, &uniforms, &strings})
        if (!*t)
            return t->error();
    for (u32 i = 0; i < constants->count; i++)
    {
        auto constant = read_constant(view, constants->offset + size_t{i} * 0x14);
        if (!constant)
            return constant.error();
        entry.constants.push_back(*constant);
    }
    for (u32 i = 0; i < labels->count; i++)
    {
        const size_t at = labels->offset + size_t{i} * 0x10;
        auto name = text(view, *strings, view.word(at + 12), "label");
        if (!name)
            return name.error();
        entry.labels.push_back({std::move(*name), view.word(at + 4)});
    }
    for (u32 i = 0; i < outputs->count; i++)
    {
        const size_t at = outputs->offset + size_t{i} * 8;
        const ShbinOutput output = {view.half(at), view.half(at + 2),
                                    static_cast<u8>(view.byte(at + 4) & 15)};
        if (output.reg > 15)
            return bad("output register o" + std::to_string(output.reg) + " does not exist");
        entry.output_table.push_back(output);
    }
    for (u32 i = 0; i < uniforms->count; i++)
    {
        const size_t at = uniforms->offset + size_t{i} * 8;
        auto name = text(view, *strings, view.word(at), "uniform");
        if (!name)
            return name.error();
        entry.uniforms.push_back({std::move(*name), view.half(at + 4), view.half(at + 6)});
    }
    return {};
}

Result<ShbinEntryPoint> read_entry_point(const View& view, u32 code_words)
{
    if (!view.holds(0, kDvleBytes) || view.word(0) != kDvle)
        return bad("no DVLE where the header says one is");
    ShbinEntryPoint entry;
    const u8 stage = view.byte(6);
    if (stage > 1)
        return bad("DVLE of unknown shader type " + std::to_string(stage));
    entry.stage = stage == 0 ? ShaderStage::Vertex : ShaderStage::Geometry;
    entry.merge_outputs = (view.byte(7) & 1) != 0;
    entry.entry = view.word(8);
    entry.end = view.word(0xC);
    if (entry.entry >= code_words)
        return bad("entry point " + std::to_string(entry.entry) + " lies behind the code (" +
                   std::to_string(code_words) + " words)");
    entry.inputs = view.half(0x10);
    entry.outputs = view.half(0x12);
    entry.geometry_mode = view.byte(0x14);
    entry.fixed_first_uniform = view.byte(0x15);
    entry.variable_full_vertices = view.byte(0x16);
    entry.fixed_vertices = view.byte(0x17);
    const Status status = read_tables(view, entry);
    if (!status)
        return status.error();
    return entry;
}

} // namespace

ShaderCode Shbin::shader_code(ShaderStage stage) const
{
    ShaderCode result(stage);
    const size_t words = std::min(code.size(), result.words.size());
    std::copy_n(code.begin(), words, result.words.begin());
    std::copy_n(descriptors.begin(), std::min(descriptors.size(), result.descriptors.size()),
                result.descriptors.begin());
    return result;
}

Result<Shbin> read_shbin(std::span<const u8> bytes)
{
    const View file(bytes);
    if (!file.holds(0, 8) || file.word(0) != kDvlb)
        return bad("the file does not begin with DVLB");
    const u32 count = file.word(4);
    if (count > kMaxEntryPoints || !file.holds(8, u64{count} * 4))
        return bad("the list of " + std::to_string(count) + " entry points does not fit the file");
    const size_t dvlp_at = 8 + size_t{count} * 4;
    if (!file.holds(dvlp_at, kDvlpBytes) || file.word(dvlp_at) != kDvlp)
        return bad("no DVLP behind the list of entry points");
    const View dvlp = file.from(dvlp_at);
    const auto code = table(dvlp, 8, 4, "code");
    if (!code)
        return code.error();
    const auto descriptors = table(dvlp, 0x10, 8, "operand descriptor table");
    if (!descriptors)
        return descriptors.error();
    if (code->count > kGeometryCodeWords)
        return bad("more code than any shader unit holds (" + std::to_string(code->count) + " words)");
    if (descriptors->count > kDescriptorCount)
        return bad("more than 128 operand descriptors (" + std::to_string(descriptors->count) + ")");
    Shbin result;
    for (u32 i = 0; i < code->count; i++)
        result.code.push_back(dvlp.word(code->offset + size_t{i} * 4));
    for (u32 i = 0; i < descriptors->count; i++)
        result.descriptors.push_back(dvlp.word(descriptors->offset + size_t{i} * 8));
    for (u32 i = 0; i < count; i++)
    {
        const u32 offset = file.word(8 + size_t{i} * 4);
        if (!file.holds(offset, kDvleBytes))
            return bad("entry point " + std::to_string(i) + " lies beyond the end of the file");
        auto entry = read_entry_point(file.from(offset), code->count);
        if (!entry)
            return entry.error();
        result.entry_points.push_back(std::move(*entry));
    }
    return result;
}

} // namespace pica
