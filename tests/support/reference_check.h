// SPDX-License-Identifier: MIT
// The scalar reference (reference_pixel.h) beside the draws of a machine.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "tests/support/reference_pixel.h"

#include <string>
#include <vector>

namespace tests
{

// Vertices are the software core's stage; everything from the records on is the reference's.
class ReferenceCheck
{
public:
    // memory: what the checked core draws to, current at all times.
    explicit ReferenceCheck(pica::GuestMemory& memory);

    // Before the core's draw: the reference's, over a copy of the memory.
    void draw(const pica::Draw& draw, const pica::RegisterFile& registers);
    // After it: where the target differs and how, empty if nowhere.
    std::string difference(const pica::Draw& draw);

private:
    class NoReport;
    static std::vector<pica::MemoryRegion> regions_of(std::vector<std::vector<pica::u8>>& copies,
                                                      const pica::GuestMemory& memory);
    std::string difference_in(const char* name, pica::PhysAddr address, pica::u32 size,
                              pica::u32 pixel_bytes);

    pica::GuestMemory& observed_;
    std::vector<std::vector<pica::u8>> copies_; // by region
    pica::GuestMemory memory_;
    pica::soft::VertexStage vertices_;
    std::vector<pica::u32> records_;
    std::vector<pica::s32> positions_;
};

} // namespace tests
