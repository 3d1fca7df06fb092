// SPDX-License-Identifier: MIT
#include "pica/trace/player.h"

#include "pica/command/gpu.h"
#include "pica/command/snapshot.h"

#include <optional>

namespace pica
{

namespace
{

// What a register write has completed, if it was a trigger.
std::optional<StepResult> operation_of(PhysAddr address)
{
    if (address == ext::PSC_CONTROL::ids[0] || address == ext::PSC_CONTROL::ids[1])
        return StepResult::Fill;
    if (address == ext::PPF_CONTROL::id)
        return StepResult::Transfer;
    return std::nullopt;
}

} // namespace

TracePlayer::TracePlayer(const Trace& trace, Gpu& gpu) : trace_(trace), gpu_(gpu)
{
    rewind();
}

bool TracePlayer::load_state(const TraceElement& element)
{
    status_ = load_snapshot(gpu_, element.data, SnapshotRegions::Inside);
    return static_cast<bool>(status_);
}

void TracePlayer::rewind()
{
    position_ = 0;
    frame_ = 0;
    status_ = {};
    if (trace_.format() == TraceFormat::Pvk)
    {
        // The first element. If it cannot be loaded, nothing is played.
        if (load_state(trace_.elements().front()))
            position_ = 1;
        return;
    }
    RecordedState state;
    state.registers = trace_.section(CtfSection::PicaRegisters);
    state.fixed_attributes = trace_.section(CtfSection::DefaultAttributes);
    state.vertex_code = trace_.section(CtfSection::VertexCode);
    state.vertex_descriptors = trace_.section(CtfSection::VertexDescriptors);
    state.vertex_floats = trace_.section(CtfSection::VertexFloats);
    state.geometry_code = trace_.section(CtfSection::GeometryCode);
    state.geometry_descriptors = trace_.section(CtfSection::GeometryDescriptors);
    state.geometry_floats = trace_.section(CtfSection::GeometryFloats);
    gpu_.restore(state, trace_.section(CtfSection::GpuRegisters), trace_.section(CtfSection::LcdRegisters));
}

void TracePlayer::write_register(const TraceElement& element)
{
    const PhysAddr aligned = element.address & ~3u;
    const u32 shift = (element.address & 3) * 8;
    if (element.width < 4)
    {
        const u32 byte_mask = ((1u << element.width) - 1) << (element.address & 3) & 0xF;
        gpu_.write_register(aligned, static_cast<u32>(element.value) << shift, byte_mask);
        return;
    }
    gpu_.write_register(aligned, static_cast<u32>(element.value), element.byte_mask);
    if (element.width == 8)
        gpu_.write_register(aligned + 4, static_cast<u32>(element.value >> 32));
}

StepResult TracePlayer::step(Step step)
{
    for (;;)
    {
        if (gpu_.is_running())
        {
            const bool more = gpu_.run(step == Step::Draw ? RunUntil::Draw : RunUntil::End);
            if (more)
                return StepResult::Draw;
            if (step != Step::Frame)
                return StepResult::List;
        }
        if (!status_ || position_ >= trace_.elements().size())
            return StepResult::End;
        const TraceElement& element = trace_.elements()[position_++];
        switch (element.kind)
        {
        case TraceElementKind::MemoryLoad:
            gpu_.memory_write(element.address, element.data);
            break;
        case TraceElementKind::FrameMarker:
            gpu_.end_frame();
            ++frame_;
            return StepResult::Frame;
        case TraceElementKind::State:
            (void)load_state(element);
            break;
        case TraceElementKind::Comment:
            break;
        case TraceElementKind::RegisterWrite:
            write_register(element);
            if (const auto operation = operation_of(element.address & ~3u); operation && step != Step::Frame)
                return *operation;
            break;
        }
    }
}

} // namespace pica
