// SPDX-License-Identifier: MIT
#include "tests/support/recordings/ctf_writer.h"

namespace tests
{

namespace
{

constexpr u32 kFrameMarker = 0xE1, kMemoryLoad = 0xE2, kRegisterWrite = 0xE3;
constexpr u32 kHeaderBytes = 100;
// Words of: gpu, lcd and internal registers, default attributes, then program, swizzles and float uniforms of
// the vertex and of the geometry shader.
constexpr std::array<u32, 10> kSectionWords = {0x732, 0x400, 0x300, 64, 512, 128, 384, 512, 128, 384};
constexpr std::size_t kInternalRegisters = 2;

void append(std::vector<u8>& bytes, u32 word)
{
    for (u32 shift = 0; shift < 32; shift += 8)
        bytes.push_back(u8(word >> shift));
}

} // namespace

void CtfWriter::memory_load(PhysAddr address, std::span<const u8> bytes)
{
    load_at_.push_back(elements_.size());
    elements_.push_back({kMemoryLoad, u32(data_.size()), u32(bytes.size()), address, 0});
    data_.insert(data_.end(), bytes.begin(), bytes.end());
}

void CtfWriter::memory_load(PhysAddr address, std::span<const u32> words)
{
    std::vector<u8> bytes;
    for (const u32 word : words)
        append(bytes, word);
    memory_load(address, std::span<const u8>(bytes));
}

void CtfWriter::register_write(PhysAddr address, u32 value)
{
    elements_.push_back({kRegisterWrite, address, value, 0, 0});
}

void CtfWriter::frame_marker()
{
    elements_.push_back({kFrameMarker, 0, 0, 0, 0});
}

void CtfWriter::command_list(PhysAddr address, std::span<const u32> words)
{
    memory_load(address, words);
    register_write(0x104018E0, u32(words.size() * 4) >> 3);
    register_write(0x104018E8, address >> 3);
    register_write(0x104018F0, 1);
}

void CtfWriter::memory_fill(PhysAddr start, PhysAddr end, u32 value, u32 control)
{
    register_write(0x10400010, start >> 3);
    register_write(0x10400014, end >> 3);
    register_write(0x10400018, value);
    register_write(0x1040001C, control | 1);
}

void CtfWriter::display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size, u32 flags)
{
    register_write(0x10400C00, input >> 3);
    register_write(0x10400C04, output >> 3);
    register_write(0x10400C08, output_size);
    register_write(0x10400C0C, input_size);
    register_write(0x10400C10, flags);
    register_write(0x10400C18, 1);
}

void CtfWriter::texture_copy(PhysAddr input, PhysAddr output, u32 size, u32 input_rows, u32 output_rows)
{
    register_write(0x10400C00, input >> 3);
    register_write(0x10400C04, output >> 3);
    register_write(0x10400C20, size);
    register_write(0x10400C24, input_rows);
    register_write(0x10400C28, output_rows);
    register_write(0x10400C10, 8);
    register_write(0x10400C18, 1);
}

void CtfWriter::show(u32 screen, PhysAddr address, u32 format, u32 stride)
{
    const PhysAddr base = 0x10400400 + screen * 0x100;
    register_write(base + 0x68, address);
    register_write(base + 0x70, format);
    register_write(base + 0x78, 0);
    register_write(base + 0x90, stride);
}

std::vector<u8> CtfWriter::finish() const
{
    std::vector<u8> bytes = {'C', 'i', 'T', 'r'};
    append(bytes, 1);
    append(bytes, kHeaderBytes);
    u32 offset = kHeaderBytes;
    for (const u32 words : kSectionWords)
    {
        append(bytes, offset);
        append(bytes, words);
        offset += words * 4;
    }
    const u32 data_offset = offset;
    const u32 padding = u32(-data_.size()) & 3;
    append(bytes, data_offset + u32(data_.size()) + padding);
    append(bytes, u32(elements_.size()));
    for (std::size_t section = 0; section < kSectionWords.size(); ++section)
    {
        for (u32 word = 0; word < kSectionWords[section]; ++word)
            append(bytes, section == kInternalRegisters ? pica_registers[word] : 0);
    }
    bytes.insert(bytes.end(), data_.begin(), data_.end());
    bytes.insert(bytes.end(), padding, 0);
    std::vector<Element> elements = elements_;
    for (const std::size_t load : load_at_)
        elements[load][1] += data_offset;
    for (const Element& element : elements)
    {
        for (const u32 word : element)
            append(bytes, word);
    }
    return bytes;
}

} // namespace tests
