// SPDX-License-Identifier: MIT
// Upload ports: registers that accept a stream of words for a memory behind them. Source: vertex-input.md and
// shader-unit.md; procedural-texture.md, lighting.md, fog-and-gas.md. Tests: tests/pica/ports_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/regs/registers.h"
#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"
#include "pica/state/geometry.h"
#include "pica/state/luts.h"

#include <bitset>
#include <span>

namespace pica
{

// Collects words for one vector, w first: 3 words with packed float24 values, or 4 binary32 words.
class VectorFifo
{
public:
    // The words since the last complete vector: three at most.
    std::span<const u32> words() const { return std::span(words_).first(count_); }
    void set_words(std::span<const u32> words)
    {
        count_ = 0;
        for (const u32 word : words)
            words_[count_++] = word;
    }
    // Returns true when the word completed `out`.
    bool push(u32 word, UniformFormat format, Vec4& out);
    // Takes words off the front, as many as the vector still needs, at least one if there are any. Returns true when they
    // completed `out`.
    bool take(std::span<const u32>& words, UniformFormat format, Vec4& out);
    void clear() { count_ = 0; }

private:
    std::array<u32, 4> words_{};
    u32 count_ = 0;
};

// The memories of one shader unit and the state of its upload ports.
struct ShaderUnit
{
    explicit ShaderUnit(ShaderStage stage) : code(stage) {}

    ShaderCode code;
    ShaderUniforms uniforms;
    u64 uniforms_revision = 1;
    // c registers uploaded since these bits were last cleared, also those whose value did not change: what
    // feeds the geometry shader unit writes to its uniforms too.
    std::bitset<96> written_floats;
    bool written_bools = false;

    u32 code_index = 0;
    u32 descriptor_index = 0;
    u32 float_index = 0;
    UniformFormat float_format = UniformFormat::F24;
    VectorFifo float_fifo;

    void set_float(u32 index, const Vec4& value);
    void set_bools(u16 bools);
    void set_int(u32 index, const std::array<u8, 4>& value);
};

// What a word written to the fixed-attribute port did.
enum class AttributeWord : u8
{
    Partial,   // more words are needed
    Stored,    // a fixed attribute changed
    Immediate, // one attribute of a vertex in immediate mode is complete
};

// The ports of lookup tables.
enum class TablePort : u8
{
    Lighting,
    Fog,
    ProcTex,
    Gas,
};

struct Ports
{
    ShaderUnit vertex{ShaderStage::Vertex};
    ShaderUnit geometry{ShaderStage::Geometry};

    FixedAttributes fixed{};
    u64 fixed_revision = 1;
    u32 fixed_index = 0;
    VectorFifo fixed_fifo;

    Luts luts;
    u32 lighting_index = 0, lighting_table = 0;
    u32 fog_index = 0;
    u32 proctex_index = 0;
    ProcTexTable proctex_table{};
    u32 gas_index = 0;

    // Do writes through the vertex bank also reach the geometry bank? They do while the core of the geometry
    // bank runs the vertex program [GAME].
    static bool shares_banks(const RegisterFile& regs);

    // Load the index of a port after a write to its index register. An incomplete vector is discarded.
    void load_table_index(TablePort port, const RegisterFile& regs);
    void load_code_index(const RegisterFile& regs, u32 bank);
    void load_descriptor_index(const RegisterFile& regs, u32 bank);
    void load_float_index(const RegisterFile& regs, u32 bank);
    void load_fixed_index(const RegisterFile& regs);

    // Data words. share: writes to the vertex bank also go into the geometry bank.
    void write_code(u32 bank, u32 word, bool share, Report& report);
    void write_descriptor(u32 bank, u32 word, bool share, Report& report);
    void write_floats(u32 bank, std::span<const u32> words, bool share);
    // Bool and int uniforms have the values of their registers. index: 0 is the bool register, 1..4 are the
    // int registers.
    void load_constant(const RegisterFile& regs, u32 bank, u32 index, bool share);
    // Sets `value` to the attribute, unless the result is Partial.
    AttributeWord write_attribute(u32 word, Vec4& value);
    void write_table(TablePort port, u32 word);

private:
    void write_lighting(u32 word);
    void write_proctex(u32 word);
    ShaderUnit& unit(u32 bank) { return bank == kVertexBank ? vertex : geometry; }
};

} // namespace pica
