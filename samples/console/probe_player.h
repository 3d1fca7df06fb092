// SPDX-License-Identifier: MIT
// Runs the operations of one probe (samples/probe/pack_format.h).
#pragma once

#include "samples/console/gpu_service.h"
#include "samples/probe/pack_format.h"

namespace console
{

class ProbePlayer
{
public:
    // pack: all probes. linear: 2 * kMaxPiece bytes of linear memory.
    ProbePlayer(GpuService& gpu, const uint8_t* pack, uint8_t* linear)
        : gpu_(gpu), pack_(pack), up_(linear), down_(linear + probe_format::kMaxPiece)
    {
    }

    // Does each part of the GPU do a trifle, and is something drawn? Not after a probe that hung, until the console was turned off.
    bool gpu_answers();
    // Clears VRAM, then plays the probe and puts its answer to `answer`.
    Ending play(const probe_format::PackProbe& probe, uint8_t* answer);

private:
    Ending step(const uint32_t* operation, uint8_t*& answer);
    Ending clear_vram();
    Ending fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control);
    Ending copy(uint32_t from, uint32_t to, uint32_t bytes);
    Ending put(const void* bytes, uint32_t count);
    Ending list(uint32_t bytes);
    Ending quiet_list(uint32_t bytes);
    Ending empty_list();
    Ending fetch(uint32_t from, uint32_t bytes);
    Ending read(uint32_t from, uint32_t bytes, uint8_t*& answer);
    Ending check_drawn(uint32_t from, uint32_t bytes, uint32_t value);
    Ending play_operations(uint32_t first, uint8_t* answer, Ending ending);
    Ending play_canary();
    uint32_t list_word() const;

    GpuService& gpu_;
    const uint8_t* pack_;
    uint8_t* up_;
    uint8_t* down_;
    bool is_quiet_ = false; // a quiet list was the last one
};

} // namespace console
