// SPDX-License-Identifier: MIT
#include "samples/probe/probe_runner.h"

#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"

#include <algorithm>

namespace samples
{

using namespace pica;
using namespace probe_format;

namespace
{

constexpr u32 kInternalRegisters = 0x10401000;

// Probes do odd things on purpose.
class NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

void run_list(const ProbeOperation& operation, Gpu& gpu)
{
    gpu.memory_write(kFcramBase, operation.payload);
    gpu.write_register(ext::P3D_CMDBUF_SIZE::id, operation.arguments[0] >> 3);
    gpu.write_register(ext::P3D_CMDBUF_ADDR::id, kFcramBase >> 3);
    gpu.write_register(ext::P3D_CMDBUF_JUMP::id, 1);
    gpu.run(RunUntil::End);
}

void run_engine(const ProbeOperation& operation, Gpu& gpu)
{
    const auto& a = operation.arguments;
    const auto address = [](u32 offset) { return (kVramGpu + offset) >> 3; };
    if (operation.kind == kFill)
    {
        gpu.write_register(ext::PSC_START::id, address(a[0]));
        gpu.write_register(ext::PSC_END::id, address(a[1]));
        gpu.write_register(ext::PSC_VALUE::id, a[2]);
        gpu.write_register(ext::PSC_CONTROL::id, a[3]);
        return;
    }
    gpu.write_register(ext::PPF_INPUT::id, address(a[0]));
    gpu.write_register(ext::PPF_OUTPUT::id, address(a[1]));
    if (operation.kind == kTransfer)
    {
        gpu.write_register(ext::PPF_OUTPUT_SIZE::id, a[3]);
        gpu.write_register(ext::PPF_INPUT_SIZE::id, a[2]);
        gpu.write_register(ext::PPF_FLAGS::id, a[4]);
        gpu.write_register(ext::PPF_UNKNOWN_C14::id, 0);
    }
    else
    {
        gpu.write_register(ext::PPF_COPY_SIZE::id, a[2]);
        gpu.write_register(ext::PPF_COPY_INPUT::id, a[3]);
        gpu.write_register(ext::PPF_COPY_OUTPUT::id, a[4]);
        gpu.write_register(ext::PPF_FLAGS::id, a[5]);
    }
    gpu.write_register(ext::PPF_CONTROL::id, 1);
}

} // namespace

std::vector<u8> run_probe(const Probe& probe, Gpu& gpu)
{
    GuestMemory& memory = gpu.backend().memory();
    std::vector<u8> answer;
    const std::vector<u8> zeros(kVramBytes);
    gpu.memory_write(kVramGpu, zeros);
    for (const ProbeOperation& operation : probe.operations())
    {
        const auto& a = operation.arguments;
        if (operation.kind == kUpload)
            gpu.memory_write(kVramGpu + a[0], operation.payload);
        else if (operation.kind == kList || operation.kind == kQuietList)
            run_list(operation, gpu);
        else if (operation.kind == kRegister)
            gpu.write_register(kInternalRegisters + 4 * a[0], a[1]);
        else if (operation.kind == kFill || operation.kind == kTransfer || operation.kind == kCopy)
            run_engine(operation, gpu);
        else if (operation.kind == kRead) // kCanary and kDrawn are for a GPU that may hang
        {
            gpu.backend().will_read(kVramGpu + a[0], a[1]);
            const auto bytes = memory.span(kVramGpu + a[0], a[1]);
            answer.insert(answer.end(), bytes.begin(), bytes.end());
        }
    }
    return answer;
}

std::vector<u8> predict(const Probe& probe)
{
    const std::array<MemoryRange, 2> ranges = {{{kVramBase, kVramBytes}, {kFcramBase, kMaxPiece}}};
    GuestArena arena(ranges);
    NoReport report;
    SoftwareOptions options;
    options.threads = 1;
    SoftwareCore core(arena.memory(), report, options);
    Gpu gpu(core, report);
    return run_probe(probe, gpu);
}

u64 answer_digest(std::span<const u8> answer)
{
    u64 digest = 0xCBF29CE484222325u;
    for (const u8 byte : answer)
        digest = (digest ^ byte) * 0x100000001B3u;
    return digest;
}

} // namespace samples
