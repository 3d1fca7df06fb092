// SPDX-License-Identifier: MIT
// Fields of registers: the same as describe_write prints, with enumerations by name and numbers in their own units.
#include "pica/regs/register_fields.h"

#include "pica/base/float24.h"
#include "pica/regs/registers.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>

using namespace pica;

namespace
{

const FieldValue& field(const std::vector<FieldValue>& fields, std::string_view name)
{
    for (const FieldValue& value : fields)
        if (value.name == name)
            return value;
    FAIL("no such field: " << name);
    return fields.front();
}

template <typename T>
T value(u32 id, u32 word, std::string_view name)
{
    const std::vector<FieldValue> fields = register_fields(id, word);
    const T* found = std::get_if<T>(&field(fields, name).value);
    REQUIRE(found != nullptr);
    return *found;
}

} // namespace

TEST_CASE(
    "register fields: for random words of every register, the fields and whole numbers of describe_write")
{
    std::mt19937 random(5);
    u32 numbers = 0, names = 0, with_fields = 0;
    // Two codes of an enumeration have two names.
    std::map<std::pair<u32, std::string>, std::map<std::string, std::string>> codes;
    for (u32 id = 0; id < kRegisterCount; ++id)
        for (u32 round = 0; round < 40; ++round)
        {
            const u32 word = static_cast<u32>(random());
            std::istringstream text(describe_write(id, word));
            std::string name, part;
            text >> name >> part >> part; // NAME = 0x...
            const std::vector<FieldValue> fields = register_fields(id, word);
            with_fields += !fields.empty();
            for (const FieldValue& value : fields)
            {
                REQUIRE(static_cast<bool>(text >> part));
                const std::size_t equals = part.find('=');
                const bool same_name = part.substr(0, equals) == value.name;
                CHECK(same_name);
                const std::string number = part.substr(equals + 1);
                if (const s64* whole = std::get_if<s64>(&value.value))
                {
                    ++numbers;
                    CHECK(std::stoll(number, nullptr, 0) == *whole);
                }
                else if (const bool* flag = std::get_if<bool>(&value.value))
                    CHECK(number == (*flag ? "1" : "0"));
                else if (const auto* word_of = std::get_if<std::string_view>(&value.value))
                {
                    ++names;
                    const auto [known, is_new] =
                        codes[{id, std::string(value.name)}].emplace(number, std::string(*word_of));
                    CHECK(known->second == *word_of);
                }
            }
            CHECK_FALSE(static_cast<bool>(text >> part));
        }
    for (const auto& [which, names_of] : codes)
    {
        std::set<std::string> distinct;
        for (const auto& [number, name] : names_of)
            distinct.insert(name);
        CHECK(distinct.size() == names_of.size());
    }
    CHECK(numbers > 1000);
    CHECK(names > 1000);
    CHECK(with_fields > 1000);
}

TEST_CASE("register fields: names, numbers, addresses and flags of single registers")
{
    CHECK(value<std::string_view>(reg::FRAGOP_ALPHA_TEST::id, 0x8061, "func") == "Greater");
    CHECK(value<bool>(reg::FRAGOP_ALPHA_TEST::id, 0x8061, "enable"));
    CHECK(value<s64>(reg::FRAGOP_ALPHA_TEST::id, 0x8061, "reference") == 128);
    CHECK(value<std::string_view>(reg::TEXENV_COMBINER::ids[3], 0x00080004, "alpha_op") == "MultiplyThenAdd");
    CHECK(value<s64>(reg::TEXENV_COMBINER::ids[3], 0x0008000F, "color_op") == 15); // no such operation
    CHECK(value<FieldAddress>(reg::COLORBUFFER_LOC::id, 0x03000000, "address") == FieldAddress{0x18000000});
    CHECK(value<FieldAddress>(reg::TEXUNIT_ADDR::ids[1], 0x04000001, "address") == FieldAddress{0x20000008});
    CHECK(value<f32>(reg::VIEWPORT_WIDTH::id, 0x45E000, "value") == float24_to_f32(0x45E000));
    CHECK(value<f32>(reg::VIEWPORT_WIDTH::id, 0x45E000, "value") == 120.0f);
    CHECK(value<f32>(reg::TEXUNIT_LOD::id, 0x1F80, "bias") == -0.5f);
    CHECK(value<f32>(reg::LIGHT_Z::ids[7], 0x3C00, "z") == 0.5f * 2.0f);
    CHECK(value<s64>(reg::VIEWPORT_XY::id, 0x000003FF, "x") == -1);
    CHECK(register_fields(reg::FINALIZE::id, 1).empty());
    CHECK(register_fields(0x3FF, 1).empty());
    CHECK(register_fields(0x12345, 1).empty());
    CHECK(is_named_register(reg::LIGHT_CONFIG::ids[5]));
    CHECK(is_named_register(reg::TEXUNIT_DIM::ids[2]));
    CHECK_FALSE(is_named_register(0x3A0));
    CHECK_FALSE(is_named_register(0x12345));
}
