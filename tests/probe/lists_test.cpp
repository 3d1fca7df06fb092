// SPDX-License-Identifier: MIT
// What probes do to a console: no list does what documents warn of without being the question, and what other programs and
// other probes left in the registers has no influence.
#include "pica/base/bytes.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/regs/registers.h"
#include "pica/shader/isa.h"
#include "pica/soft/software_core.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"
#include "tests/support/garbage_registers.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace
{

using namespace pica;
using namespace samples;

// The probes, and the work that stands for their alternatives.
std::vector<Probe> all_work()
{
    std::vector<Probe> all = all_probes();
    for (const EquivalentWork& work : equivalent_work())
        all.push_back(work.make(work.variant));
    return all;
}

// Calls `visit` for each register write of the probe's lists, up to FINALIZE.
void visit_writes(const Probe& probe, const std::function<void(u32 id, u32 value)>& visit)
{
    for (const ProbeOperation& operation : probe.operations())
    {
        if (operation.kind != probe_format::kList && operation.kind != probe_format::kQuietList)
            continue;
        std::vector<u32> words(operation.payload.size() / 4);
        std::memcpy(words.data(), operation.payload.data(), words.size() * 4);
        u32 last = 0;
        for (std::size_t at = 0; at + 1 < words.size() && last != reg::FINALIZE::id;)
        {
            const u32 header = words[at + 1], extra = header >> 20 & 0x7FF;
            const bool is_consecutive = (header >> 31) != 0;
            for (u32 i = 0; i <= extra && at + 1 + i < words.size(); ++i)
            {
                last = (header & 0x3FF) + (is_consecutive ? i : 0);
                if ((header >> 16 & 0xF) != 0)
                    visit(last, i == 0 ? words[at] : words[at + 1 + i]);
            }
            at += (2 + extra + 1) / 2 * 2;
        }
    }
}

std::set<u32> input_registers(const Instruction& instruction)
{
    std::set<u32> inputs;
    for (u32 i = 0; i < instruction.source_count; ++i)
        if (instruction.src[i] < kFirstTemporary)
            inputs.insert(instruction.src[i]);
    return inputs;
}

} // namespace

TEST_CASE("probe lists: no instruction names two input registers, which reads wrong data on a console")
{
    u32 instructions = 0;
    for (const Probe& probe : all_work())
        visit_writes(probe,
                     [&](u32 id, u32 value)
                     {
                         if (id != reg::VSH_CODETRANSFER_DATA::id && id != reg::GSH_CODETRANSFER_DATA::id)
                             return;
                         ++instructions;
                         CHECK_MESSAGE(input_registers(decode_instruction(value)).size() < 2, probe.name());
                     });
    CHECK(instructions > 1000);
}

// Bit 8 of 0x229 and 0x253 is for indexed triangle lists, which have the topology of geometry programs. Draws whose vertices
// go to such a program leave it clear.
TEST_CASE("probe lists: draws by elements are set up as drivers do it")
{
    u32 lists = 0, programs = 0;
    for (const Probe& probe : all_work())
    {
        std::map<u32, u32> registers;
        visit_writes(probe,
                     [&](u32 id, u32 value)
                     {
                         registers[id] = value;
                         const bool by_elements = id == reg::DRAWELEMENTS::id;
                         if (!by_elements && id != reg::DRAWARRAYS::id)
                             return;
                         CAPTURE(probe.name());
                         const bool has_program = (registers[reg::GEOSTAGE_CONFIG::id] & 3) == 2;
                         const bool is_list = by_elements && !has_program;
                         lists += is_list;
                         programs += by_elements && has_program;
                         CHECK((registers[reg::GEOSTAGE_CONFIG::id] >> 8 & 1) == (is_list ? 1u : 0u));
                         CHECK((registers[reg::GEOSTAGE_CONFIG2::id] >> 8 & 1) == (is_list ? 1u : 0u));
                         if (by_elements)
                             CHECK((registers[reg::PRIMITIVE_CONFIG::id] >> 8 & 3) == 3);
                     });
    }
    CHECK(lists > 5);
    CHECK(programs >= 4);
}

namespace
{

// Registers of the geometry unit while it runs vertices, which picavk does not read: the unit has its own copies.
void check_vertex_role(std::map<u32, u32>& registers)
{
    CHECK(registers.at(reg::GSH_MISC0::id) == 0);
    CHECK(registers.at(reg::GSH_MISC1::id) == 0);
    CHECK(registers.at(reg::GSH_INPUTBUFFER_CONFIG::id) == 0xA0000000);
    CHECK(registers.at(reg::GSH_ENTRYPOINT::id) == registers.at(reg::VSH_ENTRYPOINT::id));
    CHECK(registers.at(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id) ==
          registers.at(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id));
    CHECK(registers.at(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id) ==
          registers.at(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id));
}

// What belongs to units that are on, though picavk does not read it there: 0x08B where there is no shadow texture, and noise
// that is off.
void check_texture_units(const std::map<u32, u32>& registers)
{
    constexpr u32 kUnit0 = 1, kUnit3 = 1 << 10;
    const u32 config = registers.at(reg::TEXUNIT_CONFIG::id);
    if ((config & kUnit0) != 0)
        CHECK(registers.count(reg::TEXUNIT0_SHADOW::id) != 0);
    if ((config & kUnit3) == 0)
        return;
    for (u32 id = reg::TEXUNIT3_PROCTEX0::id; id <= reg::TEXUNIT3_PROCTEX5::id; ++id)
        CHECK_MESSAGE(registers.count(id) != 0, id);
}

} // namespace

TEST_CASE("probe lists: before each draw the geometry unit has the role of a vertex unit, or that of the "
          "probe's own program")
{
    for (const Probe& probe : all_work())
    {
        std::map<u32, u32> registers;
        CAPTURE(probe.name());
        bool draws = false, is_prepared = false;
        visit_writes(probe,
                     [&](u32 id, u32 value)
                     {
                         registers[id] = value;
                         // Code goes to both units only while the geometry unit is off.
                         if (id == reg::VSH_CODETRANSFER_INDEX::id)
                             is_prepared = registers.count(reg::GEOSTAGE_CONFIG::id) != 0 &&
                                           registers.count(reg::VSH_COM_MODE::id) != 0;
                         const bool is_immediate = id == reg::FIXEDATTRIB_INDEX::id && value == 15;
                         if (id != reg::DRAWELEMENTS::id && id != reg::DRAWARRAYS::id && !is_immediate)
                             return;
                         draws = true;
                         CHECK(is_prepared);
                         check_texture_units(registers);
                         if ((registers.at(reg::GEOSTAGE_CONFIG::id) & 3) == 0)
                             check_vertex_role(registers);
                         else
                             CHECK((registers.at(reg::GSH_INPUTBUFFER_CONFIG::id) >> 24) == 0x08);
                     });
        if (!draws)
            continue;
        CHECK((registers.at(reg::GEOSTAGE_CONFIG::id) & 3) == 0);
        CHECK(registers.at(reg::GSH_INPUTBUFFER_CONFIG::id) == 0xA0000000);
    }
}

TEST_CASE("probe lists: the canary draws over all that it looks at, and probes that may hang ask it")
{
    const Probe canary = canary_probe();
    const ProbeOperation& check = canary.operations().back();
    CHECK(check.kind == probe_format::kDrawn);
    Probe probe = canary_probe();
    probe.read(check.arguments[0], check.arguments[1]);
    const std::vector<u8> bytes = predict(probe);
    for (std::size_t i = 0; i < bytes.size(); i += 4)
        CHECK(load_word(&bytes[i]) != check.arguments[2]);
    bool may_hang = false;
    for (const Probe& each : all_probes())
    {
        may_hang = may_hang || each.name() == "stored-banks";
        CHECK_MESSAGE((each.operations().back().kind == probe_format::kCanary) == may_hang, each.name());
    }
    CHECK(may_hang);
}

namespace
{

class NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// The answer of a GPU in which another program was before.
std::vector<u8> answer_after_garbage(const Probe& probe, u32 seed, bool flipped)
{
    const std::array<MemoryRange, 2> ranges = {
        {{kVramBase, probe_format::kVramBytes}, {kFcramBase, probe_format::kMaxPiece}}};
    GuestArena arena(ranges);
    NoReport report;
    SoftwareOptions options;
    options.threads = 1;
    SoftwareCore core(arena.memory(), report, options);
    Gpu gpu(core, report);
    tests::leave_garbage([&](u32 id, u32 value) { gpu.write_register(kP3dWindowBase + 4 * id, value); }, seed,
                         flipped);
    return run_probe(probe, gpu);
}

} // namespace

TEST_CASE("probe lists: what another program left in the registers has no influence on any answer")
{
    u32 seed = 0;
    for (const Probe& probe : all_probes())
    {
        ++seed;
        for (const bool flipped : {false, true})
        {
            const u64 digest = answer_digest(answer_after_garbage(probe, seed, flipped));
            for (const Alternative& row : alternatives())
                if (row.probe == probe.name() && row.name == "ours")
                    CHECK_MESSAGE(digest == row.digest, probe.name());
        }
    }
}
