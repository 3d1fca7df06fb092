// SPDX-License-Identifier: MIT
// Reads the indices of an element draw; an index outside memory is 0.
#pragma once

#include "pica/base/report.h"
#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"

#include <span>

namespace pica
{

class IndexReader
{
public:
    IndexReader(const VertexSource& source, u32 count, const GuestMemory& memory, Report& report)
        : memory_(memory), address_(source.index_address), wide_(source.index16 != 0),
          data_(memory.span(source.index_address, u64{count} * (wide_ ? 2 : 1)))
    {
        if (data_.empty() && count != 0)
            report.report(ReportKind::Guest, "index data outside memory", "reads as 0");
    }

    // The first `count` indices, no more than the constructor was told.
    template <typename Visit>
    void visit(u32 count, Visit visit) const
    {
        if (data_.empty())
            for (u32 i = 0; i < count; ++i)
                visit(i, (*this)[i]);
        else if (wide_)
            for (u32 i = 0; i < count; ++i)
                visit(i, data_[2 * std::size_t{i}] | static_cast<u32>(data_[2 * std::size_t{i} + 1]) << 8);
        else
            for (u32 i = 0; i < count; ++i)
                visit(i, u32{data_[i]});
    }
    u32 operator[](u32 i) const
    {
        const u64 at = wide_ ? u64{i} * 2 : i;
        if (data_.empty())
            return wide_ ? byte(at) | byte(at + 1) << 8 : byte(at);
        return wide_ ? data_[at] | static_cast<u32>(data_[at + 1]) << 8 : data_[at];
    }

private:
    u32 byte(u64 offset) const
    {
        const u64 address = address_ + offset;
        return address <= 0xFFFFFFFFu ? memory_.read8(static_cast<PhysAddr>(address)) : 0u;
    }

    const GuestMemory& memory_;
    PhysAddr address_;
    bool wide_;
    std::span<const u8> data_; // empty if they are not all in one region
};

} // namespace pica
