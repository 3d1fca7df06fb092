// SPDX-License-Identifier: MIT
// What holds between the fields of every state that a machine leaves; what each field alone may be is in
// snapshot_fields.h. SNAPSHOT.md says why. Tests: tests/pica/state_rules_test.cpp
#pragma once

#include "pica/base/result.h"
#include "pica/command/gpu.h"

namespace pica
{

// Error: the first rule that is broken, by chunk and field.
Status check_state(const GpuState& state);

} // namespace pica
