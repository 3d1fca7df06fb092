// SPDX-License-Identifier: MIT
#include "tests/support/recordings/context_player.h"

#include "pica/command/gpu.h"

#include <doctest/doctest.h>

#include <cstring>

namespace tests
{

namespace
{

pica::Trace load(const std::string& name)
{
    auto trace = pica::Trace::load(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/" + name + ".ctf");
    REQUIRE_MESSAGE(trace, name);
    for (u32 section = 0; section < pica::kCtfSections; ++section)
        for (const u32 word : trace->section(static_cast<pica::CtfSection>(section)))
            REQUIRE(word == 0);
    return std::move(*trace);
}

} // namespace

ContextPlayer::ContextPlayer(const std::string& name, renderer::ContextOptions options) : trace_(load(name))
{
    options.regions = {{pica::kVramBase, vram}, {pica::kFcramBase, fcram}};
    auto made = renderer::Context::create(std::move(options), report);
    REQUIRE_MESSAGE(made, made.error().message);
    context = std::move(*made);
}

bool ContextPlayer::frame()
{
    while (position_ < trace_.elements().size())
    {
        const pica::TraceElement& element = trace_.elements()[position_++];
        const auto size = static_cast<u32>(element.data.size());
        const u32 shift = (element.address & 3) * 8;
        switch (element.kind)
        {
        case pica::TraceElementKind::MemoryLoad:
        {
            const bool in_fcram = element.address >= pica::kFcramBase;
            std::vector<u8>& bytes = in_fcram ? fcram : vram;
            const u32 at = element.address - (in_fcram ? pica::kFcramBase : pica::kVramBase);
            REQUIRE(at + size <= bytes.size());
            context->will_write(element.address, size);
            std::memcpy(bytes.data() + at, element.data.data(), size);
            context->did_write(element.address, size);
            break;
        }
        case pica::TraceElementKind::FrameMarker:
            context->end_frame();
            return true;
        case pica::TraceElementKind::RegisterWrite:
            context->write_register(element.address & ~3u, static_cast<u32>(element.value) << shift,
                                    element.width < 4 ? ((1u << element.width) - 1) << (element.address & 3)
                                                      : 0xFu);
            if (element.width == 8)
                context->write_register((element.address & ~3u) + 4, static_cast<u32>(element.value >> 32));
            break;
        case pica::TraceElementKind::State: // only in recordings of the project's own; here streams are
                                            // played
        case pica::TraceElementKind::Comment:
            break;
        }
    }
    return false;
}

std::vector<u32> ContextPlayer::screen(pica::Screen screen)
{
    std::vector<u32> words(std::size_t{pica::screen_width(screen)} * pica::kScreenHeight);
    REQUIRE(context->read_screen(screen, words));
    return words;
}

} // namespace tests
