// SPDX-License-Identifier: MIT
// An embedder for tests: it owns guest memory and plays a bundled stream through the public Context.
#pragma once

#include "pica/trace/trace.h"
#include "renderer/embed/context.h"
#include "tests/support/kept_report.h"

#include <memory>
#include <string>
#include <vector>

namespace tests
{

using pica::u32;
using pica::u8;

class ContextPlayer
{
public:
    // name: a stream of samples/streams, without its ending, whose recorded state is the power-up state
    // (t_*). The constructor sets the memory regions of `options`. The test fails if the context cannot be
    // made.
    ContextPlayer(const std::string& name, renderer::ContextOptions options);

    // Guest memory, initially 0.
    std::vector<u8> vram = std::vector<u8>(6u << 20), fcram = std::vector<u8>(9u << 20);
    KeptReport report;
    std::unique_ptr<renderer::Context> context;

    // Plays to the next frame marker, including its end_frame. Returns false at the end of the stream.
    bool frame();
    void rewind() { position_ = 0; }
    std::vector<u32> screen(pica::Screen screen);

private:
    pica::Trace trace_;
    std::size_t position_ = 0;
};

} // namespace tests
