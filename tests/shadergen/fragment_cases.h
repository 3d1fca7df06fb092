// SPDX-License-Identifier: MIT
// Named fragment keys for the generator's tests, with text references.
#pragma once

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

} // namespace tests
