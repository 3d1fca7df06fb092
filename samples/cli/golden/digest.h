// SPDX-License-Identifier: MIT
// Digests: a hash of what each draw, list or frame of a stream leaves in memory and, above 1x, in its planes, and of the
// state that draws are given.
// Two versions, backends or recordings part where their digests do. COMMANDS.md describes them. Tests:
// tests/cli/bisect_test.cpp, bisect_scaled_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "renderer/backend/options.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace pica
{
class Trace;
}

namespace samples
{

enum class BackendChoice : pica::u8; // playback.h

using DigestEntry = nlohmann::ordered_json;

// When there is an entry. There is one at each frame in any case.
enum class DigestAt : pica::u8
{
    Draw, // after each draw, fill, transfer and copy
    List,
    Frame,
};

struct DigestOptions
{
    std::string name{};      // of the stream
    BackendChoice backend{}; // Auto: Software
    DigestAt at = DigestAt::Draw;
    renderer::Options vulkan{}; // its scale is that of either backend
};

// Each entry is passed on as soon as it is there; the first one describes the digest. Returning false ends it.
using OnDigestEntry = std::function<bool(const DigestEntry&)>;
pica::Status make_digest(const pica::Trace& trace, const DigestOptions& options, pica::Report& report,
                         const OnDigestEntry& on_entry, renderer::CreateFailure* failure = nullptr);

// A draw as all verbs number it.
struct DrawNumber
{
    pica::u32 frame = 0;
    pica::u32 draw = 0; // of the frame, from 0
};

// The blocks of one draw, in an object with "picavk_blocks". Error: there is no such draw.
pica::Result<DigestEntry> digest_blocks(const pica::Trace& trace, const DigestOptions& options,
                                        DrawNumber number, pica::Report& report,
                                        renderer::CreateFailure* failure = nullptr);

// Lines of JSON, as `picavk digest` prints them; and what `picavk digest --draw` prints. Error: it is something else.
pica::Result<std::vector<DigestEntry>> parse_digest(const std::string& text);
pica::Result<DigestEntry> parse_blocks(const std::string& text);

} // namespace samples
