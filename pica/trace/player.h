// SPDX-License-Identifier: MIT
// Plays a trace into a Gpu, step by step. Source: citrace.md, "Playback". Tests: tests/pica/player_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/trace/trace.h"

namespace pica
{

class Gpu;

// How far one step goes. A step also stops where a longer kind of step would stop.
enum class Step : u8
{
    Draw,
    List, // a command list or an engine operation
    Frame,
};

// Why a step stopped.
enum class StepResult : u8
{
    Draw,     // a draw was executed, and its list continues
    List,     // a command list is complete
    Fill,     // a memory fill is complete
    Transfer, // a display transfer or texture copy is complete
    Frame,    // a frame marker was passed
    End,      // nothing is left
};

class TracePlayer
{
public:
    // Loads the recorded state. trace and gpu must outlive the player.
    TracePlayer(const Trace& trace, Gpu& gpu);

    StepResult step(Step step);
    // Starts again at the first element: loads the recorded state. Memory stays as it is if that state has
    // none (CiTrace).
    void rewind();

    // Continues at an element. The Gpu must be in the state that playing up to there leaves.
    void resume(std::size_t position, u32 frame)
    {
        position_ = position;
        frame_ = frame;
    }

    // An error if a state of the trace needs memory that the Gpu's backend does not have. Nothing more is
    // played then.
    const Status& status() const { return status_; }
    // Number of frame markers passed since the start or the last rewind.
    u32 frame() const { return frame_; }
    // Index of the next element.
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
