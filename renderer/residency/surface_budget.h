// SPDX-License-Identifier: MIT
// SurfaceBudget: how much memory the images of surfaces take, and may take. A dropped image counts until the device has
// finished with it. Tests: tests/renderer/surface_budget_test.cpp.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>
#include <deque>

namespace renderer
{

// Not thread-safe.
class SurfaceBudget
{
public:
    // The limit at 1x of a device that has enough memory. At N x it is N * N times as large.
    static constexpr u64 kUsualBytes = u64{64} << 20;

    // The limit is the usual one, or a quarter of the device's memory if that is less. The arguments must outlive the
    // object.
    SurfaceBudget(const Device& device, Memory& memory, Stream& stream, u32 scale);

    void set_limit(u64 bytes) { limit_ = bytes; }
    // What bytes() may be now.
    u64 limit() const { return std::min(limit_, available_); }

    void created(u64 bytes);
    // The image is retired with the submission being recorded.
    void dropped(u64 bytes);

    // Is there memory for so many more bytes, within the limit and on the device, without dropping anything? Stops
    // counting dropped images that the device has finished with. Never waits. beside: bytes that only the device must have.
    bool has_room(u64 bytes, u64 beside);
    // Is there memory on the device once all is freed that costs less than surfaces, decoded textures for instance? No: for
    // some seconds the limit is less than what images take now, so that other things than surfaces find memory.
    bool device_has_room(u64 bytes);
    // The same limit, where the memory of surfaces was needed for something else. bytes: what they may take.
    void is_short(u64 bytes) { available_ = bytes; }
    // Submits if need be, and waits until so many more bytes are within the limit, or no dropped image is left.
    void wait_for_room(u64 bytes);
    // The same until no dropped image is left.
    void wait_for_dropped();
    void end_frame();

    u64 live_bytes() const { return live_bytes_; } // without dropped images
    u64 bytes() const { return bytes_; }
    u64 peak_bytes() const { return peak_bytes_; }

private:
    struct Dropped
    {
        u64 serial = 0;
        u64 bytes = 0;
    };
    bool try_device(u64 bytes);
    bool relieve_device();
    void collect();
    bool wait_for_oldest();

    Memory& memory_;
    Stream& stream_;
    std::deque<Dropped> dropped_;
    u64 limit_ = 0;
    // What images may take on a device that has less memory than the limit.
    u64 available_ = ~u64{0};
    u64 live_bytes_ = 0;
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
    u64 frame_ = 0;
};

} // namespace renderer
