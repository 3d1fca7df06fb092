// SPDX-License-Identifier: MIT
// One walk over the fields of a section does both writing and reading, so that the two cannot differ.
#include "pica/command/snapshot_fields.h"

#include "pica/base/bytes.h"
#include "pica/base/numeric.h"
#include "pica/command/snapshot.h"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

namespace pica
{

namespace
{

// Address registers of the geometry shader unit are -2^15..2^15; its loop counter is at most what 257 steps
// of 255 make.
constexpr s32 kMaxAddress = 0x8000;
constexpr s32 kMaxLoopCounter = 0x10200;
constexpr u32 kMaxListWords = 1u << 26;
constexpr u32 kColorAttributes = 4; // the first ones

// Every value of a shader register is a float24 kept as binary32, subnormals too.
bool is_float24(f32 value)
{
    const u32 bits = std::bit_cast<u32>(value);
    const u32 magnitude = bits & 0x7FFFFFFFu;
    const bool in_range = magnitude >= 0x18800000u && magnitude < 0x5F800000u; // 2^-78 to below 2^64
    return (bits & 0x7F) == 0 && (magnitude == 0 || in_range || magnitude >= 0x7F800000u);
}

// After the output map, colours are in [0, 1], and everything is finite and bounded.
bool is_interpolated(f32 value, bool is_color)
{
    const f32 bounded = is_color ? num::vertex_color(value) : num::vertex_attribute(value);
    return std::bit_cast<u32>(bounded) == std::bit_cast<u32>(value);
}

class Writer
{
public:
    explicit Writer(std::vector<u8>& bytes) : bytes_(bytes) {}

    static u32 version() { return kSnapshotVersion; }
    // Names the fields that follow, for errors.
    void name(const char*) {}
    // Numbers, flags and enumerators take one word. limit: the largest allowed value.
    template <typename T>
    void word(const T& value, u32 = 0)
    {
        append_word(bytes_, static_cast<u32>(value));
    }
    void wide(u64 value)
    {
        word(static_cast<u32>(value));
        word(static_cast<u32>(value >> 32));
    }
    void real(f32 value) { word(std::bit_cast<u32>(value)); }
    void interpolated(f32 value, bool) { real(value); }
    void expect(bool) {}
    // The number of elements that follow; each has at least min_words words.
    template <typename T>
    void size(const std::vector<T>& values, u32, u32)
    {
        word(values.size());
    }

private:
    std::vector<u8>& bytes_;
};

class Reader
{
public:
    Reader(std::span<const u8> bytes, u32 version) : bytes_(bytes), version_(version) {}

    u32 version() const { return version_; }
    void name(const char* name) { name_ = name; }
    template <typename T>
    void word(T& value, u32 limit = std::is_same_v<T, bool> ? 1u : ~0u)
    {
        const u32 read = next();
        expect(read <= limit);
        value = static_cast<T>(read);
    }
    void wide(u64& value)
    {
        const u64 low = next();
        value = low | u64{next()} << 32;
    }
    void real(f32& value)
    {
        value = std::bit_cast<f32>(next());
        expect(is_float24(value));
    }
    void interpolated(f32& value, bool is_color)
    {
        value = std::bit_cast<f32>(next());
        expect(is_interpolated(value, is_color));
    }
    void expect(bool holds)
    {
        if (!holds && failed_ == nullptr)
            failed_ = name_;
    }
    template <typename T>
    void size(std::vector<T>& values, u32 limit, u32 min_words)
    {
        const u32 count = next();
        expect(count <= limit && u64{count} * min_words <= (bytes_.size() - position_) / 4);
        values.resize(failed_ == nullptr ? count : 0);
    }
    bool at_end() const { return position_ == bytes_.size(); }
    const char* failed() const { return failed_; } // name of the first failure, or null

private:
    u32 next()
    {
        if (bytes_.size() - position_ < 4)
        {
            expect(false);
            return 0;
        }
        position_ += 4;
        return load_word(&bytes_[position_ - 4]);
    }

    std::span<const u8> bytes_;
    u32 version_;
    std::size_t position_ = 0;
    const char* name_ = "";
    const char* failed_ = nullptr;
};

template <typename Archive, typename Words>
void walk_words(Archive& a, Words& words)
{
    for (auto& word : words)
        a.word(word);
}

template <typename Archive, typename Vectors>
void walk_vectors(Archive& a, Vectors& vectors)
{
    for (auto& vector : vectors)
        for (auto& component : vector)
            a.real(component);
}

template <typename Archive, typename Bits>
void walk_bits(Archive& a, Bits& bits)
{
    for (u32 first = 0; first < bits.size(); first += 32)
    {
        u32 word = 0;
        for (u32 i = 0; i < 32; ++i)
            word |= (bits[first + i] ? 1u : 0u) << i;
        a.word(word);
        if constexpr (!std::is_const_v<Bits>)
            for (u32 i = 0; i < 32; ++i)
                bits[first + i] = (word >> i & 1) != 0;
    }
}

template <typename Archive, typename Fifo>
void walk_fifo(Archive& a, Fifo& fifo)
{
    a.name("words of an unfinished vector");
    std::array<u32, 3> words{};
    u32 count = static_cast<u32>(fifo.words().size());
    std::copy_n(fifo.words().begin(), count, words.begin());
    a.word(count, 3);
    walk_words(a, words);
    for (u32 i = std::min(count, 3u); i < 3; ++i)
        a.expect(words[i] == 0);
    if constexpr (!std::is_const_v<Fifo>)
        fifo.set_words(std::span(words).first(std::min(count, 3u)));
}

template <typename Archive, typename Unit>
void walk_unit(Archive& a, Unit& unit)
{
    a.name("code");
    walk_words(a, unit.code.words);
    a.name("operand descriptors");
    walk_words(a, unit.code.descriptors);
    a.name("c registers");
    walk_vectors(a, unit.uniforms.f);
    a.name("int registers");
    for (auto& vector : unit.uniforms.i)
        for (auto& component : vector)
            a.word(component, 0xFF);
    a.name("bool registers");
    a.word(unit.uniforms.b, 0xFFFF);
    a.name("uploaded c registers");
    walk_bits(a, unit.written_floats);
    a.name("uploaded bools");
    a.word(unit.written_bools);
    a.name("code index");
    a.word(unit.code_index, 0xFFF);
    a.name("descriptor index");
    a.word(unit.descriptor_index, kDescriptorCount);
    a.name("float index");
    a.word(unit.float_index, 0xFF);
    a.name("float format");
    a.word(unit.float_format, 1);
    walk_fifo(a, unit.float_fifo);
}

template <typename Archive, typename PortsType>
void walk_ports(Archive& a, PortsType& ports)
{
    a.name("fixed attributes");
    walk_vectors(a, ports.fixed);
    a.name("index of the fixed attributes");
    a.word(ports.fixed_index, 0xF);
    walk_fifo(a, ports.fixed_fifo);
    a.name("lighting index");
    a.word(ports.lighting_index, 0xFF);
    a.name("lighting table");
    a.word(ports.lighting_table, 0x1F);
    a.name("fog index");
    a.word(ports.fog_index, 0x7F);
    a.name("procedural texture index");
    a.word(ports.proctex_index, 0xFF);
    a.name("procedural texture table");
    a.word(ports.proctex_table, 0xF);
    a.name("gas index");
    a.word(ports.gas_index, 0xF);
}

template <typename Archive, typename Tables>
void walk_tables(Archive& a, Tables& luts)
{
    a.name("tables");
    for (auto& table : luts.lighting)
        walk_words(a, table);
    walk_words(a, luts.fog);
    walk_words(a, luts.proctex_noise);
    walk_words(a, luts.proctex_rgb_map);
    walk_words(a, luts.proctex_alpha_map);
    walk_words(a, luts.proctex_color);
    walk_words(a, luts.proctex_color_diff);
    walk_words(a, luts.gas);
}

template <typename Archive, typename Processor>
void walk_processor(Archive& a, Processor& processor)
{
    a.name("restart");
    a.word(processor.restart);
    a.name("geometry reset");
    a.word(processor.geometry_reset);
    a.name("geometry configured anew");
    a.word(processor.geometry_configures);
    a.name("immediate attributes");
    a.size(processor.immediate, CommandProcessor::kMaxImmediateValues, 4);
    walk_vectors(a, processor.immediate);
    auto& list = processor.list;
    a.name("list running");
    a.word(list.is_running);
    a.name("list finished");
    a.word(list.has_finished);
    a.name("jumps");
    a.word(list.jumps);
    a.name("work since the kick");
    a.wide(list.words_read);
    a.wide(list.work.vertices);
    a.wide(list.work.instructions);
    if (a.version() >= 2)
    {
        a.wide(list.work.layers);
        a.wide(list.work.triangles);
        a.wide(list.work.covered);
    }
    a.name("position in the list");
    a.word(list.position.word);
    a.word(list.position.remaining, 0xFF);
    a.word(list.position.id, 0xFFFF + 0xFF);
    a.word(list.position.byte_mask, 0xF);
    a.word(list.position.is_consecutive);
    a.word(list.position.is_truncated);
    a.name("words of the list");
    a.size(list.words, kMaxListWords, 1);
    walk_words(a, list.words);
}

template <typename Archive, typename Primitive>
void walk_primitive(Archive& a, Primitive& primitive)
{
    a.name("slots filled");
    a.word(primitive.filled, 2);
    a.name("next slot");
    a.word(primitive.next, 2);
    a.name("both slots filled");
    a.word(primitive.ready);
    a.name("next triangle inverted");
    a.word(primitive.inverted);
    for (auto& vertex : primitive.slots)
    {
        a.name("position of a vertex");
        for (auto& component : vertex.position)
            a.real(component);
        a.name("attribute of a vertex");
        for (u32 i = 0; i < vertex.attribute.size(); ++i)
            a.interpolated(vertex.attribute[i], i < kColorAttributes);
    }
}

template <typename Archive, typename Geometry>
void walk_geometry(Archive& a, Geometry& geometry)
{
    auto& registers = geometry.registers;
    a.name("v registers");
    walk_vectors(a, registers.unit.v);
    a.name("r registers");
    walk_vectors(a, registers.unit.r);
    a.name("o registers");
    walk_vectors(a, registers.unit.o);
    walk_vectors(a, registers.other_bank);
    a.name("vertex slots");
    for (auto& slot : registers.slots)
        walk_vectors(a, slot);
    a.name("address registers");
    walk_words(a, registers.unit.a0);
    for (const s32 address : registers.unit.a0)
        a.expect(address >= -kMaxAddress && address <= kMaxAddress);
    a.name("loop counter");
    a.word(registers.al);
    a.expect(registers.al >= 0 && registers.al <= kMaxLoopCounter);
    a.name("flags");
    a.word(registers.unit.cmp_x);
    a.word(registers.unit.cmp_y);
    a.name("SETEMIT");
    a.word(registers.vertex_id, 3);
    a.word(registers.emit_primitive);
    a.word(registers.invert_winding);
    a.name("fed c registers");
    walk_bits(a, geometry.fed);
    walk_vectors(a, geometry.fed_values);
    a.name("has run");
    a.word(geometry.has_run);
    a.name("unfinished invocation");
    a.word(geometry.collected, 0xFF);
    a.word(geometry.cursor, 0xFFFF);
    a.name("inputs");
    walk_vectors(a, geometry.inputs);
}

template <typename Archive, typename State>
void walk(Archive& a, SnapshotSection section, State& state)
{
    auto& processor = state.processor;
    a.name("registers");
    switch (section)
    {
    case SnapshotSection::External:
        walk_words(a, state.gpu);
        return walk_words(a, state.lcd);
    case SnapshotSection::Registers:
        return walk_words(a, processor.registers);
    case SnapshotSection::VertexUnit:
        return walk_unit(a, processor.ports.vertex);
    case SnapshotSection::GeometryUnit:
        return walk_unit(a, processor.ports.geometry);
    case SnapshotSection::Ports:
        return walk_ports(a, processor.ports);
    case SnapshotSection::Tables:
        return walk_tables(a, processor.ports.luts);
    case SnapshotSection::Processor:
        return walk_processor(a, processor);
    case SnapshotSection::Primitive:
        return walk_primitive(a, state.carryover.primitive);
    case SnapshotSection::CarriedGeometry:
        return walk_geometry(a, state.carryover.geometry);
    }
}

} // namespace

std::vector<u8> write_fields(SnapshotSection section, const GpuState& state)
{
    std::vector<u8> bytes;
    Writer writer(bytes);
    walk(writer, section, state);
    return bytes;
}

Status read_fields(SnapshotSection section, std::span<const u8> bytes, GpuState& state, u32 version)
{
    Reader reader(bytes, version);
    walk(reader, section, state);
    if (reader.failed() != nullptr)
        return Error{std::string(reader.failed()) + ": no machine could have left this"};
    if (!reader.at_end())
        return Error{"it is longer than its fields"};
    return {};
}

} // namespace pica
