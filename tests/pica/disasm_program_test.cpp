// SPDX-License-Identifier: MIT
// Listings of whole programs, uniform names, and the worked encodings of pica/hardware/test-vectors.md.
#include "pica/shader/disasm.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

std::string instruction_text(u32 word, u32 descriptor = 0x0D86C36F)
{
    return disassemble(decode_instruction(word), decode_descriptor(descriptor));
}

} // namespace

TEST_CASE("disasm: the worked encodings read as documented")
{
    CHECK(instruction_text(0x84000000) == "nop");
    CHECK(instruction_text(0x88000000) == "end");
    CHECK(instruction_text(0xA8000000) == "emit");
    CHECK(instruction_text(0xAC000000) == "setemit 0");
    CHECK(instruction_text(0x4C000000) == "mov o0.xyzw, v0.xyzw");
    CHECK(instruction_text(0x4E225002) == "mov r1.xyzw, c5.xyzw");
    CHECK(instruction_text(0x0A020001) == "dp4 r0.xyzw, c0.xyzw, v0.xyzw");
    CHECK(instruction_text(0xF0009220) == "mad r0.xyzw, v0.xyzw, c4.xyzw, r1.xyzw");
    CHECK(instruction_text(0x4C000000, 0x00001C88) == "mov o0.x, v0.wzyx");
}

TEST_CASE("disasm: a program shows labels, gaps and uniform names")
{
    ProgramBuilder b;
    b.if_uniform(3);
    b.dp4(o(0)["x"], c(0x13), v(0));
    b.otherwise();
    b.mov(o(0), c(7));
    b.end_if();
    b.loop(1);
    b.call("f");
    b.nop();
    b.end_loop();
    b.end();
    b.org(12);
    b.function("f");
    b.nop();
    b.end_function();
    const ShbinUniform names[] = {{"matrix", 0x22, 0x25}, {"lit", 0x7B, 0x7B}, {"rounds", 0x71, 0x71}};
    CHECK(disassemble(b.program(), names) == R"(entry 000
000  ifu lit, 002 +1
001  dp4 o0.x, matrix[1].xyzw, v0.xyzw
L002:
002  mov o0.xyzw, c7.xyzw
L003:
003  loop rounds, 005
004  call 00C +1
005  nop
L006:
006  end
     ...
L00C:
00C  nop
)");

    // Labels of a SHBIN file: shown where they stand, and where they are meant.
    const ShbinLabel labels[] = {{"transform", 0}, {"f", 12}, {"f_end", 13}};
    CHECK(disassemble(b.program(), {}, labels) == R"(entry 000
transform:
000  ifu b3, 002 +1
001  dp4 o0.x, c19.xyzw, v0.xyzw
L002:
002  mov o0.xyzw, c7.xyzw
L003:
003  loop i1, 005
004  call f +1
005  nop
L006:
006  end
     ...
f:
00C  nop
)");
}

TEST_CASE("disasm: any word has a text of one line")
{
    tests::Random random(1);
    u32 odd = 0;
    for (u32 i = 0; i < 20000; i++)
    {
        const std::string line = instruction_text(random.next(), random.next());
        odd += line.size() < 3 || line.find('\n') != std::string::npos ? 1 : 0;
    }
    CHECK(odd == 0);
}
