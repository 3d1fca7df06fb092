// SPDX-License-Identifier: MIT
// Fragment keys for the generator's tests: named ones with text references, and random canonical ones,
// decoded from random registers.
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

// One case for each feature and output class.
std::vector<FragmentCase> fragment_cases();

// Compares with tests/golden/glsl/<name>.frag. PICAVK_UPDATE_GOLDEN=1 rewrites it; a missing reference fails.
void check_reference(const std::string& name, const std::string& text);

// A draw state as the decoder makes it from random register values.
Draw random_draw(Random& random);

shadergen::Target random_target(Random& random);

} // namespace tests
