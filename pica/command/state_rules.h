// SPDX-License-Identifier: MIT
// Checks that the fields of a loaded state fit together, as they do in every state that a run can leave. Limits of
// single fields are in snapshot_fields.h, and SNAPSHOT.md says why. Tests: tests/pica/state_rules_test.cpp
#pragma once

#include "pica/base/result.h"
#include "pica/command/gpu.h"

namespace pica
{

// Error: names the first broken rule, by chunk and field.
Status check_state(const GpuState& state);

} // namespace pica
