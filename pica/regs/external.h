// SPDX-License-Identifier: MIT
// The memory-mapped registers around the 3D core (fills, transfers, LCD): typed fields (namespace ext,
// expanded from external.def) and their storage, addressed physically. The window 0x10401000 + 4 * id shows
// internal registers; the code that executes register writes (Gpu) sends those to the RegisterFile. Use:
// external.get(ext::PSC_CONTROL::width, engine). Tests: tests/pica/external_registers_test.cpp.
#pragma once

#include "pica/regs/enums.h"
#include "pica/regs/field.h"

#include <array>
#include <cassert>
#include <span>
#include <string>

namespace pica
{

struct ExternalRegisterSpace;

inline constexpr PhysAddr kGpuBlockBase = 0x10400000;
inline constexpr u32 kGpuBlockSize = 0x2000;
inline constexpr PhysAddr kP3dWindowBase = 0x10401000; // internal register id at base + 4 * id
inline constexpr PhysAddr kLcdBlockBase = 0x10202000;
inline constexpr u32 kLcdBlockSize = 0x1000;

namespace ext
{
template <typename T>
using Field = BasicField<T, ExternalRegisterSpace>;

#define REG(NAME, ID)                                                                                        \
    namespace NAME                                                                                           \
    {                                                                                                        \
    inline constexpr std::array<u32, 1> ids{ID};                                                             \
    inline constexpr u32 id = ID;                                                                            \
    }
#define REGS(NAME, COUNT, ...)                                                                               \
    namespace NAME                                                                                           \
    {                                                                                                        \
    inline constexpr std::array<u32, COUNT> ids{__VA_ARGS__};                                                \
    inline constexpr u32 id = ids[0];                                                                        \
    }
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE)                                                        \
    namespace NAME                                                                                           \
    {                                                                                                        \
    inline constexpr std::array<u32, COUNT> ids = strided_ids<COUNT>(BASE, STRIDE);                          \
    inline constexpr u32 id = BASE;                                                                          \
    }
#define RESET(NAME, INDEX, VALUE)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)                                                       \
    namespace NAME                                                                                           \
    {                                                                                                        \
    inline constexpr Field<TYPE> NAME_OF_FIELD{ids.data(), static_cast<u32>(ids.size()), SHIFT, WIDTH};      \
    }
#include "pica/regs/external.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
#undef RESET
#undef FIELD

// "PPF_FLAGS", "PSC1_START"; internal names inside the P3D window; "UNKNOWN_10400ABC" otherwise.
std::string register_name(PhysAddr address);
std::string describe_write(PhysAddr address, u32 value);

} // namespace ext

class ExternalRegisters
{
public:
    ExternalRegisters() { reset(); }

    static bool contains(PhysAddr address) { return slot(address) < kWordCount; }

    // The word at an address (low two bits ignored); 0 outside both blocks.
    u32 operator[](PhysAddr address) const
    {
        const u32 index = slot(address);
        return index < kWordCount ? words_[index] : 0;
    }
    // Merges the enabled bytes; ignored outside both blocks.
    void write(PhysAddr address, u32 value, u32 byte_mask = 0xF);

    template <typename T>
    T get(const ext::Field<T>& field, u32 index = 0) const
    {
        assert(index < field.count);
        return field.extract((*this)[field.ids[index]]);
    }
    template <typename T>
    void set(const ext::Field<T>& field, std::type_identity_t<T> value, u32 index = 0)
    {
        assert(index < field.count);
        write(field.ids[index], field.insert((*this)[field.ids[index]], value));
    }

    // For restoring recorded states.
    std::span<u32> gpu_words() { return std::span(words_).first(kGpuBlockSize / 4); }
    std::span<u32> lcd_words() { return std::span(words_).last(kLcdBlockSize / 4); }

    void reset();

private:
    static constexpr u32 kWordCount = (kGpuBlockSize + kLcdBlockSize) / 4;

    static constexpr u32 slot(PhysAddr address)
    {
        if (address - kGpuBlockBase < kGpuBlockSize)
            return (address - kGpuBlockBase) / 4;
        if (address - kLcdBlockBase < kLcdBlockSize)
            return (kGpuBlockSize + address - kLcdBlockBase) / 4;
        return kWordCount;
    }

    std::array<u32, kWordCount> words_;
};

} // namespace pica
