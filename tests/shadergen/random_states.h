// SPDX-License-Identifier: MIT
// Random canonical draw states and targets for the generator's tests.
#pragma once

#include "pica/state/draw.h"
#include "shadergen/target.h"
#include "tests/support/seeds.h"

namespace tests
{

// A draw state as the decoder makes it from random register values.
Draw random_draw(Random& random);

shadergen::Target random_target(Random& random);

} // namespace tests
