// SPDX-License-Identifier: MIT
// Fragment keys for the generator's tests: named ones with text references, and random canonical ones decoded
// from random registers.
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "shadergen/target.h"
#include "tests/support/seeds.h"

#include <string>
#include <vector>

namespace tests
{

struct FragmentCase
{
    std::string name;
    FragmentKey key;
    RecordLayout layout;
    shadergen::Target target;
};

// One per feature and class; tests/golden/glsl/<name>.frag is the reference.
std::vector<FragmentCase> fragment_cases();

// A draw state as the decoder leaves it for random register values.
Draw random_draw(Random& random);

shadergen::Target random_target(Random& random);

} // namespace tests
