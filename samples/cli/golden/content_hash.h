// SPDX-License-Identifier: MIT
// Hashes of pictures, memory and state: XXH3 with 128 bits, in 32 hexadecimal digits. They tell whether content is equal;
// nothing else may depend on them. Tests: tests/cli/bisect_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "samples/cli/png_file.h"

#include <memory>
#include <span>
#include <string>
#include <type_traits>

struct XXH3_state_s;

namespace samples
{

class ContentHash
{
public:
    ContentHash();
    ~ContentHash();
    ContentHash(const ContentHash&) = delete;
    ContentHash& operator=(const ContentHash&) = delete;

    void add(std::span<const pica::u8> bytes);
    template <typename Value>
    void add_value(const Value& value)
    {
        static_assert(std::has_unique_object_representations_v<Value>);
        add({reinterpret_cast<const pica::u8*>(&value), sizeof value});
    }
    // Of a vector, array or span.
    template <typename Values>
    void add_values(const Values& values)
    {
        using Value = std::remove_cvref_t<decltype(*values.data())>;
        static_assert(std::is_trivially_copyable_v<Value>);
        add({reinterpret_cast<const pica::u8*>(values.data()), values.size() * sizeof(Value)});
    }
    std::string text() const;

private:
    struct Free
    {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, Free> state_;
};

// Of the size and the pixels.
std::string picture_hash(const Picture& picture);

} // namespace samples
