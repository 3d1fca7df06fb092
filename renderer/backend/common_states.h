// SPDX-License-Identifier: MIT
// The states that most draws are in. Their ubershader forms are made before the first draw, so that it waits for
// nothing (design D10).
#pragma once

#include "renderer/pipelines/draw_states.h"

#include <vector>

namespace renderer
{

// Specialised states; a fragment key stands for all keys of its class.
std::vector<DrawStateKey> common_states(bool coverage_in_shader);

} // namespace renderer
