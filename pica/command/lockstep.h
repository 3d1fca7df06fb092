// SPDX-License-Identifier: MIT
// Runs two backends side by side, each on a guest memory of its own, and compares the memories: the judge of
// every differential test and of `picavk validate`. Both memories must be equal when it is made. Tests:
// tests/pica/lockstep_test.cpp.
#pragma once

#include "pica/command/written_ranges.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pica
{

class LockstepBackend final : public Backend
{
public:
    enum class Compare : u8
    {
        EachOperation, // what a draw, fill or copy could have written, right after it
        OnRequest,     // when compare_written() is called
    };

    struct Difference
    {
        std::string operation; // "draw 12", "display transfer"; with OnRequest the last one before
        std::string place;     // "colour target 18000000, pixel (3, 17)" or an address
        std::string values;    // of the first backend and of the second, named
        std::string state;     // the draw in text form; empty for other operations
    };

    LockstepBackend(Backend& first, Backend& second, Compare compare);

    // Everything that either could have written since the last comparison.
    void compare_written();
    // All guest memory: also finds a write outside of what the operation should touch.
    void compare_all();

    // The first one found; nothing is compared after it.
    const std::optional<Difference>& difference() const { return difference_; }
    u64 bytes_compared() const { return bytes_compared_; }
    u64 draws() const { return draws_; }

    std::string_view name() const override { return "lockstep"; }
    GuestMemory& memory() override { return first_.memory(); }
    void draw(const Draw& draw) override;
    void memory_fill(const MemoryFill& fill) override;
    void display_transfer(const DisplayTransfer& transfer) override;
    void texture_copy(const TextureCopy& copy) override;
    void will_read(PhysAddr address, u32 size) override;
    void will_write(PhysAddr address, u32 size) override;
    void did_write(PhysAddr address, u32 size) override;
    void flush() override;
    void end_frame() override;
    // Of the first one; both get it.
    Carryover save_carryover() override { return first_.save_carryover(); }
    void load_carryover(const Carryover& carryover) override;

private:
    enum class Operation : u8
    {
        None,
        Draw,
        Fill,
        Transfer,
        Copy,
    };

    using Written = WrittenRange;

    void add(const Written& range);
    template <typename What>
    void after_operation(const What& operation);
    void compare(const Written& range);
    void record_difference(const Written& range, u32 offset, std::span<const u8> first,
                           std::span<const u8> second);

    Backend& first_;
    Backend& second_;
    Compare compare_;
    std::vector<Written> written_;
    std::optional<Difference> difference_;
    Operation last_operation_ = Operation::None;
    Draw last_draw_;
    u64 bytes_compared_ = 0;
    u64 draws_ = 0;
};

} // namespace pica
