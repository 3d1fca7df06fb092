// SPDX-License-Identifier: MIT
// An embedder that protects pages instead of announcing every access: passes on only those accesses of the
// CPU for which the page tracker asked (pica/memory/page_tracker.h).
#pragma once

#include "pica/command/backend.h"
#include "pica/memory/guest_memory.h"
#include "pica/state/carryover.h"

#include <map>

namespace tests
{

using namespace pica;

class ProtectingBackend final : public Backend
{
public:
    explicit ProtectingBackend(Backend& backend);

    std::string_view name() const override { return backend_.name(); }
    GuestMemory& memory() override { return backend_.memory(); }
    void draw(const Draw& draw) override;
    void memory_fill(const MemoryFill& fill) override;
    void display_transfer(const DisplayTransfer& transfer) override;
    void texture_copy(const TextureCopy& copy) override;
    void will_read(PhysAddr address, u32 size) override;
    void will_write(PhysAddr address, u32 size) override;
    void did_write(PhysAddr address, u32 size) override;
    void may_have_written(PhysAddr address, u32 size) override { backend_.may_have_written(address, size); }
    void processor_returns() override { backend_.processor_returns(); }
    void flush() override;
    void end_frame() override;
    u64 covered_pixels(const Draw& draw) override { return backend_.covered_pixels(draw); }
    Carryover save_carryover() override { return backend_.save_carryover(); }
    void load_carryover(const Carryover& carryover) override { backend_.load_carryover(carryover); }

    // Number of pages whose accesses were passed on, and of those whose were not.
    u64 announced() const { return announced_; }
    u64 silent() const { return silent_; }

private:
    // Calls visit(begin, size) for the parts of the range whose pages have at least this access.
    template <typename Visit>
    void for_each_part(PhysAddr address, u32 size, PageAccess least, Visit visit);
    void listen();

    Backend& backend_;
    std::map<u32, PageAccess> access_; // by page number; missing: None
    u64 announced_ = 0, silent_ = 0;
};

} // namespace tests
