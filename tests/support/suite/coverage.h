// SPDX-License-Identifier: MIT
// What the draws of a conformance suite reached. Every enumerator is counted, so that a suite that no longer
// reaches one fails instead of proving nothing.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests
{

using namespace pica;

// A register field that a block of the GPU owns. The suite of the block must reach every value of it. Write
// them as a table:
//   constexpr OwnedField kFields[] = {
//       owned("logic op", reg::LOGIC_OP::op, 16, is_logic, 1u << u32(LogicOp::NoOp)), ...};
struct OwnedField
{
    std::string_view name;
    const u32* ids = nullptr; // all registers of the array
    u32 count = 0;
    u8 shift = 0, width = 0;
    u32 values = 0; // 0..values-1
    // For which draws; nullptr: for all.
    bool (*applies)(const RegisterFile& registers, u32 index) = nullptr;
    u32 inert = 0; // bit v: a draw with value v need not change a byte; with other values some draw must
};
template <typename T>
constexpr OwnedField owned(std::string_view name, const Field<T>& field, u32 values,
                           bool (*applies)(const RegisterFile&, u32) = nullptr, u32 inert = 0)
{
    return {name, field.ids, field.count, field.shift, field.width, values, applies, inert};
}

class Coverage
{
public:
    // Counts everything in a draw. effective: it changed a byte of its targets.
    void see(const Draw& draw, bool effective);
    void see(const RegisterFile& registers, std::span<const OwnedField> fields, bool effective);
    void see(const MemoryFill& fill, bool effective);
    void see(const DisplayTransfer& transfer, bool effective);
    void see(const TextureCopy& copy, bool effective);
    void note(std::string_view kind, u32 value, bool effective);

    void merge(const Coverage& other);

    // The values 0..count-1 of a kind (or the listed ones) must have been reached, each by an effective draw
    // or engine operation; inert ones by any.
    void require(std::string_view kind, u32 count, u32 inert = 0);
    void require(std::string_view kind, std::initializer_list<u32> values);
    void require(std::span<const OwnedField> fields);
    // For each kind, one line with its values that were not reached.
    const std::vector<std::string>& missing() const { return missing_; }
    // "reached 120 of 121 enumerators of 14 kinds (rarest: logic op 4, 2 times)", counting what was required.
    std::string summary() const;

    // One line for each kind: "kind: value*effective/all ...".
    std::string text() const;

private:
    struct Count
    {
        u32 all = 0;
        u32 effective = 0;
    };
    void see_fragment(const Draw& draw, bool effective);
    void see_lighting(const LightingKey& key, bool effective);
    void see_output(const Draw& draw, bool effective);
    void see_geometry(const Draw& draw, bool effective);

    void require_values(std::string_view kind, std::span<const u32> values, u32 inert);

    std::map<std::string, std::map<u32, Count>, std::less<>> counts_;
    std::vector<std::string> missing_;
    u32 kinds_ = 0, wanted_ = 0, reached_ = 0; // in the requirements
    u32 rarest_ = ~0u;
    std::string rarest_name_;
};

} // namespace tests
