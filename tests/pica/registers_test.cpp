// SPDX-License-Identifier: MIT
// Facts of pica/regs/registers.h. Ids and encodings: pica/hardware/registers.md and test-vectors.md.
#include "pica/regs/registers.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace pica;

namespace
{

std::vector<u32> dirty_registers(const RegisterFile& regs)
{
    std::vector<u32> ids;
    regs.for_each_dirty([&](u32 id) { ids.push_back(id); });
    return ids;
}

} // namespace

TEST_CASE("registers: documented ids")
{
    CHECK(reg::FINALIZE::id == 0x010);
    CHECK(reg::TEXENV_COMBINER::ids == std::array<u32, 6>{0x0C2, 0x0CA, 0x0D2, 0x0DA, 0x0F2, 0x0FA});
    CHECK(reg::TEXUNIT_PARAM::ids == std::array<u32, 3>{0x083, 0x093, 0x09B});
    CHECK(reg::TEXUNIT_TYPE::ids == std::array<u32, 3>{0x08E, 0x096, 0x09E});
    CHECK(reg::LIGHT_ATTENUATION_SCALE::ids[7] == 0x1BB);
    CHECK(reg::ATTRIBBUFFER_CONFIG2::ids[11] == 0x226);
    CHECK(reg::VSH_OPDESCS_DATA::ids[7] == 0x2DD);
    CHECK(reg::FRAMEBUFFER_DIM::id == 0x11E);
}

TEST_CASE("registers: both shader banks have the same layout")
{
    CHECK(reg::GSH_ENTRYPOINT::id - kGeometryBank == reg::VSH_ENTRYPOINT::id - kVertexBank);
    CHECK(reg::GSH_FLOATUNIFORM_DATA::id - kGeometryBank == reg::VSH_FLOATUNIFORM_DATA::id - kVertexBank);
    CHECK(reg::GSH_OPDESCS_INDEX::id - kGeometryBank == reg::VSH_OPDESCS_INDEX::id - kVertexBank);
}

TEST_CASE("registers: reset values")
{
    const RegisterFile regs;
    CHECK(regs[0x020] == 0x12345678);
    CHECK(regs[0x030] == 0xFFFFFFF0);
    CHECK(regs[0x031] == 0xFFFFFFFF);
    CHECK(regs[0x034] == 1);
    CHECK(regs[0x289] == 0xA0000001);
    CHECK(regs[0x040] == 0);
    CHECK(regs.any_dirty());
    CHECK(regs.is_dirty(0x3FF));
}

TEST_CASE("registers: typed fields read what was written")
{
    RegisterFile regs;
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0x00008061);
    CHECK(regs.get(reg::FRAGOP_ALPHA_TEST::enable));
    CHECK(regs.get(reg::FRAGOP_ALPHA_TEST::func) == CompareFunc::Greater);
    CHECK(regs.get(reg::FRAGOP_ALPHA_TEST::reference) == 0x80);
    regs.set(reg::TEXENV_COMBINER::color_op, CombinerOp::MultiplyThenAdd, 4);
    CHECK(regs[0x0F2] == 8);
    CHECK(regs.get(reg::TEXENV_COMBINER::color_op, 4) == CombinerOp::MultiplyThenAdd);
    CHECK(regs.get(reg::TEXENV_COMBINER::color_op, 3) == CombinerOp::Replace);
}

TEST_CASE("registers: signed fields are sign-extended")
{
    RegisterFile regs;
    regs.write(reg::VIEWPORT_XY::id, 0x02000001);
    CHECK(regs.get(reg::VIEWPORT_XY::x) == 1);
    CHECK(regs.get(reg::VIEWPORT_XY::y) == -512);
    regs.set(reg::VIEWPORT_XY::x, -1);
    CHECK(regs[reg::VIEWPORT_XY::id] == 0x020003FF);
    regs.write(reg::TEXUNIT_LOD::ids[1], 0x1FFF);
    CHECK(regs.get(reg::TEXUNIT_LOD::bias, 1) == -1);
    regs.set(reg::LIGHT_SPOTDIR_XY::y, -2048, 7);
    CHECK(regs[0x1B6] == 0x18000000);
    CHECK(regs.get(reg::LIGHT_SPOTDIR_XY::y, 7) == -2048);
}

TEST_CASE("registers: command buffer fields count in units of 16 bytes")
{
    RegisterFile regs;
    regs.write(reg::CMDBUF_SIZE::ids[0], 0xFFFFFFFF);
    regs.write(reg::CMDBUF_ADDR::ids[1], 0xFFFFFFFF);
    CHECK(regs.get(reg::CMDBUF_SIZE::size, 0) * 16 == (0x001FFFFEu << 3));
    CHECK(regs.get(reg::CMDBUF_ADDR::address, 1) == 0x0FFFFFFF);
}

TEST_CASE("registers: GSH_MISC0 of a particle system")
{
    RegisterFile regs;
    regs.write(reg::GSH_MISC0::id, 0x01004302);
    CHECK(regs.get(reg::GSH_MISC0::mode) == GeometryMode::Fixed);
    CHECK(regs.get(reg::GSH_MISC0::vertices_minus_1) == 3);
    CHECK(regs.get(reg::GSH_MISC0::attributes_minus_1) == 4);
    CHECK(regs.get(reg::GSH_MISC0::first_uniform) == 0);
    CHECK(regs.get(reg::GSH_MISC0::fixed));
    regs.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000102);
    CHECK(regs.get(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1) == 2);
    CHECK(regs.get(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms));
    CHECK(regs.get(reg::GSH_INPUTBUFFER_CONFIG::role) == 0x08);
}

TEST_CASE("registers: byte masks merge")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0x00015505, 0x5);
    CHECK(regs[0x0E0] == 0x00010005);
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0xFFFF3AFF, 0x2);
    CHECK(regs[0x0E0] == 0x00013A05);
    CHECK(regs.get(reg::TEXENV_UPDATE_BUFFER::fog_mode) == FogMode::Fog);
    CHECK(regs.get(reg::TEXENV_UPDATE_BUFFER::alpha_update) == 3);
    CHECK(regs.get(reg::TEXENV_UPDATE_BUFFER::color_update) == 10);
    CHECK(regs.get(reg::TEXENV_UPDATE_BUFFER::fog_flip));
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0, 0);
    CHECK(regs[0x0E0] == 0x00013A05);
}

TEST_CASE("registers: a register is dirty once its word changes")
{
    RegisterFile regs;
    regs.clear_dirty();
    CHECK_FALSE(regs.any_dirty());
    regs.write(0x100, 0);
    CHECK_FALSE(regs.any_dirty());
    regs.write(0x100, 1);
    CHECK(regs.is_dirty(0x100));
    for (const u32 id : {0u, 0x3Fu, 0x40u, 0x3FFu})
        regs.mark_dirty(id);
    CHECK(dirty_registers(regs) == std::vector<u32>{0, 0x3F, 0x40, 0x100, 0x3FF});
    regs.clear_dirty();
    CHECK(dirty_registers(regs).empty());
    regs.mark_all_dirty();
    CHECK(dirty_registers(regs).size() == kRegisterCount);
}

TEST_CASE("registers: ids outside the space read 0 and are ignored")
{
    RegisterFile regs;
    regs.clear_dirty();
    regs.write(0x400, 5);
    regs.write(0xFFFFFFFF, 5);
    regs.mark_dirty(0x400);
    CHECK(regs[0x400] == 0);
    CHECK_FALSE(regs.any_dirty());
    CHECK(register_name(0x400) == "OUT_OF_RANGE");
    CHECK(describe_write(0x12345, 1) == "OUT_OF_RANGE = 0x00000001");
}

TEST_CASE("registers: names of arrays carry the number where 3dbrew has it")
{
    CHECK(register_name(0x104) == "FRAGOP_ALPHA_TEST");
    CHECK(register_name(0x0DA) == "TEXENV3_COMBINER");
    CHECK(register_name(0x091) == "TEXUNIT1_BORDER_COLOR");
    CHECK(register_name(0x08A) == "TEXUNIT0_ADDR6");
    CHECK(register_name(0x174) == "LIGHT3_XY");
    CHECK(register_name(0x052) == "SH_OUTMAP_O2");
    CHECK(register_name(0x225) == "ATTRIBBUFFER11_CONFIG1");
    CHECK(register_name(0x1C8) == "LIGHTING_LUT_DATA0");
    CHECK(register_name(0x010) == "FINALIZE");
    CHECK(register_name(0x011) == "IRQ_REQ1");
    CHECK(register_name(0x3A0) == "UNKNOWN_3A0");
}

TEST_CASE("registers: every id has a name of its own")
{
    std::set<std::string> names;
    for (u32 id = 0; id < kRegisterCount; ++id)
        names.insert(std::string(register_name(id)));
    CHECK(names.size() == kRegisterCount);
}

TEST_CASE("registers: a write is described field by field")
{
    CHECK(describe_write(0x104, 0x8061) == "FRAGOP_ALPHA_TEST = 0x00008061 enable=1 func=6 reference=128");
    CHECK(describe_write(0x068, 0x000003FF) == "VIEWPORT_XY = 0x000003FF x=-1 y=0");
    CHECK(describe_write(0x22E, 1) == "DRAWARRAYS = 0x00000001");
}
