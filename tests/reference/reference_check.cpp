// SPDX-License-Identifier: MIT
#include "tests/reference/reference_check.h"

#include "pica/texture/pixel.h"

#include <algorithm>
#include <span>

namespace tests
{

using namespace pica;

class ReferenceCheck::NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

std::vector<MemoryRegion> ReferenceCheck::regions_of(std::vector<std::vector<u8>>& copies,
                                                     const GuestMemory& memory)
{
    std::vector<MemoryRegion> regions;
    for (const MemoryRegion& region : memory.regions())
        copies.emplace_back(region.bytes.size());
    for (std::size_t i = 0; i < copies.size(); ++i)
        regions.push_back({memory.regions()[i].base, copies[i]});
    return regions;
}

ReferenceCheck::ReferenceCheck(GuestMemory& memory) : observed_(memory), memory_(regions_of(copies_, memory))
{
}

void ReferenceCheck::draw(const Draw& draw, const RegisterFile& registers)
{
    for (std::size_t i = 0; i < copies_.size(); ++i)
    {
        const std::span<const u8> bytes = observed_.regions()[i].bytes;
        std::copy(bytes.begin(), bytes.end(), copies_[i].begin());
    }
    NoReport report;
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    vertices_.run(draw, memory_, report);
    records_.resize(std::size_t{vertices_.triangle_count()} * layout.words);
    positions_.resize(std::size_t{vertices_.triangle_count()} * 6);
    vertices_.emit(layout, records_.data(), positions_.data());
    reference_draw(draw, layout, records_, positions_, memory_, &registers);
}

std::string ReferenceCheck::difference_in(const char* name, PhysAddr address, u32 size, u32 pixel_bytes)
{
    const std::span<const u8> expected = memory_.span(address, size);
    const std::span<const u8> actual = observed_.span(address, size);
    const auto [at, other] = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
    if (at == expected.end())
        return {};
    const std::size_t pixel = std::size_t(at - expected.begin()) / pixel_bytes;
    std::string text = std::string(name) + " pixel " + std::to_string(pixel) + " in memory order: reference";
    for (const std::span<const u8>& bytes : {expected, actual})
    {
        for (u32 i = 0; i < pixel_bytes; ++i)
            text += " " + std::to_string(bytes[pixel * pixel_bytes + i]);
        text += bytes.data() == expected.data() ? ", software core" : "";
    }
    return text;
}

std::string ReferenceCheck::difference(const Draw& draw)
{
    const RenderTarget& t = draw.target;
    std::string text =
        difference_in("colour", t.color_address, t.color_bytes(), bytes_per_pixel(t.color_format));
    if (text.empty() && t.has_depth)
        text = difference_in("depth", t.depth_address, t.depth_bytes(), bytes_per_pixel(t.depth_format));
    return text.empty() ? text : "difference from the scalar reference: " + text + "\n" + draw.text();
}

} // namespace tests
