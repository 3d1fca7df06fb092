// SPDX-License-Identifier: MIT
// Plays bundled streams in two threads in parallel, and one after the other.
#pragma once

#include "pica/command/gpu.h"
#include "pica/memory/guest_memory.h"
#include "pica/trace/player.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tests
{

using namespace pica;

// Several threads may call both functions in parallel.
struct Machine
{
    std::function<std::unique_ptr<Backend>(GuestMemory&, Report&)> make;
    std::function<void(Backend&)> finish = [](Backend&) {}; // called before the backend is destroyed
};

class IgnoringReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// The bytes that a stream leaves in VRAM and in the first part of FCRAM; empty if it cannot be played.
inline std::vector<u8> play_stream(const Machine& machine, const std::string& name)
{
    constexpr u32 kFcramBytes = 0x2000000; // the streams use less
    std::vector<u8> bytes(kVramSize + kFcramBytes);
    GuestMemory memory(
        {{kVramBase, std::span(bytes).first(kVramSize)}, {kFcramBase, std::span(bytes).subspan(kVramSize)}});
    IgnoringReport report;
    const auto trace = Trace::load(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/" + name + ".ctf");
    const std::unique_ptr<Backend> backend = machine.make(memory, report);
    if (!trace || !backend)
        return {};
    Gpu gpu(*backend, report);
    TracePlayer player(*trace, gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    backend->will_read(kVramBase, kVramSize);
    backend->will_read(kFcramBase, kFcramBytes);
    machine.finish(*backend);
    return bytes;
}

inline void check_concurrent_runs(const Machine& machine, const std::array<std::string, 2>& names)
{
    std::array<std::vector<u8>, 2> alone, together;
    for (u32 i = 0; i < 2; ++i)
    {
        alone[i] = play_stream(machine, names[i]);
        REQUIRE_FALSE(alone[i].empty());
        // Something was drawn.
        REQUIRE(
            std::any_of(alone[i].begin(), alone[i].begin() + kVramSize, [](u8 byte) { return byte != 0; }));
    }
    std::array<std::thread, 2> threads;
    for (u32 i = 0; i < 2; ++i)
        threads[i] = std::thread([&, i] { together[i] = play_stream(machine, names[i]); });
    for (std::thread& thread : threads)
        thread.join();
    for (u32 i = 0; i < 2; ++i)
        CHECK_MESSAGE(alone[i] == together[i], names[i]);
}

} // namespace tests
