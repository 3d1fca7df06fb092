// SPDX-License-Identifier: MIT
// A probe: a small piece of work for a GPU, and the bytes to read back, which tell how one rule is on the console. The
// same operations run on the console, in picavk and in the scalar reference of the tests. All memory is in VRAM, whose
// address is fixed, so nothing needs to be relocated.
#pragma once

#include "pica/base/types.h"
#include "samples/probe/pack_format.h"

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace samples
{

struct ProbeOperation
{
    probe_format::Operation kind = probe_format::kEnd;
    std::array<pica::u32, 6> arguments{}; // as in pack_format.h, without offsets in the pack
    std::vector<pica::u8> payload;        // of kUpload, kList and kQuietList
};

class Probe
{
public:
    explicit Probe(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    const std::vector<ProbeOperation>& operations() const { return operations_; }
    pica::u32 answer_bytes() const { return answer_bytes_; }

    // Sizes and offsets are multiples of 16; shorter uploads and lists are refused by write_pack.
    void upload(pica::u32 vram, std::span<const pica::u8> bytes);
    void upload_words(pica::u32 vram, std::span<const pica::u32> words);
    void list(std::span<const pica::u32> words);
    // A list whose end raises no interrupt, or which goes on behind FINALIZE.
    void quiet_list(std::span<const pica::u32> words);
    // The CPU writes an internal register.
    void set_register(pica::u32 id, pica::u32 value);
    // 32-bit words.
    void fill(pica::u32 vram, pica::u32 bytes, pica::u32 value);
    // Fills with any control word.
    void fill_with(pica::u32 vram, pica::u32 bytes, pica::u32 value, pica::u32 control);
    void transfer(pica::u32 input, pica::u32 output, pica::u32 input_size, pica::u32 output_size,
                  pica::u32 flags);
    void read(pica::u32 vram, pica::u32 bytes);
    // Whoever runs it asks whether the GPU still draws: canary_probe() of probes.h.
    void ask_canary();
    // No word there has this value any more.
    void check_drawn(pica::u32 vram, pica::u32 bytes, pica::u32 value);

private:
    ProbeOperation& add(probe_format::Operation kind, std::array<pica::u32, 6> arguments);

    std::string name_;
    std::vector<ProbeOperation> operations_;
    pica::u32 answer_bytes_ = 0;
};

} // namespace samples
