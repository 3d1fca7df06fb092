// SPDX-License-Identifier: MIT
// Names of findings.
#include "pica/state/findings.h"

namespace pica
{

namespace
{

struct Row
{
    Finding finding;
    ReportKind kind;
    std::string_view cause;
    std::string_view detail;
};

constexpr Row kRows[] = {
    {Finding::FragmentOperation2, ReportKind::Guest, "fragment operation 2", "undefined; taken as 0"},
    {Finding::TextureTypeUndefined, ReportKind::Guest, "undefined texture type", "the unit reads as 0"},
    {Finding::TextureFormatUndefined, ReportKind::Guest, "undefined texture format", "the unit reads as 0"},
    {Finding::TextureSize, ReportKind::Guest, "texture size",
     "not a power of two from 8 to 1024; rounded down, at least 8"},
    {Finding::ColorFormatUndefined, ReportKind::Guest, "undefined colour buffer format",
     "no colour is written"},
    {Finding::DepthFormatUndefined, ReportKind::Guest, "depth buffer format 1",
     "freezes the console; drawn as if there were no depth buffer"},
    {Finding::OutputMapTooLong, ReportKind::Guest, "output map longer than the enabled outputs",
     "extra entries are ignored"},
    {Finding::SemanticUndefined, ReportKind::Guest, "undefined output semantic", "ignored"},
    {Finding::LoaderTooLong, ReportKind::Guest, "attribute buffer with more than 12 components",
     "the excess is ignored"},
    {Finding::StrideMismatch, ReportKind::Guest, "vertex stride mismatch",
     "the stride differs from the size of the components; the console freezes"},
    {Finding::AttributeNotLoaded, ReportKind::Guest, "attribute not loaded",
     "neither a buffer nor a fixed value; reads (0, 0, 0, 0)"},
    {Finding::GeometryConfiguration, ReportKind::Guest, "geometry shader configuration",
     "its registers contradict each other; the draw is left out"},
    {Finding::ProceduralTextureUndefined, ReportKind::Guest, "undefined procedural texture mode",
     "clamps to the edge, does not shift, maps u, filters nearest"},
    {Finding::GasTarget, ReportKind::Guest, "gas accumulation without an RGBA8 target or with depth format 1",
     "nothing is drawn"},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(Finding::Count));

} // namespace

void Findings::report_new(Findings& told, Report& report) const
{
    if ((bits_ & ~told.bits_) == 0)
        return;
    for (const Row& row : kRows)
    {
        if (has(row.finding) && !told.has(row.finding))
            report.report(row.kind, row.cause, row.detail);
    }
    told.bits_ |= bits_;
}

} // namespace pica
