// SPDX-License-Identifier: MIT
// A stream as `picavk inspect` has it once it has been read: its first draw is selected.
#pragma once

#include "samples/inspect/stream_model.h"

#include <memory>
#include <string>

namespace tests
{

std::unique_ptr<samples::StreamModel> read_stream(const std::string& stream, pica::u32 scale = 1);
samples::ShownPicture picture_of(samples::StreamModel& model, samples::ShownPicture::Kind kind);

} // namespace tests
