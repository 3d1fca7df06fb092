// SPDX-License-Identifier: MIT
// Compares the pictures of one stream: expected ones (A) with actual ones (B), each from files, hashes or a recording.
// Tests: tests/cli/compare_test.cpp.
#pragma once

#include "samples/cli/golden/picture_set.h"
#include "samples/cli/playback.h"
#include "samples/cli/stream_run.h"

namespace samples
{

struct ComparisonOptions
{
    PlaybackOptions playback;    // of recordings
    bool partial = false;        // pictures that only B has are no difference
    bool with_pictures = false;  // differing pictures go into the outcome, as PNG files in base64
    pica::u32 most_pictures = 4; // of a stream
    OnProgress on_progress{};    // told how far the stream is
};

// "pictures": how many were compared; "differing": an object for each picture that differs; "missing" and "extra": names
// of pictures that only A or only B has; "bisection": where two recordings part, or a recording from a digest, or
// "no_bisection": why that is not known.
StreamOutcome compare_stream(const std::string& name, const PictureSource& a, const PictureSource& b,
                             const ComparisonOptions& options, pica::Report& report);

} // namespace samples
