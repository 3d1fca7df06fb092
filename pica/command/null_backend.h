// SPDX-License-Identifier: MIT
// A backend that executes nothing, for inspecting what a stream does, and for tests.
#pragma once

#include "pica/command/backend.h"
#include "pica/state/carryover.h"

namespace pica
{

class NullBackend : public Backend
{
public:
    explicit NullBackend(GuestMemory& memory) : memory_(memory) {}

    std::string_view name() const override { return "null"; }
    GuestMemory& memory() override { return memory_; }
    void draw(const Draw&) override {}
    void memory_fill(const MemoryFill&) override {}
    void display_transfer(const DisplayTransfer&) override {}
    void texture_copy(const TextureCopy&) override {}
    void will_read(PhysAddr, u32) override {}
    void will_write(PhysAddr, u32) override {}
    void did_write(PhysAddr, u32) override {}
    void may_have_written(PhysAddr, u32) override {}
    void flush() override {}
    void end_frame() override {}
    u64 covered_pixels(const Draw&) override { return 0; }
    // Nothing is drawn, so what another backend left behind stays as it is.
    Carryover save_carryover() override { return carryover_; }
    void load_carryover(const Carryover& carryover) override { carryover_ = carryover; }

private:
    GuestMemory& memory_;
    Carryover carryover_;
};

} // namespace pica
