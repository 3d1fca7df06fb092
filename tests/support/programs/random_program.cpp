// SPDX-License-Identifier: MIT
#include "tests/support/programs/random_program.h"

#include "pica/base/float24.h"
#include "tests/support/programs/program_builder.h"

namespace tests
{

namespace
{

constexpr u32 kFunctions = 4;

u32 random_arithmetic_word(Random& random)
{
    // Weighted towards what programs consist of; rare opcodes stay present.
    const u32 op =
        random.pick({0x00u, 0x01u, 0x02u, 0x03u, 0x04u, 0x05u, 0x06u, 0x07u, 0x08u, 0x08u, 0x09u, 0x0Au,
                     0x0Bu, 0x0Cu, 0x0Du, 0x0Eu, 0x0Fu, 0x12u, 0x12u, 0x13u, 0x13u, 0x18u, 0x19u, 0x1Au,
                     0x1Bu, 0x21u, 0x2Au, 0x2Bu, 0x2Eu, 0x2Eu, 0x2Fu, 0x30u, 0x33u, 0x38u, 0x3Cu, 0x10u});
    return op << 26 | (random.next() & 0x03FFFFFF);
}

FlagCondition random_condition(Random& random)
{
    return {static_cast<ConditionOp>(random.below(4)), random.chance(1, 2), random.chance(1, 2)};
}

class StructuredWriter
{
public:
    StructuredWriter(Random& random, bool is_short) : random_(random), words_(is_short ? 20 : 90) {}

    void write()
    {
        body(0, 0, 0, 0);
        builder.end();
        for (u32 i = 0; i < kFunctions; i++)
        {
            builder.function(name(i));
            body(0, 0, i + 1, 1);
            // A call may be the last instruction of a function: both return at once.
            if (i + 1 < kFunctions && random_.chance(1, 3))
                builder.call(name(i + 1));
            else
                builder.raw(random_arithmetic_word(random_));
            builder.end_function();
        }
    }

    ProgramBuilder builder;

private:
    static std::string name(u32 i) { return "f" + std::to_string(i); }

    // Statements of one region. function: the next one that may be called; kFunctions = none.
    void body(u32 depth, u32 loops, u32 function, u32 in_function)
    {
        const u32 statements = 1 + random_.below(depth != 0 ? 4 : words_ >= 90 ? 8 : 3);
        for (u32 i = 0; i < statements && builder.pc() < words_ + words_ / 9 * in_function; i++)
            statement(depth, loops, function, in_function);
        builder.raw(random_arithmetic_word(random_));
    }

    void statement(u32 depth, u32 loops, u32 function, u32 in_function)
    {
        const u32 kind = random_.below(16);
        if (kind < 3 && depth < 4)
        {
            if (random_.chance(1, 2))
                builder.if_uniform(random_.below(16));
            else
                builder.if_flags(random_condition(random_));
            body(depth + 1, loops, function, in_function);
            if (random_.chance(1, 2))
            {
                builder.otherwise();
                body(depth + 1, loops, function, in_function);
            }
            builder.end_if();
        }
        else if (kind == 3 && depth < 4 && loops < 3)
        {
            builder.loop(random_.below(4));
            body(depth + 1, loops + 1, function, in_function);
            builder.end_loop();
        }
        else if (kind == 4 && loops > 0)
            builder.break_if(random_condition(random_));
        else if (kind == 5 && function < kFunctions)
        {
            const std::string callee = name(function + random_.below(kFunctions - function));
            if (random_.chance(1, 2))
                builder.call(callee);
            else if (random_.chance(1, 2))
                builder.call_uniform(random_.below(16), callee);
            else
                builder.call_flags(random_condition(random_), callee);
        }
        else if (kind == 6 && depth < 4)
        {
            const std::string target = "l" + std::to_string(labels_++);
            if (random_.chance(1, 2))
                builder.jump_uniform(random_.below(16), random_.chance(1, 2), target);
            else
                builder.jump_flags(random_condition(random_), target);
            builder.raw(random_arithmetic_word(random_));
            if (random_.chance(1, 2))
                statement(depth + 1, loops, function, in_function);
            builder.label(target);
        }
        else if (kind == 7 && depth > 0 && random_.chance(1, 4))
            builder.end();
        else
            builder.raw(random_arithmetic_word(random_));
    }

    Random& random_;
    u32 words_; // of main, about
    u32 labels_ = 0;
};

void write_wild(Random& random, ShaderCode& code, bool is_short)
{
    const u32 length = 8 + random.below(is_short ? 12 : 48);
    for (u32 pc = 0; pc < length; pc++)
    {
        u32 word = random_arithmetic_word(random);
        if (random.chance(1, 3))
        {
            const Opcode op =
                random.pick({Opcode::Break, Opcode::Breakc, Opcode::Call, Opcode::Callc, Opcode::Callu,
                             Opcode::Ifu, Opcode::Ifc, Opcode::Ifu, Opcode::Ifc, Opcode::Loop, Opcode::Loop,
                             Opcode::Jmpc, Opcode::Jmpu, Opcode::End});
            const bool near = random.chance(3, 4);
            const u32 target = near ? pc + 1 + random.below(6) : random.below(length + 2);
            const bool block = op == Opcode::Break || op == Opcode::End;
            if (!block || random.chance(1, 3))
                word = ProgramBuilder::flow_word(op, target, random.below(5), random.below(16));
        }
        code.write_word(pc, word);
    }
    code.write_word(length, static_cast<u32>(Opcode::End) << 26);
    // A program without END runs to the end of the memory.
    if (random.chance(1, 16))
        code.write_word(length, static_cast<u32>(Opcode::Nop) << 26);
}

} // namespace

ShaderCode random_program(Random& random, RandomFlow flow, bool is_short)
{
    ShaderCode code(ShaderStage::Vertex);
    if (flow == RandomFlow::Structured)
    {
        StructuredWriter writer(random, is_short);
        writer.write();
        code = writer.builder.code();
    }
    else if (flow == RandomFlow::Wild)
        write_wild(random, code, is_short);
    else if (flow == RandomFlow::Noise)
    {
        for (u32 pc = 0; pc < kVertexCodeWords; pc++)
            code.write_word(pc, random.next());
    }
    else
    {
        const u32 length = 1 + random.below(is_short ? 20 : 60);
        for (u32 pc = 0; pc < length; pc++)
            code.write_word(pc, random_arithmetic_word(random));
        code.write_word(length, static_cast<u32>(Opcode::End) << 26);
    }
    for (u32 i = 0; i < kDescriptorCount; i++)
    {
        // Half of them write all components without swizzles, so that values travel.
        const u32 identity = 0x0D86C36Fu;
        code.write_descriptor(i, random.chance(1, 2) ? random.next() : identity);
    }
    return code;
}

ShaderCode random_geometry_program(Random& random, RandomFlow flow, std::span<const u8> positions,
                                   bool is_short, bool tidy)
{
    constexpr u32 kCopyDescriptor = 127;
    constexpr u32 kIdentity = 0x0D86C36F; // all components, no swizzle
    const auto position = [&](u32 n)
    { return u32(Opcode::Mov) << 26 | u32{positions[n % positions.size()]} << 12 | kCopyDescriptor; };
    const auto set_emit = [](u32 vertex, bool primitive, bool invert)
    { return u32(Opcode::Setemit) << 26 | vertex << 24 | u32{primitive} << 23 | u32{invert} << 22; };
    const u32 emit = u32(Opcode::Emit) << 26;

    const auto move = [&](u32 destination, u32 source)
    { return u32(Opcode::Mov) << 26 | destination << 21 | source << 12 | kCopyDescriptor; };
    const auto source = [&] { return random.chance(1, 2) ? random.below(16) : 0x20 + random.below(32); };
    std::vector<u32> words;
    if (tidy)
    {
        for (u32 n = 0; n < 16; ++n)
            words.push_back(move(0x10 + n, source()));
        words.push_back(u32(Opcode::Mova) << 26 | source() << 12 | kCopyDescriptor);
        words.push_back(u32(Opcode::Cmp) << 26 | source() << 12 | random.below(16) << 7 | kCopyDescriptor);
        // One round or more of nothing: aL.
        words.push_back(ProgramBuilder::flow_word(Opcode::Loop, u32(words.size()) + 1, 0, random.below(4)));
        words.push_back(u32(Opcode::Nop) << 26);
    }
    const bool may_emit = !tidy || flow == RandomFlow::None;
    for (u32 n = 0; n < 3; ++n)
    {
        for (u32 k = 1; k < 16 && tidy; ++k)
            words.push_back(move(k, source()));
        for (const u32 word : {position(n), set_emit(n, n == 2, random.chance(1, 4)), emit})
            words.push_back(word);
    }
    const u32 start = u32(words.size());
    const ShaderCode body = random_program(random, flow, is_short);
    while (flow == RandomFlow::Noise && words.size() < kGeometryCodeWords)
        words.push_back(random.next());
    for (u32 i = 0; i < 170 && flow != RandomFlow::Noise; ++i)
    {
        u32 word = body.words[i];
        const u32 op = word >> 26;
        if (is_flow(static_cast<Opcode>(op)))
            word = (word & ~(0xFFFu << 10)) | ((word >> 10 & 0xFFF) + start) << 10;
        else if (word != 0 && random.chance(1, 3))
            word = random.chance(1, 3)               ? position(random.below(u32(positions.size())))
                   : may_emit && random.chance(1, 2) ? emit
                                                     : set_emit(random.chance(1, 24) ? 3 : random.below(3),
                                                                random.chance(1, 2), random.chance(1, 3));
        else if (op >= 0x30 && (word >> 24 & 0x1F) == 0)
            word ^= 1u << 24;
        else if (op < 0x30 && (word >> 21 & 0x1F) == 0)
            word ^= 1u << 21;
        words.push_back(word);
    }
    ShaderCode code(ShaderStage::Geometry);
    for (u32 i = 0; i < words.size(); ++i)
        code.write_word(i, words[i]);
    for (u32 i = 0; i < kDescriptorCount; i++)
        code.write_descriptor(i, i == kCopyDescriptor ? kIdentity : body.descriptors[i]);
    return code;
}

f32 random_float24(Random& random)
{
    const u32 sign = random.below(2) << 23;
    switch (random.below(8))
    {
    case 0: // 0, smallest normal, largest and smallest subnormal, 1, largest, infinity, NaN, 2^-31, 2^32
        return float24_to_f32(random.pick({0x000000u, 0x010000u, 0x00FFFFu, 0x000001u, 0x3F0000u, 0x7EFFFFu,
                                           0x7F0000u, 0x7F8000u, 0x200000u, 0x5F0000u}) |
                              sign);
    case 1:
        return float24_to_f32(random.next() & 0xFFFFFF);
    case 2:
    case 3:
        return static_cast<f32>(random.between(-140, 140));
    default:
        return float24_to_f32(((0x3C0000u + random.below(0x60000)) & 0x7FFFFF) | sign);
    }
}

ShaderUniforms random_uniforms(Random& random)
{
    ShaderUniforms u;
    for (auto& constant : u.f)
        for (f32& component : constant)
            component = random_float24(random);
    for (auto& integer : u.i)
        integer = {static_cast<u8>(random.below(4)), static_cast<u8>(random.next()),
                   static_cast<u8>(random.next()), 0};
    u.b = static_cast<u16>(random.next());
    return u;
}

} // namespace tests
