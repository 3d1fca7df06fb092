// SPDX-License-Identifier: MIT
// Probes of how lists end and jump. Lists that are jumped to are in VRAM, whose address is fixed. Each function also makes
// the work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 16, kLists = 0x300000, kListBytes = 0x1000;
constexpr u32 kFirst = 0x80FF4020, kSecond = 0x40102030, kThird = 0xFF30A0C0; // colours

// A rectangle in the constant colour of stage 0, with all state in the first list.
ProbeScene colored_scene()
{
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize);
    scene.write(reg::TEXENV_SOURCE::id, 0x000E000E);
    return scene;
}

// A list that draws in this colour.
std::vector<u32> colored_list(ProbeScene& scene, u32 color)
{
    scene.write(reg::TEXENV_COLOR::id, color);
    scene.draw(0, 6);
    return scene.finish();
}

// Puts a list behind the others, for channel 0 or 1.
void keep_list(Probe& probe, u32 channel, std::span<const u32> words)
{
    probe.upload_words(kLists + channel * kListBytes, words);
}

u32 list_address(u32 channel)
{
    return (probe_format::kVramGpu + kLists + channel * kListBytes) >> 3;
}

u32 list_size(std::span<const u32> words)
{
    return static_cast<u32>(words.size() * 4) >> 3;
}

} // namespace

// One command writes both jumps: the parameter behind the first one is lost. The alternative: it counts, and the list of
// the second channel runs instead.
Probe probe_jump_parameters(u32 other)
{
    Probe probe("jump-parameters");
    ProbeScene scene = colored_scene();
    ProbeScene later = colored_scene();
    later.finish(); // only what is drawn is in the lists that are jumped to
    const std::vector<u32> first = colored_list(later, kFirst), second = colored_list(later, kSecond);
    keep_list(probe, 0, first);
    keep_list(probe, 1, second);
    scene.write_consecutive(reg::CMDBUF_SIZE::id,
                            std::array<u32, 6>{list_size(first), list_size(second),
                                               list_address(other != 0 ? 1 : 0), list_address(1), 1, 1});
    scene.run(probe);
    return probe;
}

// The jump of channel 0 is written with 0. The alternative: it jumps.
Probe probe_jump_zero(u32 other)
{
    Probe probe("jump-zero");
    ProbeScene scene = colored_scene();
    ProbeScene later = colored_scene();
    later.finish();
    const std::vector<u32> first = colored_list(later, kFirst);
    keep_list(probe, 0, first);
    scene.write(reg::CMDBUF_SIZE::id, list_size(first));
    scene.write(reg::CMDBUF_ADDR::id, list_address(0));
    scene.write(reg::CMDBUF_JUMP::id, other != 0 ? 1 : 0);
    scene.write(reg::TEXENV_COLOR::id, kSecond);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A list without FINALIZE draws, and its size is odd: the colour of the next draw is in its last 8 bytes. The
// alternative: they are executed.
Probe probe_odd_list(u32 other)
{
    Probe probe("odd-list");
    ProbeScene scene = colored_scene();
    scene.write(reg::TEXENV_COLOR::id, kFirst);
    probe.list(scene.finish());
    const std::array<u32, 8> tail = {0,       reg::IRQ_ACK::id,
                                     0,       reg::IRQ_ACK::id, // no byte enabled: does nothing
                                     kSecond, reg::TEXENV_COLOR::id | 0xFu << 16,
                                     0,       reg::IRQ_ACK::id};
    keep_list(probe, 0, tail);
    scene.write(reg::CMDBUF_SIZE::id, other != 0 ? 4 : 3);
    scene.write(reg::CMDBUF_ADDR::id, list_address(0));
    scene.write(reg::CMDBUF_JUMP::id, 1);
    probe.quiet_list(scene.finish());
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Without automatic stops FINALIZE in the middle of a list raises its interrupt, and the list draws once more. The
// alternative: it ends the list all the same.
Probe probe_no_autostop(u32 other)
{
    Probe probe("no-autostop");
    ProbeScene scene = colored_scene();
    std::vector<u32> words = colored_list(scene, kFirst);
    ProbeScene later = colored_scene();
    later.finish();
    std::vector<u32> rest = colored_list(later, kThird);
    // Without its own FINALIZE: the list ends where its words end.
    rest.end()[-2] = 0, rest.end()[-1] = reg::IRQ_ACK::id;
    if (other == 0)
        words.insert(words.end(), rest.begin(), rest.end());
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0);
    probe.set_register(reg::IRQ_AUTOSTOP::id, 0);
    probe.quiet_list(words);
    probe.set_register(reg::IRQ_AUTOSTOP::id, 1);
    // Nothing but the flush of the target.
    probe.list(later.finish());
    probe.read(ProbeLayout::kColor, kSize * kSize * 4);
    return probe;
}

} // namespace samples
