// SPDX-License-Identifier: MIT
#include "samples/probe/probe.h"

#include "pica/base/bytes.h"

namespace samples
{

using namespace pica;
using namespace probe_format;

ProbeOperation& Probe::add(Operation kind, std::array<u32, 6> arguments)
{
    operations_.push_back({kind, arguments, {}});
    return operations_.back();
}

void Probe::upload(u32 vram, std::span<const u8> bytes)
{
    ProbeOperation& operation = add(kUpload, {vram, static_cast<u32>(bytes.size())});
    operation.payload.assign(bytes.begin(), bytes.end());
}

namespace
{

std::vector<u8> to_bytes(std::span<const u32> words)
{
    std::vector<u8> bytes;
    for (const u32 word : words)
        for (u32 i = 0; i < 4; ++i)
            bytes.push_back(static_cast<u8>(word >> (8 * i)));
    return bytes;
}

} // namespace

void Probe::upload_words(u32 vram, std::span<const u32> words)
{
    upload(vram, to_bytes(words));
}

void Probe::list(std::span<const u32> words)
{
    add(kList, {static_cast<u32>(words.size() * 4)}).payload = to_bytes(words);
}

void Probe::quiet_list(std::span<const u32> words)
{
    add(kQuietList, {static_cast<u32>(words.size() * 4)}).payload = to_bytes(words);
}

void Probe::set_register(u32 id, u32 value)
{
    add(kRegister, {id, value});
}

void Probe::fill(u32 vram, u32 bytes, u32 value)
{
    fill_with(vram, bytes, value, 0x201);
}

void Probe::fill_with(u32 vram, u32 bytes, u32 value, u32 control)
{
    add(kFill, {vram, vram + bytes, value, control});
}

void Probe::transfer(u32 input, u32 output, u32 input_size, u32 output_size, u32 flags)
{
    add(kTransfer, {input, output, input_size, output_size, flags});
}

void Probe::read(u32 vram, u32 bytes)
{
    add(kRead, {vram, bytes});
    answer_bytes_ += bytes;
}

void Probe::ask_canary()
{
    add(kCanary, {});
}

void Probe::check_drawn(u32 vram, u32 bytes, u32 value)
{
    add(kDrawn, {vram, bytes, value});
}

} // namespace samples
