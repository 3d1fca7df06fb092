// SPDX-License-Identifier: MIT
#include "pica/command/gpu.h"

#include "pica/memory/guest_memory.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace pica
{

namespace
{

bool in_window(PhysAddr address)
{
    return address >= kP3dWindowBase && address - kP3dWindowBase < kRegisterCount * 4;
}

constexpr u32 kHangsWhenRead = 0x06C; // [HW]

} // namespace

Gpu::Gpu(Backend& backend, Report& report)
    : backend_(backend), report_(report), processor_(backend, report, [this] { raise(Interrupt::P3d); })
{
}

void Gpu::raise(Interrupt interrupt)
{
    if (on_interrupt_)
        on_interrupt_(interrupt);
}

void Gpu::finish_list()
{
    while (processor_.is_running())
        processor_.run(RunUntil::End);
}

void Gpu::write_register(PhysAddr address, u32 value, u32 byte_mask)
{
    finish_list();
    address &= ~3u;
    if (hooks_.register_write)
        hooks_.register_write(address, value, byte_mask);
    if (in_window(address))
    {
        processor_.write_register((address - kP3dWindowBase) / 4, value, byte_mask);
        return;
    }
    ++register_writes_;
    if (!ExternalRegisters::contains(address))
    {
        char detail[64];
        std::snprintf(detail, sizeof detail, "0x%08X = 0x%08X, ignored", address, value);
        report_.report(ReportKind::Guest, "register address outside the GPU and LCD blocks", detail);
        return;
    }
    external_.write(address, value, byte_mask);
    const bool low_byte = (byte_mask & 1) != 0;
    for (u32 engine = 0; engine < 2; ++engine)
    {
        if (address == ext::PSC_CONTROL::ids[engine] && low_byte &&
            external_.get(ext::PSC_CONTROL::start, engine))
            fill(engine);
    }
    if (address == ext::PPF_CONTROL::id && low_byte && external_.get(ext::PPF_CONTROL::start))
        transfer();
}

void Gpu::fill(u32 engine)
{
    const MemoryFill fill = decode_memory_fill(external_, engine);
    // With start 0 nothing happens and no interrupt comes, but the bits change [HW].
    if (fill.start != 0)
        backend_.memory_fill(fill);
    external_.set(ext::PSC_CONTROL::start, false, engine);
    external_.set(ext::PSC_CONTROL::finished, true, engine);
    if (fill.start != 0)
        raise(engine == 0 ? Interrupt::Psc0 : Interrupt::Psc1);
}

void Gpu::transfer()
{
    if (is_texture_copy(external_))
        backend_.texture_copy(decode_texture_copy(external_));
    else
        backend_.display_transfer(decode_display_transfer(external_));
    external_.set(ext::PPF_CONTROL::start, false);
    external_.set(ext::PPF_CONTROL::finished, true);
    raise(Interrupt::Ppf);
}

u32 Gpu::read_register(PhysAddr address)
{
    finish_list();
    address &= ~3u;
    if (!in_window(address))
        return external_[address];
    const u32 id = (address - kP3dWindowBase) / 4;
    return id == kHangsWhenRead ? 0 : processor_.registers()[id];
}

void Gpu::memory_write(PhysAddr address, std::span<const u8> bytes)
{
    finish_list();
    const u32 size = static_cast<u32>(std::min<std::size_t>(bytes.size(), 0xFFFFFFFFu));
    if (backend_.memory().count_bytes(address, size) != bytes.size())
    {
        char detail[64];
        std::snprintf(detail, sizeof detail, "0x%08X, %u bytes", address, size);
        report_.report(ReportKind::Guest, "write outside memory", detail);
    }
    backend_.memory().for_each_part(address, size,
                                    [&](PhysAddr begin, std::span<u8> memory)
                                    { write_part(begin, memory, bytes.subspan(begin - address)); });
}

// Writes the part of a CPU write that lies in one region.
void Gpu::write_part(PhysAddr begin, std::span<u8> memory, std::span<const u8> bytes)
{
    const u32 size = static_cast<u32>(memory.size());
    backend_.will_write(begin, size);
    // Unchanged bytes make no cache stale. Recordings load the same textures each time they are played.
    if (std::memcmp(memory.data(), bytes.data(), size) == 0)
        return;
    std::memcpy(memory.data(), bytes.data(), size);
    did_write(begin, size);
}

void Gpu::did_write(PhysAddr address, u32 size)
{
    backend_.did_write(address, size);
    if (hooks_.cpu_write)
        hooks_.cpu_write(address, size);
}

void Gpu::may_have_written(PhysAddr address, u32 size)
{
    backend_.may_have_written(address, size);
    if (!hooks_.cpu_write)
        return;
    // A recording compares the range with what it has. It must not take old bytes of pages on the device.
    backend_.will_read(address, size);
    hooks_.cpu_write(address, size);
}

void Gpu::end_frame()
{
    finish_list();
    if (hooks_.frame_end)
        hooks_.frame_end();
    backend_.end_frame();
    raise(Interrupt::Pdc0);
    raise(Interrupt::Pdc1);
}

void Gpu::reset()
{
    external_.reset();
    processor_.reset();
}

void Gpu::restore(const RecordedState& state, std::span<const u32> gpu, std::span<const u32> lcd)
{
    external_.reset();
    const auto copy = [](std::span<const u32> from, std::span<u32> to)
    { std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin()); };
    copy(gpu, external_.gpu_words());
    copy(lcd, external_.lcd_words());
    processor_.restore(state);
}

GpuState Gpu::state() const
{
    GpuState state;
    state.processor = processor_.state();
    for (std::size_t i = 0; i < state.gpu.size(); ++i)
        state.gpu[i] = external_[kGpuBlockBase + static_cast<u32>(i) * 4];
    for (std::size_t i = 0; i < state.lcd.size(); ++i)
        state.lcd[i] = external_[kLcdBlockBase + static_cast<u32>(i) * 4];
    state.carryover = backend_.save_carryover();
    return state;
}

void Gpu::set_state(const GpuState& state)
{
    external_.reset();
    std::copy(state.gpu.begin(), state.gpu.end(), external_.gpu_words().begin());
    std::copy(state.lcd.begin(), state.lcd.end(), external_.lcd_words().begin());
    processor_.set_state(state.processor);
    backend_.load_carryover(state.carryover);
}

} // namespace pica
