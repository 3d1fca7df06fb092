// SPDX-License-Identifier: MIT
// Probes of how a command list writes registers: byte masks, ports that collect several words, banks without a known use,
// and the end of a list. Each function also makes the work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <bit>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 16;
constexpr std::array<f32, 4> kBefore = {1, channel(64), 0, 1}, kAfter = {channel(64), 0, 1, channel(128)};

// A rectangle in the colour of c20.
ProbeScene constant_scene()
{
    ProbeScene scene(kSize, kSize);
    scene.program(constant_color(20));
    scene.rectangle(0, 0, kSize, kSize);
    scene.uniform(20, kBefore);
    return scene;
}

// Four words of binary32 for the uniform port: w first.
std::array<u32, 4> port_words(const std::array<f32, 4>& value)
{
    std::array<u32, 4> words{};
    for (u32 i = 0; i < 4; ++i)
        words[i] = std::bit_cast<u32>(value[3 - i]);
    return words;
}

constexpr u32 kFloats = 1u << 31; // of the index register: words are binary32

} // namespace

// A draw's trigger is written with no byte enabled. The alternative: nothing is drawn.
Probe probe_trigger_mask(u32 other)
{
    Probe probe("trigger-mask");
    ProbeScene scene = constant_scene();
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.write(reg::INDEXBUFFER_CONFIG::id, 0x80000000);
    scene.write(reg::NUMVERTICES::id, 6);
    scene.write(reg::VERTEX_OFFSET::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 1);
    scene.write(reg::START_DRAW_FUNC0::id, 0);
    if (other == 0)
        scene.write_masked(reg::DRAWARRAYS::id, 1, 0);
    scene.write(reg::START_DRAW_FUNC0::id, 1);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
    scene.write(reg::VTX_FUNC::id, 1);
    scene.run(probe);
    return probe;
}

// Words of a uniform without their highest byte. Alternatives: that byte is 0, or the words do not reach the port.
Probe probe_port_mask(u32 other)
{
    Probe probe("port-mask");
    ProbeScene scene = constant_scene();
    scene.write(reg::VSH_FLOATUNIFORM_INDEX::id, kFloats | 20);
    for (const u32 word : port_words(kAfter))
        if (other == 0)
            scene.write_masked(reg::VSH_FLOATUNIFORM_DATA::id, word, 7);
        else if (other == 1)
            scene.write(reg::VSH_FLOATUNIFORM_DATA::id, word & 0xFFFFFF);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Two words, the index again, four words and two more. The alternative: the index leaves the first two where they are.
Probe probe_partial_at_index(u32 other)
{
    Probe probe("partial-at-index");
    ProbeScene scene = constant_scene();
    const std::array<u32, 4> before = port_words(kBefore), after = port_words(kAfter);
    scene.write(reg::VSH_FLOATUNIFORM_INDEX::id, kFloats | 20);
    scene.write_port(reg::VSH_FLOATUNIFORM_DATA::id, std::span(before).first(2));
    if (other == 0)
        scene.write(reg::VSH_FLOATUNIFORM_INDEX::id, kFloats | 20);
    scene.write_port(reg::VSH_FLOATUNIFORM_DATA::id, after);
    scene.write_port(reg::VSH_FLOATUNIFORM_DATA::id, std::span(before).first(2));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Two words at the end of a list, the other two at the beginning of the next. The alternative: a list's end drops words.
Probe probe_partial_at_end(u32 other)
{
    Probe probe("partial-at-end");
    ProbeScene scene = constant_scene();
    const std::array<u32, 4> after = port_words(kAfter);
    scene.write(reg::VSH_FLOATUNIFORM_INDEX::id, kFloats | 20);
    scene.write_port(reg::VSH_FLOATUNIFORM_DATA::id, std::span(after).first(2));
    probe.list(scene.finish());
    if (other == 0)
        scene.write_port(reg::VSH_FLOATUNIFORM_DATA::id, std::span(after).last(2));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Uniforms through the banks at 0x2E0 and 0x310, at the offsets of the vertex shader's bank. Alternatives: one of them
// acts as that bank.
Probe probe_stored_banks(u32 other)
{
    Probe probe("stored-banks");
    ProbeScene scene = constant_scene();
    scene.program(result_color(
        [](ShaderText& text)
        {
            text.one(Opcode::Mov, temporary(3)["xy"], constant(20));
            text.one(Opcode::Mov, temporary(3)["zw"], constant(21));
        }));
    scene.uniform(21, kBefore);
    for (const u32 bank : {1, 2})
    {
        const u32 index = reg::VSH_FLOATUNIFORM_INDEX::id + (other == bank ? 0 : 0x30 * bank);
        scene.write(index, kFloats | (19 + bank));
        for (const u32 word : port_words(kAfter))
            scene.write(index + 1, word);
    }
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A command behind FINALIZE, in the same 16 bytes, changes the constant of the next list's combiner. The alternative: it
// is executed.
Probe probe_finalize_tail(u32 other)
{
    Probe probe("finalize-tail");
    ProbeScene scene = constant_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x000E000E); // the constant
    scene.write(reg::TEXENV_COLOR::id, 0x80FF4020);
    if (other != 0)
        scene.write(reg::TEXENV_COLOR::id, 0x40102030);
    std::vector<u32> words = scene.finish();
    words.insert(words.end() - 2, {0, reg::IRQ_ACK::id}); // no byte enabled: does nothing
    words.insert(words.end(), {0x40102030, reg::TEXENV_COLOR::id | 0xFu << 16});
    probe.list(words);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

} // namespace samples
