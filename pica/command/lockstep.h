// SPDX-License-Identifier: MIT
// Runs two backends side by side, each on its own guest memory, and compares the memories. All differential
// tests and `picavk validate` use it. Both memories must be equal when it is made. Tests:
// tests/pica/lockstep_test.cpp.
#pragma once

#include "pica/command/written_ranges.h"
#include "pica/state/carryover.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pica
{

// Where two backends first differ outside of guest memory, and how.
struct PlacedDifference
{
    std::string place;
    std::string values;
};

class LockstepBackend final : public Backend
{
public:
    enum class Compare : u8
    {
        EachOperation, // after each operation, what it could have written
        OnRequest,     // when compare_written() is called
    };

    struct Difference
    {
        // "draw 12", "display transfer"; with OnRequest, the last one before the comparison.
        std::string operation;
        std::string place;       // "colour target 18000000, pixel (3, 17)" or an address
        std::string values;      // of the first and of the second backend, with their names
        std::string state;       // the draw in text form; empty for other operations
        std::optional<u64> draw; // of a draw: its number since the last end of a frame, from 0
        // Where the memories differ although no operation has written there since they were last equal: the likely
        // cause is a write of the CPU that nobody announced. Empty: nowhere.
        std::string unannounced;
        u64 number = 0; // operations() when it was found
    };

    LockstepBackend(Backend& first, Backend& second, Compare compare);

    // A comparison reads back what it compares (will_read), so it may hide how a backend's caches would have
    // behaved afterwards.
    //
    // Compares everything that either backend could have written since the last comparison.
    void compare_written();
    // Compares all guest memory: also finds writes outside of what an operation should touch.
    void compare_all();
    // Compares the bytes of a range that are memory, after a will_read of exactly this range.
    void compare_range(PhysAddr address, u32 size);
    // What backends have beside guest memory for a range of it. Each comparison of memory calls it with the same range,
    // after will_read.
    using CompareBeside = std::function<std::optional<PlacedDifference>(const ByteRange&)>;
    void compare_beside(CompareBeside compare) { compare_beside_ = std::move(compare); }
    // Does compare_all once, right after the operation with this number (operations() counts from 1).
    void compare_all_after(u64 operation) { compare_all_after_ = operation; }

    // The first difference that was found. Nothing is compared after it.
    const std::optional<Difference>& difference() const { return difference_; }
    // Adds a difference that the user of both backends found elsewhere (on a screen), as one after the last
    // operation.
    void note_difference(std::string place, std::string values);
    u64 bytes_compared() const { return bytes_compared_; }
    u64 draws() const { return draws_; }
    // Number of draws, fills, transfers and copies.
    u64 operations() const { return operations_; }

    std::string_view name() const override { return "lockstep"; }
    GuestMemory& memory() override { return first_.memory(); }
    void draw(const Draw& draw) override;
    void memory_fill(const MemoryFill& fill) override;
    void display_transfer(const DisplayTransfer& transfer) override;
    void texture_copy(const TextureCopy& copy) override;
    void will_read(PhysAddr address, u32 size) override;
    void will_write(PhysAddr address, u32 size) override;
    void did_write(PhysAddr address, u32 size) override;
    // With EachOperation, the memories are equal but for what the CPU wrote to the first one; the second one gets that.
    // With OnRequest, the caller has written the same bytes to both.
    void may_have_written(PhysAddr address, u32 size) override;
    void processor_returns() override;
    void flush() override;
    void end_frame() override;
    // Asks both backends; different numbers are a difference.
    u64 covered_pixels(const Draw& draw) override;
    // That of the first backend. load_carryover passes it to both.
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
    void copy_changed_pages(PhysAddr begin, std::span<const u8> from);
    template <typename What>
    void after_operation(const What& operation);
    void compare(const Written& range);
    Difference describe_operation() const;
    std::string find_unannounced(const std::vector<Written>& written);
    void compare_part(const Written& range, PhysAddr begin, std::span<const u8> first,
                      std::span<const u8> second);
    void record_difference(const Written& range, u32 offset, std::span<const u8> first,
                           std::span<const u8> second);

    Backend& first_;
    Backend& second_;
    Compare compare_;
    CompareBeside compare_beside_;
    std::vector<Written> written_;
    std::optional<Difference> difference_;
    Operation last_operation_ = Operation::None;
    Draw last_draw_;
    u64 bytes_compared_ = 0;
    u64 draws_ = 0;
    u64 draws_of_frame_ = 0;     // since the last end of a frame
    u64 last_draw_of_frame_ = 0; // the number of last_draw_ in its frame
    u64 operations_ = 0;
    u64 compare_all_after_ = 0; // 0: never
};

// Bisection between an operation after which the backends are equal and a later one after which they differ.
// Finds an operation after which they differ although they are equal after the one before it. differs(n) runs
// everything again and compares once, after operation n.
template <typename Differs>
u64 first_differing_operation(u64 equal, u64 differing, Differs&& differs)
{
    while (differing - equal > 1)
    {
        const u64 middle = equal + (differing - equal) / 2;
        (differs(middle) ? differing : equal) = middle;
    }
    return differing;
}

} // namespace pica
