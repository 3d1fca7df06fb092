// SPDX-License-Identifier: MIT
// An embedder for tests: guest memory of its own, and a bundled stream played through the public Context.
#pragma once

#include "pica/trace/trace.h"
#include "renderer/context.h"
#include "tests/support/gpu_fixture.h"

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
    // name: of samples/streams, without its ending; one whose recorded state is that after power-up (t_*).
    // `options` gets memory regions. The test fails where the context cannot be made.
    ContextPlayer(const std::string& name, renderer::ContextOptions options);

    // Guest memory, 0.
    std::vector<u8> vram = std::vector<u8>(6u << 20), fcram = std::vector<u8>(9u << 20);
    KeptReport report;
    std::unique_ptr<renderer::Context> context;

    // Plays to the next frame marker, its end_frame included; false at the end of the stream.
    bool frame();
    void rewind() { position_ = 0; }
    std::vector<u32> screen(pica::Screen screen);

private:
    pica::Trace trace_;
    std::size_t position_ = 0;
};

} // namespace tests
