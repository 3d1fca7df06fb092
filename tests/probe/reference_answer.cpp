// SPDX-License-Identifier: MIT
#include "tests/probe/reference_answer.h"

#include "pica/base/silent_report.h"
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "samples/probe/probe_runner.h"
#include "tests/reference/reference_core.h"

#include <array>

namespace tests
{

using namespace pica;

std::vector<u8> reference_answer(const samples::Probe& probe)
{
    const std::array<MemoryRange, 2> ranges = {
        {{kVramBase, probe_format::kVramBytes}, {kFcramBase, probe_format::kMaxPiece}}};
    GuestArena arena(ranges);
    SilentReport report;
    ReferenceCore core(arena.memory());
    Gpu gpu(core, report);
    core.set_registers(gpu.processor().registers());
    return samples::run_probe(probe, gpu);
}

} // namespace tests
