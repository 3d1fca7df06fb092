// SPDX-License-Identifier: MIT
// The state of a draw as JSON and as text: the decoded draw, registers, uniforms, tables, and what changed.
#pragma once

#include "pica/inspect/draw_state.h"
#include "pica/state/draw.h"
#include "samples/cli/json_text.h"

#include <string>

namespace samples
{

// Sizes, addresses, formats and keys.
Json draw_json(const pica::Draw& draw);

// By name: the word and its fields. Registers that registers.def does not have are there if they are not 0.
Json registers_json(const pica::RegisterFile& registers);
// One register a line.
std::string registers_text(const pica::RegisterFile& registers);

// All registers, or those of the changes.
Json uniforms_json(const pica::ShaderUniforms& uniforms);
Json uniforms_json(const pica::ShaderUniforms& uniforms, const pica::ShaderUnitChanges& changes);
Json fixed_attributes_json(const pica::FixedAttributes& attributes,
                           std::bitset<16> which = ~std::bitset<16>());

// By name: the words and what they mean (pica/state/luts.h).
Json tables_json(const pica::Luts& luts, pica::LutMask which);
Json table_names(pica::LutMask which);
// All tables that exist.
pica::LutMask all_tables();

Json changes_json(const pica::DrawState& before, const pica::DrawState& now);
// The names of what changed.
Json changed_names(const pica::DrawState& before, const pica::DrawState& now);

} // namespace samples
