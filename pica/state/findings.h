// SPDX-License-Identifier: MIT
// What decoding finds that should be reported: anomalies of the guest. They are decided here, so that both
// backends treat them alike. A set of bits, because decoding runs often and must not allocate. Tests:
// tests/pica/state_builder_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"

#include <string_view>

namespace pica
{

enum class Finding : u8
{
    FragmentOperation2,
    TextureTypeUndefined,
    TextureFormatUndefined,
    TextureSize,
    ColorFormatUndefined,
    DepthFormatUndefined,
    OutputMapTooLong,
    SemanticUndefined,
    LoaderTooLong,
    StrideMismatch,
    AttributeNotLoaded,
    GeometryConfiguration,
    ProceduralTextureUndefined,
    GasTarget,
    Count,
};

class Findings
{
public:
    void add(Finding finding) { bits_ |= u32{1} << static_cast<u32>(finding); }
    bool has(Finding finding) const { return (bits_ >> static_cast<u32>(finding) & 1) != 0; }
    // Reports the findings that are not yet in `told`, and adds them to it.
    void report_new(Findings& told, Report& report) const;

    bool operator==(const Findings&) const = default;

private:
    static_assert(static_cast<u32>(Finding::Count) <= 32);
    u32 bits_ = 0;
};

} // namespace pica
