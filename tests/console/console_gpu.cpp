// SPDX-License-Identifier: MIT
#include "tests/console/console_gpu.h"

#include "pica/command/gpu.h"
#include "pica/memory/guest_memory.h"
#include "renderer/picavk.hpp"
#include "tests/reference/reference_core.h"
#include "tests/support/garbage_registers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tests
{

namespace
{

using namespace pica;

// Another program was there before.
void leave_traces(ConsoleGpu& gpu)
{
    std::fill(gpu.vram.begin(), gpu.vram.end(), u8{0x5A});
    gpu.did_write(ConsoleGpu::kVram, static_cast<u32>(gpu.vram.size()));
    leave_garbage([&](u32 id, u32 value) { gpu.write_register(kP3dWindowBase + 4 * id, value); }, 22);
}

// What an emulator does with picavk: every register write, interrupts, and the CPU's accesses to memory.
class PicavkGpu final : public ConsoleGpu
{
public:
    PicavkGpu()
    {
        picavk::Options options;
        options.backend = picavk::Backend::Software;
        options.regions = {{kVram, static_cast<u32>(vram.size()), vram.data()},
                           {kFcram, static_cast<u32>(fcram.size()), fcram.data()}};
        options.on_interrupt = [this](picavk::Interrupt interrupt)
        {
            if (on_interrupt)
                on_interrupt(static_cast<u32>(interrupt));
        };
        auto [context, status] = picavk::Context::create(std::move(options));
        check(status);
        context_ = std::move(context);
        leave_traces(*this);
    }
    void write_register(u32 address, u32 value) override { check(context_.write_register(address, value)); }
    u32 read_register(u32 address) override
    {
        u32 value = 0;
        check(context_.read_register(address, value));
        return value;
    }
    void did_write(u32 address, u32 bytes) override { check(context_.did_write(address, bytes)); }
    void will_read(u32 address, u32 bytes) override { check(context_.will_read(address, bytes)); }

private:
    static void check(const picavk::Status& status)
    {
        if (!status)
            throw std::runtime_error("picavk: " + status.message);
    }
    picavk::Context context_;
};

class ReferenceGpu final : public ConsoleGpu, private Report
{
public:
    ReferenceGpu() : memory_({{kVram, vram}, {kFcram, fcram}}), core_(memory_), gpu_(core_, *this)
    {
        core_.set_registers(gpu_.processor().registers());
        gpu_.set_interrupt_handler(
            [this](Interrupt interrupt)
            {
                if (on_interrupt)
                    on_interrupt(static_cast<u32>(interrupt));
            });
        leave_traces(*this);
    }
    void write_register(u32 address, u32 value) override
    {
        gpu_.write_register(address, value);
        gpu_.run(RunUntil::End);
    }
    u32 read_register(u32 address) override { return gpu_.read_register(address); }
    void did_write(u32 address, u32 bytes) override { gpu_.did_write(address, bytes); }
    void will_read(u32, u32) override {}

private:
    void report(ReportKind, std::string_view, std::string_view) override {}

    GuestMemory memory_;
    ReferenceCore core_;
    Gpu gpu_;
};

} // namespace

std::unique_ptr<ConsoleGpu> picavk_gpu()
{
    return std::make_unique<PicavkGpu>();
}

std::unique_ptr<ConsoleGpu> reference_gpu()
{
    return std::make_unique<ReferenceGpu>();
}

} // namespace tests
