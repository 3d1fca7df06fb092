// SPDX-License-Identifier: MIT
// Which draws' vertices shaders can read.
#include "renderer/vertex/fetchable_memory.h"

#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

using namespace tests;
using namespace renderer;

TEST_CASE("fetchable memory: attributes and indices must begin in the mirror, whatever was asked before")
{
    GpuFixture gpu;
    FetchableMemory memory(*gpu.mirror);
    pica::Draw draw;
    draw.source.count = 3;
    pica::FetchInput& input = draw.source.input[2];
    input.source = pica::FetchInput::Source::Memory;
    input.address = pica::kFcramBase + 16;
    draw.inputs_revision = 1;
    CHECK(memory.can_fetch(draw));
    draw.source.first_vertex = (1u << 23) - 2; // vertex numbers are below 2^23
    CHECK_FALSE(memory.can_fetch(draw));
    draw.source.first_vertex = 0;
    CHECK(memory.can_fetch(draw));
    draw.source.indexed = 1;
    draw.source.index_address = 0x10000000;
    CHECK_FALSE(memory.can_fetch(draw));
    draw.source.index_address = pica::kVramBase;
    CHECK(memory.can_fetch(draw));
    input.address = pica::kFcramBase - 16;
    draw.inputs_revision = 2;
    CHECK_FALSE(memory.can_fetch(draw));
    CHECK_FALSE(memory.can_fetch(draw));
    draw.inputs_revision = 0;
    CHECK_FALSE(memory.can_fetch(draw));
    input.address = pica::kFcramBase; // revision 0 is equal to nothing
    CHECK(memory.can_fetch(draw));
}
