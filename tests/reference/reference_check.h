// SPDX-License-Identifier: MIT
// Compares each draw of a machine with the scalar reference (reference_pixel.h).
#pragma once

#include "pica/vertex/vertex_stage.h"
#include "tests/reference/reference_pixel.h"

#include <string>
#include <vector>

namespace tests
{

// Vertices go through the software core's vertex stage; from the triangle records on, everything is the
// reference's.
class ReferenceCheck
{
public:
    // memory: the target memory of the checked backend, always up to date.
    explicit ReferenceCheck(pica::GuestMemory& memory);

    // Before the backend's draw: runs the reference on a copy of the memory.
    void draw(const pica::Draw& draw, const pica::RegisterFile& registers);
    // After it: says where the target differs and how; empty if it is equal.
    std::string difference(const pica::Draw& draw);

private:
    class NoReport;
    static std::vector<pica::MemoryRegion> regions_of(std::vector<std::vector<pica::u8>>& copies,
                                                      const pica::GuestMemory& memory);
    std::string difference_in(const char* name, pica::PhysAddr address, pica::u32 size,
                              pica::u32 pixel_bytes);

    pica::GuestMemory& observed_;
    std::vector<std::vector<pica::u8>> copies_; // one for each region
    pica::GuestMemory memory_;
    pica::VertexStage vertices_;
    std::vector<pica::u32> records_;
    std::vector<pica::s32> positions_;
};

} // namespace tests
