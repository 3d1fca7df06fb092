// SPDX-License-Identifier: MIT
// A backend that forwards to another one and hashes what each operation is given and what it leaves in memory.
#pragma once

#include "pica/command/backend.h"
#include "pica/state/carryover.h"
#include "pica/transfer/engine_range.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pica
{
class Gpu;
class PlaneMemory;
} // namespace pica

namespace samples
{

class ContentHash;

// How to get at the planes of the backend that does the work (design.md, "N times the resolution"). Empty at 1x.
struct DigestPlanes
{
    // With the newest bytes of the range, which will_read has been called for. Null after a failure of the device.
    std::function<const pica::PlaneMemory*(const pica::ByteRange&)> current;
    // Goes on with these instead.
    std::function<void(const pica::PlaneMemory&)> replace;
};

class DigestBackend final : public pica::Backend
{
public:
    using Entry = nlohmann::ordered_json;
    // Called with an entry after each operation; empty: ranges are kept until take_written().
    using OnOperation = std::function<void(Entry)>;

    DigestBackend(pica::Backend& inner, OnOperation on_operation, DigestPlanes planes = {})
        : inner_(inner), on_operation_(std::move(on_operation)), planes_(std::move(planes))
    {
    }
    // The Gpu that uses this backend; it must be set before anything is executed.
    void observe(const pica::Gpu& gpu) { gpu_ = &gpu; }
    // Draws the variants of this draw before it (block_probes.h).
    void probe(pica::u64 draw) { probed_draw_ = draw; }
    // The blocks of that draw, each with a hash, once it has been executed: what it is given, then its variants.
    const std::optional<Entry>& blocks() const { return blocks_; }

    // The hash of everything that was written since the last call. Hashes of memory are also of the planes there.
    std::string take_written();
    // The hash of all guest memory.
    std::string memory_hash();
    pica::u64 draws() const { return draws_; }

    std::string_view name() const override { return inner_.name(); }
    pica::GuestMemory& memory() override { return inner_.memory(); }
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override;
    void display_transfer(const pica::DisplayTransfer& transfer) override;
    void texture_copy(const pica::TextureCopy& copy) override;
    void will_read(pica::PhysAddr address, pica::u32 size) override { inner_.will_read(address, size); }
    void will_write(pica::PhysAddr address, pica::u32 size) override { inner_.will_write(address, size); }
    void did_write(pica::PhysAddr address, pica::u32 size) override { inner_.did_write(address, size); }
    void may_have_written(pica::PhysAddr address, pica::u32 size) override
    {
        inner_.may_have_written(address, size);
    }
    void processor_returns() override { inner_.processor_returns(); }
    void flush() override { inner_.flush(); }
    void end_frame() override { inner_.end_frame(); }
    pica::u64 covered_pixels(const pica::Draw& draw) override { return inner_.covered_pixels(draw); }
    pica::Carryover save_carryover() override { return inner_.save_carryover(); }
    void load_carryover(const pica::Carryover& carryover) override { inner_.load_carryover(carryover); }

private:
    template <typename Operation>
    void finish(const Operation& operation, Entry entry);
    std::string state_hash() const;
    void add_planes(ContentHash& hash, const pica::ByteRange& range) const;
    std::unique_ptr<pica::PlaneMemory> save_planes();
    std::string range_hash(const std::vector<pica::ByteRange>& ranges);
    void add_given(const pica::Draw& draw);
    void add_variants(const pica::Draw& draw);
    void add_block(const std::string& block, const std::string& hash);

    pica::Backend& inner_;
    OnOperation on_operation_;
    DigestPlanes planes_;
    const pica::Gpu* gpu_ = nullptr;
    std::vector<pica::ByteRange> written_;
    std::optional<pica::u64> probed_draw_;
    std::optional<Entry> blocks_;
    pica::u64 draws_ = 0;
};

} // namespace samples
