// SPDX-License-Identifier: MIT
// Primitive assembly: vertices to triangles, in the slot order of pica/hardware/primitives.md, "Assembly",
// with two slots that keep their vertices from draw to draw. Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <array>

namespace pica
{

// Vertices are only numbers here; the caller knows what they stand for.
class PrimitiveAssembler
{
public:
    struct State
    {
        u32 filled = 0; // as the members below
        u32 next = 0;
        bool ready = false; // strips and fans: both slots are filled
        bool inverted = false;
    };
    State state() const { return {filled_, next_, ready_, invert_}; }
    // filled and next are 0..2. The vertices in the slots are numbered from 0.
    void set_state(const State& state)
    {
        slot_ = {0, 1};
        filled_ = state.filled, next_ = state.next;
        ready_ = state.ready, invert_ = state.inverted;
    }

    void restart() { next_ = filled_ = 0, ready_ = invert_ = false; }
    // The next triangle of a list exchanges its first two vertices (geometry shader unit only).
    void invert() { invert_ = true; }

    // As after restart().
    bool is_empty() const { return filled_ == 0 && next_ == 0 && !ready_ && !invert_; }
    // How many slots hold a vertex that may still be needed, and which. The caller may renumber them.
    u32 pending() const { return filled_; }
    u32 slot(u32 i) const { return slot_[i]; }
    u32 next_slot() const { return next_; } // the slot that the next vertex takes
    void set_slot(u32 i, u32 vertex) { slot_[i] = vertex; }

    // Adds a vertex. Calls emit(a, b, c) if v completes a triangle.
    template <typename Emit>
    void push(Topology topology, u32 v, Emit&& emit)
    {
        switch (topology)
        {
        case Topology::TriangleStrip:
        case Topology::TriangleFan:
            // After a list: cannot happen, because a change of topology restarts.
            next_ = next_ > 1 ? 0 : next_;
            if (ready_)
                emit(slot_[0], slot_[1], v);
            slot_[next_] = v;
            filled_ = filled_ > next_ ? filled_ : next_ + 1;
            if (next_ == 1)
                ready_ = true;
            next_ = topology == Topology::TriangleStrip ? 1 - next_ : 1;
            return;
        case Topology::TriangleList:
        case Topology::Geometry: // decoded as TriangleList
            if (next_ < 2)
            {
                slot_[next_++] = v;
                filled_ = next_;
                return;
            }
            next_ = filled_ = 0;
            if (invert_)
                emit(slot_[1], slot_[0], v);
            else
                emit(slot_[0], slot_[1], v);
            invert_ = false;
            return;
        }
    }

private:
    std::array<u32, 2> slot_{};
    u32 next_ = 0;
    u32 filled_ = 0;
    bool ready_ = false;
    bool invert_ = false;
};

} // namespace pica
