// SPDX-License-Identifier: MIT
#include "pica/shader/disasm.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

// Descriptor fields: destination mask in bits 0-3 (bit 3 is x), then per source negation and four 2-bit
// selectors.
constexpr u32 descriptor(u32 mask, u32 negate1, u32 select1, u32 select2 = 0x1B)
{
    return mask | negate1 << 4 | select1 << 5 | select2 << 14 | 0x1Bu << 23;
}

std::string text(u32 word, u32 descriptor_word = descriptor(0xF, 0, 0x1B))
{
    return disassemble(decode_instruction(word), decode_descriptor(descriptor_word));
}

} // namespace

TEST_CASE("disasm: destination, mask, relative source, swizzle and negation are named")
{
    // mul o2.xy, -c5[a0.x].wzyx, v3.xyzw
    const u32 word = 0x08u << 26 | 2u << 21 | 1u << 19 | (0x20u + 5) << 12 | 3u << 7;
    CHECK(text(word, descriptor(0xC, 1, 0xE4)) == "mul o2.xy, -c5[a0.x].wzyx, v3.xyzw");
}

TEST_CASE("disasm: mova writes the address register")
{
    CHECK(text(0x12u << 26 | 0x10u << 12, descriptor(0x8, 0, 0x1B)) == "mova a0.x, r0.xyzw");
}

TEST_CASE("disasm: flow instructions name their condition and targets")
{
    CHECK(text(0x22u << 26) == "end");
    CHECK(text(0x21u << 26) == "nop");
    CHECK(text(0x27u << 26 | 3u << 22 | 0x12u << 10 | 4) == "ifu b3, 012 +4");
    CHECK(text(0x28u << 26 | 1u << 25 | 1u << 22 | 0x20u << 10 | 0) == "ifc cmp.x && !cmp.y, 020 +0");
    CHECK(text(0x24u << 26 | 0x30u << 10 | 5) == "call 030 +5");
}

TEST_CASE("disasm: an undefined opcode is shown by number and does not stop the listing")
{
    CHECK(text(0x11u << 26) == "??? 011");
}

TEST_CASE("disasm: the worked encodings read as they are written there")
{
    constexpr u32 kIdentity = 0x0D86C36F;
    CHECK(text(0x84000000, kIdentity) == "nop");
    CHECK(text(0x88000000, kIdentity) == "end");
    CHECK(text(0xA8000000, kIdentity) == "emit");
    CHECK(text(0xAC000000, kIdentity) == "setemit 0");
    CHECK(text(0x4C000000, kIdentity) == "mov o0.xyzw, v0.xyzw");
    CHECK(text(0x4E225002, kIdentity) == "mov r1.xyzw, c5.xyzw");
    CHECK(text(0x0A020001, kIdentity) == "dp4 r0.xyzw, c0.xyzw, v0.xyzw");
    CHECK(text(0xF0009220, kIdentity) == "mad r0.xyzw, v0.xyzw, c4.xyzw, r1.xyzw");
    CHECK(text(0x4C000000, 0x00001C88) == "mov o0.x, v0.wzyx");
}
