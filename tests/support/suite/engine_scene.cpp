// SPDX-License-Identifier: MIT
#include "tests/support/suite/engine_scene.h"

namespace tests
{

PhysAddr engine_address(Random& random)
{
    if (random.chance(1, 50))
        return random.pick<PhysAddr>({0, 0x10000000, kVramBase - 0x100, kFcramBase - 0x100,
                                      kVramBase + ConformanceMachine::kVramBytes - 0x200, 0xFFFFFF00});
    const PhysAddr base = random.chance(1, 5) ? kFcramBase + 0x40000 : kVramBase;
    return base + random.below(0xC) * kBufferBytes +
           random.pick({0u, 0u, 0u, 8u, 0x10u, 0x40u, 0x800u, 0x1234u & ~7u, random.below(0x1000) * 8});
}

void draw_to_buffer(ListScene& s)
{
    Random& random = s.random;
    s.color_target(buffer_address(random.below(kBuffers)), any<ColorFormat>(random, 5));
    s.depth_target(kBufferDepth, random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
    s.size(random.pick({64u, 64u, 128u, 40u}), random.pick({64u, 64u, 32u, 104u}), random.chance(2, 3));
    s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 3));
    if (random.chance(1, 2))
    {
        s.texture_unit(0, engine_address(random), 64, 64, any<TextureFormat>(random, 6));
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    }
    else
        s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    s.triangles(2);
    s.draw();
    s.run();
}

void alternate_with_draws(ConformanceMachine& machine, Random& random, u32 most, EngineOperation operation)
{
    ListScene s(machine, random, 64, 64);
    for (u32 i = 0, steps = machine.steps(random, 16); i < steps; ++i)
    {
        for (u32 k = 0; k < 1 + random.below(most); ++k)
            operation(machine, random);
        if (random.chance(1, 8))
            machine.read(engine_address(random), random.below(0x8000));
        if (random.chance(2, 3))
            draw_to_buffer(s);
        if (random.chance(1, 10))
            machine.gpu().end_frame();
    }
}

} // namespace tests
