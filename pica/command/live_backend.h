// SPDX-License-Identifier: MIT
// A backend that forwards to another one, which can be exchanged between operations. Since guest memory holds
// all results, an exchange means to bring memory up to date, to mark the new backend's caches stale, and to
// pass on what draws leave behind for later draws.
#pragma once

#include "pica/command/written_ranges.h"
#include "pica/state/carryover.h"

#include <functional>
#include <utility>

namespace pica
{

class LiveBackend final : public Backend
{
public:
    explicit LiveBackend(Backend& current) : current_(&current) {}
    // Both backends must work on the same guest memory.
    void exchange(Backend& next);
    Backend& current() { return *current_; }
    // hook: called with each range that an operation may write, before the operation is executed.
    void set_write_hook(std::function<void(const WrittenRange&)> hook) { on_write_ = std::move(hook); }

    // What was executed since creation, whatever became of it.
    u64 draws() const { return draws_; }
    u64 fills() const { return fills_; }
    u64 transfers() const { return transfers_; }
    u64 copies() const { return copies_; }
    // The target of the last draw; its width is 0 before the first draw.
    const RenderTarget& last_target() const { return last_target_; }
    // Somebody else executed the last draw.
    void set_last_target(const RenderTarget& target) { last_target_ = target; }

    std::string_view name() const override { return current_->name(); }
    GuestMemory& memory() override { return current_->memory(); }
    void draw(const Draw& draw) override;
    void memory_fill(const MemoryFill& fill) override
    {
        ++fills_;
        tell(fill);
        current_->memory_fill(fill);
    }
    void display_transfer(const DisplayTransfer& transfer) override
    {
        ++transfers_;
        tell(transfer);
        current_->display_transfer(transfer);
    }
    void texture_copy(const TextureCopy& copy) override
    {
        ++copies_;
        tell(copy);
        current_->texture_copy(copy);
    }
    void will_read(PhysAddr address, u32 size) override { current_->will_read(address, size); }
    void will_write(PhysAddr address, u32 size) override { current_->will_write(address, size); }
    void did_write(PhysAddr address, u32 size) override { current_->did_write(address, size); }
    void may_have_written(PhysAddr address, u32 size) override { current_->may_have_written(address, size); }
    void request_read(PhysAddr address, u32 size) override { current_->request_read(address, size); }
    bool read_is_ready(PhysAddr address, u32 size) override { return current_->read_is_ready(address, size); }
    void processor_returns() override { current_->processor_returns(); }
    void flush() override { current_->flush(); }
    void end_frame() override { current_->end_frame(); }
    u64 covered_pixels(const Draw& draw) override { return current_->covered_pixels(draw); }
    Carryover save_carryover() override { return current_->save_carryover(); }
    void load_carryover(const Carryover& carryover) override { current_->load_carryover(carryover); }

private:
    template <typename Operation>
    void tell(const Operation& operation) const
    {
        if (on_write_)
            for_each_written(operation, on_write_);
    }

    Backend* current_;
    std::function<void(const WrittenRange&)> on_write_;
    RenderTarget last_target_;
    u64 draws_ = 0, fills_ = 0, transfers_ = 0, copies_ = 0;
};

} // namespace pica
