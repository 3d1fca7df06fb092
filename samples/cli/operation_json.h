// SPDX-License-Identifier: MIT
// One operation of a stream as JSON and as a line of text, for `picavk info` and `picavk inspect`.
#pragma once

#include "samples/cli/json_text.h"

#include <string>

namespace pica
{
struct ReplayOperation;
}

namespace samples
{

Json operation_json(const pica::ReplayOperation& operation);
// Of what operation_json() returns, and members that were added: "draw 3, vertices 24, ..."
std::string operation_line(const Json& operation);

} // namespace samples
