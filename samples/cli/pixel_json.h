// SPDX-License-Identifier: MIT
// The history of a pixel (pica/inspect/pixel_history.h) as JSON.
#pragma once

#include "samples/cli/json_text.h"

namespace pica
{
class Replay;
struct PixelHistory;
struct RenderTarget;
} // namespace pica

namespace samples
{

Json pixel_history_json(const pica::Replay& replay, const pica::PixelHistory& history);
// Address, size, formats.
Json target_json(const pica::RenderTarget& target);

} // namespace samples
