// SPDX-License-Identifier: MIT
// Shader code as the guest uploaded it (ShaderCode), and one decoded program of it (Program). Source:
// pica/hardware/shader-unit.md and shader-translation.md. Tests: program_test.cpp
#pragma once

#include "pica/base/report.h"
#include "pica/shader/cfg.h"
#include "pica/shader/program_content.h"

#include <array>
#include <bit>
#include <bitset>
#include <memory>
#include <span>
#include <vector>

namespace pica
{

constexpr u32 kVertexCodeWords = 512;
constexpr u32 kGeometryCodeWords = 4096;
constexpr u32 kDescriptorCount = 128;

enum class ShaderStage : u8
{
    Vertex,
    Geometry,
};

// Code and descriptor memory of one shader unit. The revision changes with every write that changes a word.
struct ShaderCode
{
    explicit ShaderCode(ShaderStage stage)
        : words(stage == ShaderStage::Vertex ? kVertexCodeWords : kGeometryCodeWords, 0)
    {
    }
    std::vector<u32> words;
    std::array<u32, kDescriptorCount> descriptors = {};
    u64 revision = 1;

    // Returns false, and stores nothing, if the memory has no such word.
    bool write_word(u32 offset, u32 word);
    bool write_descriptor(u32 index, u32 word);
};

// What the reachable instructions of a program use.
struct ProgramUsage
{
    u16 inputs = 0;                       // v registers that are read
    std::array<u8, 16> input_masks = {};  // their components that are read, bit 0 = x
    u16 outputs = 0;                      // o registers that are written
    std::array<u8, 16> output_masks = {}; // their components that are written, bit 0 = x
    u16 temporaries_read = 0;
    u16 temporaries_written = 0;
    std::bitset<96> constants; // c registers named directly
    bool relative = false;     // some c register is addressed relatively: all of them may be read
    bool relative_a0 = false;  // some c register is addressed through a0
    u16 bools = 0;             // bool registers tested
    u8 ints = 0;               // int registers used by LOOP
    bool loops = false;
    bool flags = false; // a branch tests the cmp flags
    bool emits = false; // EMIT or SETEMIT
    // Anomalies; report_anomalies reports them.
    bool undefined_opcodes = false;
    bool dsti = false;
    bool int_field_overflow = false;
    bool jumps_outside = false; // an instruction names an address at or after limit()
    bool runs_off = false;      // control can reach the last word and would go on behind it; it ends there
};

// Calls visit(n) for each float constant c<n> that the program names, lowest first. With relative addressing it may read
// others, too.
template <typename Visit>
void for_each_constant(const ProgramUsage& usage, Visit visit)
{
    const std::bitset<96> low_half(~u64{0});
    for (u64 bits = (usage.constants & low_half).to_ullong(); bits != 0; bits &= bits - 1)
        visit(static_cast<u32>(std::countr_zero(bits)));
    for (u64 bits = (usage.constants >> 64).to_ullong(); bits != 0; bits &= bits - 1)
        visit(64 + static_cast<u32>(std::countr_zero(bits)));
}

// An immutable program that starts at `entry`.
class Program
{
public:
    // Bits of entry beyond the code memory are ignored, because the register does not store them.
    Program(const ShaderCode& code, u32 entry, ShaderStage stage);

    ShaderStage stage() const { return stage_; }
    u16 entry() const { return cfg_.entry; }
    // The last word of the code memory acts as END, and so does everything after it. [GAME for the geometry
    // unit, ASSUMED for vertex units]
    u16 limit() const { return cfg_.limit; }
    // Indexed by address, limit() entries.
    std::span<const Instruction> instructions() const { return instructions_; }
    const Instruction& instruction(u32 pc) const { return instructions_[pc]; }
    const OperandDescriptor& descriptor(u32 index) const { return descriptors_[index]; }
    bool reachable(u32 pc) const { return cfg_.reachable[pc]; }
    const Cfg& cfg() const { return cfg_; }
    const ProgramUsage& usage() const { return usage_; }

    // What identifies this program: stage, entry, reachable runs of (address, word), referenced descriptors.
    // Equal content means equal behaviour, and equal words give equal content on every host.
    std::span<const u32> content() const { return content_->words; }
    // Two programs are the same if and only if their ids are equal (program_content.h).
    u64 id() const { return content_->id; }
    // A name for people. Different programs may share it.
    u64 hash() const { return content_->hash; }

private:
    void collect_usage();
    void collect_content(const ShaderCode& code);

    ShaderStage stage_;
    Cfg cfg_;
    std::vector<Instruction> instructions_;
    std::array<OperandDescriptor, kDescriptorCount> descriptors_;
    ProgramUsage usage_;
    std::shared_ptr<const ProgramContent> content_;
};

// The components of source n that the instruction can read; bit 0 = x.
u8 read_components(const Instruction& instruction, const OperandDescriptor& descriptor, u32 n);

// Reports what is odd about the program itself, once per program. Both backends call it when they first use a
// program.
void report_anomalies(const Program& program, Report& report);

} // namespace pica
