// SPDX-License-Identifier: MIT
// The GPU's internal registers: typed fields (namespace reg, expanded from registers.def), the register file
// with its dirty set, and names for dumps. Use: regs.get(reg::FRAGOP_ALPHA_TEST::func),
// regs.get(reg::TEXENV_COMBINER::color_op, stage), regs[reg::NUMVERTICES::id]. Tests:
// tests/pica/registers_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/regs/field.h"

#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <string>
#include <string_view>

namespace pica
{

struct InternalRegisterSpace;
template <typename T>
using Field = BasicField<T, InternalRegisterSpace>;

inline constexpr u32 kRegisterCount = 0x400;
// The banks of the shader units share one layout: register k of a bank is at 0x280 + k or 0x2B0 + k.
inline constexpr u32 kGeometryBank = 0x280;
inline constexpr u32 kVertexBank = 0x2B0;
inline constexpr u32 kShaderBankSize = 0x30;

// The registers first..last, both included.
struct RegisterRange
{
    u32 first = 0;
    u32 last = 0;
};
constexpr RegisterRange only(u32 id)
{
    return {id, id};
}
// Registers that request interrupts, FINALIZE first, then IRQ_REQ. Command lists may write them.
inline constexpr RegisterRange kInterruptRequests = {0x010, 0x01F};
// What interrupts compare with, and which are masked. Only the CPU can write them.
inline constexpr RegisterRange kInterruptSettings = {0x020, 0x03F};
// Banks of the third and fourth shader core, and mirrors after them. They have no effect here.
inline constexpr RegisterRange kStoredOnly = {0x2E0, 0x3FF};

// One namespace per register: `ids` (array), `id` (the first), and a constant per field.
namespace reg
{
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
#include "pica/regs/registers.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
#undef RESET
#undef FIELD
} // namespace reg

class RegisterFile
{
public:
    RegisterFile() { reset(); }

    // 0 outside the register space.
    u32 operator[](u32 id) const { return id < kRegisterCount ? words_[id] : 0; }
    std::span<const u32, kRegisterCount> words() const { return words_; }

    // Merges the enabled bytes. A register becomes dirty when its word changes; ids outside the space are
    // ignored.
    void write(u32 id, u32 value, u32 byte_mask = 0xF)
    {
        if (id >= kRegisterCount)
            return;
        const u32 mask = byte_mask == 0xF ? 0xFFFFFFFFu : expand_byte_mask(byte_mask);
        const u32 changed = (words_[id] ^ value) & mask;
        words_[id] ^= changed;
        dirty_[id >> 6] |= u64{changed != 0} << (id & 63);
    }

    template <typename T>
    T get(const Field<T>& field, u32 index = 0) const
    {
        assert(index < field.count);
        return field.extract(words_[field.ids[index]]);
    }
    // For tests and command builders.
    template <typename T>
    void set(const Field<T>& field, std::type_identity_t<T> value, u32 index = 0)
    {
        assert(index < field.count);
        write(field.ids[index], field.insert(words_[field.ids[index]], value));
    }

    bool is_dirty(u32 id) const { return id < kRegisterCount && ((dirty_[id >> 6] >> (id & 63)) & 1) != 0; }
    bool any_dirty() const;
    // Calls visit(id) for each dirty register.
    template <typename Visit>
    void for_each_dirty(Visit visit) const
    {
        for (u32 word = 0; word < dirty_.size(); ++word)
            for (u64 bits = dirty_[word]; bits != 0; bits &= bits - 1)
                visit(word * 64 + static_cast<u32>(std::countr_zero(bits)));
    }
    void mark_dirty(u32 id);
    void mark_all_dirty() { dirty_.fill(~u64{0}); }
    void clear_dirty() { dirty_.fill(0); }

    // Documented power-up values, 0 elsewhere; everything dirty.
    void reset();

private:
    std::array<u32, kRegisterCount> words_;
    std::array<u64, kRegisterCount / 64> dirty_;
};

// "FRAGOP_ALPHA_TEST", "TEXENV3_COMBINER", "SH_OUTMAP_O2"; "UNKNOWN_3A0" for ids without a name of their own.
std::string_view register_name(u32 id);
// "FRAGOP_ALPHA_TEST = 0x00008061 enable=1 func=6 reference=128".
std::string describe_write(u32 id, u32 value);

} // namespace pica
