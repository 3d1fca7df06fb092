// SPDX-License-Identifier: MIT
// Facts of pica/regs/external.h. Addresses: pica/hardware/engines.md.
#include "pica/regs/external.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("external registers: documented addresses")
{
    CHECK(ext::PSC_CONTROL::ids == std::array<u32, 2>{0x1040001C, 0x1040002C});
    CHECK(ext::PDC_STRIDE::ids == std::array<u32, 2>{0x10400490, 0x10400590});
    CHECK(ext::PPF_FLAGS::id == 0x10400C10);
    CHECK(ext::PPF_COPY_OUTPUT::id == 0x10400C28);
    CHECK(ext::P3D_CMDBUF_JUMP::ids == std::array<u32, 2>{0x104018F0, 0x104018F4});
    CHECK(ext::LCD_FILL_COLOR::ids == std::array<u32, 2>{0x10202204, 0x10202A04});
}

TEST_CASE("external registers: both blocks are storage, everything else is not")
{
    ExternalRegisters regs;
    CHECK(regs[0x10400000] == 0x00010002);
    regs.write(0x10400000, 0xAABBCCDD, 0x6);
    CHECK(regs[0x10400000] == 0x00BBCC02);
    regs.write(0x10401FFC, 7);
    regs.write(0x10202FFC, 8);
    CHECK(regs[0x10401FFC] == 7);
    CHECK(regs[0x10202FFC] == 8);
    CHECK(regs.gpu_words()[0x7FF] == 7);
    CHECK(regs.lcd_words()[0x3FF] == 8);
    for (const PhysAddr outside : {0x103FFFFCu, 0x10402000u, 0x10201FFCu, 0x10203000u, 0u, 0xFFFFFFFCu})
    {
        CHECK_FALSE(ExternalRegisters::contains(outside));
        regs.write(outside, 1);
        CHECK(regs[outside] == 0);
    }
}

TEST_CASE("external registers: typed fields")
{
    ExternalRegisters regs;
    regs.write(0x1040002C, 0x00000201);
    CHECK(regs.get(ext::PSC_CONTROL::start, 1));
    CHECK(regs.get(ext::PSC_CONTROL::width, 1) == FillWidth::Bits32);
    CHECK_FALSE(regs.get(ext::PSC_CONTROL::start, 0));
    regs.set(ext::PDC_STRIDE::bytes, -720, 0);
    CHECK(regs[0x10400490] == 0xFFFFFD30);
    CHECK(regs.get(ext::PDC_STRIDE::bytes, 0) == -720);
}

TEST_CASE("external registers: names, also inside the command engine's window")
{
    CHECK(ext::register_name(0x10400024) == "PSC1_END");
    CHECK(ext::register_name(0x10400570) == "PDC1_FORMAT");
    CHECK(ext::register_name(0x10202A04) == "LCD1_FILL_COLOR");
    CHECK(ext::register_name(0x104018E0) == "P3D_CMDBUF_SIZE0");
    CHECK(ext::register_name(0x10401410) == "FRAGOP_ALPHA_TEST");
    CHECK(ext::register_name(0x10400ABC) == "UNKNOWN_10400ABC");
    CHECK(ext::describe_write(0x10401410, 0x8061) ==
          "FRAGOP_ALPHA_TEST = 0x00008061 enable=1 func=6 reference=128");
    CHECK(ext::describe_write(0x10400C18, 1) == "PPF_CONTROL = 0x00000001 start=1 finished=0");
}
