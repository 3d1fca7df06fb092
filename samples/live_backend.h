// SPDX-License-Identifier: MIT
// A backend that forwards to another one, which can be exchanged between operations: guest memory is the
// truth, so exchanging means bringing memory up to date and calling the new one's caches stale.
#pragma once

#include "pica/command/backend.h"

namespace samples
{

class LiveBackend final : public pica::Backend
{
public:
    explicit LiveBackend(pica::Backend& current) : current_(&current) {}
    // Both must work on the same guest memory.
    void exchange(pica::Backend& next);
    pica::Backend& current() { return *current_; }

    pica::u64 draws() const { return draws_; }
    // Target of the last draw; width 0 before the first.
    const pica::RenderTarget& last_target() const { return last_target_; }

    std::string_view name() const override { return current_->name(); }
    pica::GuestMemory& memory() override { return current_->memory(); }
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override { current_->memory_fill(fill); }
    void display_transfer(const pica::DisplayTransfer& transfer) override
    {
        current_->display_transfer(transfer);
    }
    void texture_copy(const pica::TextureCopy& copy) override { current_->texture_copy(copy); }
    void will_read(pica::PhysAddr address, pica::u32 size) override { current_->will_read(address, size); }
    void will_write(pica::PhysAddr address, pica::u32 size) override { current_->will_write(address, size); }
    void did_write(pica::PhysAddr address, pica::u32 size) override { current_->did_write(address, size); }
    void flush() override { current_->flush(); }
    void end_frame() override { current_->end_frame(); }

private:
    pica::Backend* current_;
    pica::RenderTarget last_target_;
    pica::u64 draws_ = 0;
};

} // namespace samples
