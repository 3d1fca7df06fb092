// SPDX-License-Identifier: MIT
// Pairs of programs that differ but have the same Program::hash(). They were found by a search of seconds for
// three or four words after which the state of the hash is the same.
#pragma once

#include "tests/support/programs/program_builder.h"

#include <array>

namespace tests
{

namespace detail
{

// Identity swizzles and the mask xyzw.
inline constexpr pica::u32 kPlainDescriptor = 15 | 0x1B << 5 | 0x1B << 14 | 0x1Bu << 23;

constexpr pica::u32 plain(pica::Opcode op, pica::u32 destination, pica::u32 a, pica::u32 b = 0)
{
    return static_cast<pica::u32>(op) << 26 | destination << 21 | a << 12 | b << 7 | 127;
}

} // namespace detail

inline constexpr pica::u32 kColorOfVertexProgram = 87;   // c87: r1 = v0 * c87 + v13
inline constexpr pica::u32 kColorOfGeometryProgram = 58; // c58: r1 = v0 * c58 + v3

// o0 = v0, o1 = r1, which is 0 unless `colored`.
inline ProgramBuilder colliding_vertex_program(bool colored)
{
    constexpr std::array<pica::u32, 3> kWords[] = {{0xF719B8E0, 0xD79C6A20, 0xD34B7F40},
                                                   {0xF101DDA0, 0xDDFF9820, 0xE306FE20}};
    ProgramBuilder b;
    b.raw(detail::plain(pica::Opcode::Mov, 0, 0));
    for (const pica::u32 word : kWords[colored ? 1 : 0])
        b.raw(word);
    b.raw(detail::plain(pica::Opcode::Mov, 1, 17));
    b.end();
    b.set_descriptor(0, detail::kPlainDescriptor);
    b.set_descriptor(127, detail::kPlainDescriptor);
    return b;
}

// A triangle v0 + c0, v0 + c1, v0 + c2 with o1 = r1 at each corner.
inline ProgramBuilder colliding_geometry_program(bool colored)
{
    constexpr std::array<pica::u32, 3> kWords[] = {{0xD370C200, 0xDB21C1C0, 0xCE062480},
                                                   {0xF1016860, 0xF3E71DA0, 0xD34B7F40}};
    ProgramBuilder b;
    for (const pica::u32 word : kWords[colored ? 1 : 0])
        b.raw(word);
    for (pica::u32 corner = 0; corner < 3; ++corner)
    {
        b.set_emit(corner, corner == 2, false);
        b.raw(detail::plain(pica::Opcode::Add, 0, 32 + corner, 0));
        b.raw(detail::plain(pica::Opcode::Mov, 1, 17));
        b.emit();
    }
    b.end();
    b.set_descriptor(0, detail::kPlainDescriptor);
    b.set_descriptor(127, detail::kPlainDescriptor);
    return b;
}

// o0 = v0, o1 = 0; LOOP i2 over three instructions, or four instructions that run once.
inline ProgramBuilder colliding_loop_program(bool loops)
{
    constexpr std::array<pica::u32, 4> kWords[] = {{0xD7CE8BE0, 0xFF586CA0, 0xD9D63C80, 0xF9E506A0},
                                                   {0xA4801015, 0xF704FDC0, 0xF2431DA0, 0xE7A405A0}};
    ProgramBuilder b;
    b.raw(detail::plain(pica::Opcode::Mov, 0, 0));
    for (const pica::u32 word : kWords[loops ? 1 : 0])
        b.raw(word);
    b.raw(detail::plain(pica::Opcode::Mov, 1, 17));
    b.end();
    b.set_descriptor(0, detail::kPlainDescriptor);
    b.set_descriptor(127, detail::kPlainDescriptor);
    return b;
}

} // namespace tests
