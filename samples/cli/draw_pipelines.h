// SPDX-License-Identifier: MIT
// What the Vulkan renderer binds for a draw, and what the driver tells of it.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/json_text.h"

#include <cstddef>
#include <memory>

namespace pica
{
class Replay;
class Report;
class Trace;
} // namespace pica

namespace renderer
{
struct Options;
}

namespace samples
{

class Playback;
class WatchedDevice;

class DrawPipelines
{
public:
    // The trace and the report must outlive it. Of the options, the device's name and the forced paths count. scale: N, 1
    // to 8, also of the replays that of_operation gets. Error: no device can be used, or its driver tells nothing.
    static pica::Result<std::unique_ptr<DrawPipelines>>
    create(const pica::Trace& trace, const renderer::Options& options, pica::Report& report, pica::u32 scale);
    ~DrawPipelines();
    DrawPipelines(const DrawPipelines&) = delete;
    DrawPipelines& operator=(const DrawPipelines&) = delete;

    // The device, and each pipeline that is bound for the draw, but not those that convert surfaces: the renderer's names
    // of its shaders, and the executables with the driver's statistics. `replay` plays the same trace, and stands before the operation
    // afterwards.
    pica::Result<Json> of_operation(pica::Replay& replay, std::size_t number);

private:
    DrawPipelines();

    // The device is destroyed after the renderer on it.
    std::unique_ptr<WatchedDevice> device_;
    std::unique_ptr<Playback> playback_;
};

} // namespace samples
