// SPDX-License-Identifier: MIT
// The states that most draws are in. Their ubershader forms are compiled at start-up, so that the first draws
// need not wait for them (design D10).
#pragma once

#include "renderer/pipelines/draw_state_key.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <vector>

namespace renderer
{

// Gives specialised states, not their ubershader forms. Of each fragment key only the output class and what
// changes the ubershader's text count; the other fields have their defaults. scale: internal resolution N. Records are as
// wide as draws to a whole screen need, and above 1x there are states that sample N x texels.
std::vector<DrawStateKey> common_states(bool coverage_in_shader, pica::u32 scale, BlendPath path);

} // namespace renderer
