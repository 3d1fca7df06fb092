// SPDX-License-Identifier: MIT
// Plays a trace into a Gpu, step by step. Source: geometry sheet 10.5. Tests: tests/pica/player_test.cpp.
#pragma once

#include "pica/command/gpu.h"
#include "pica/trace/trace.h"

namespace pica
{

// How far one step goes; each kind also stops where the coarser ones do.
enum class Step : u8
{
    Draw,
    List, // a command list or an engine operation
    Frame,
};

// Why a step stopped.
enum class StepResult : u8
{
    Draw,     // a draw was executed; its list goes on
    List,     // a command list is done
    Fill,     // a memory fill is done
    Transfer, // a display transfer or texture copy is done
    Frame,    // a frame marker was passed
    End,      // nothing is left
};

class TracePlayer
{
public:
    // Loads the recorded state. Both must outlive the player.
    TracePlayer(const Trace& trace, Gpu& gpu);

    StepResult step(Step step);
    // From the first element again: the recorded state is loaded; memory stays as it is where that has none
    // (CiTrace).
    void rewind();

    // Goes on at an element, in a Gpu that is in the state that playing up to there leaves.
    void resume(std::size_t position, u32 frame)
    {
        position_ = position;
        frame_ = frame;
    }

    // False where a state of the trace asks for memory that the Gpu's backend does not have: nothing more is
    // played.
    const Status& status() const { return status_; }
    // Frame markers passed since the start or the last rewind.
    u32 frame() const { return frame_; }
    // Next element.
    std::size_t position() const { return position_; }

private:
    void write_register(const TraceElement& element);
    bool load_state(const TraceElement& element);

    const Trace& trace_;
    Gpu& gpu_;
    std::size_t position_ = 0;
    u32 frame_ = 0;
    Status status_;
};

} // namespace pica
