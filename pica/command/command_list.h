// SPDX-License-Identifier: MIT
// Decodes the words of a command list into register writes. Source: pica/hardware/command-lists.md, "Command
// format" and "Unknown registers and truncated lists". Tests: tests/pica/command_list_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <span>

namespace pica
{

struct RegisterWrite
{
    u32 id = 0; // may be outside the register space
    u32 value = 0;
    u32 byte_mask = 0;
    bool operator==(const RegisterWrite&) const = default;
};

// Walks over a list, register write by register write. The walk can be interrupted and resumed anywhere. The
// words must stay where they are.
class CommandListReader
{
public:
    struct Position
    {
        u32 word = 0;      // index of the next word, at most the number of words
        u32 remaining = 0; // parameters of the current command that are left
        u32 id = 0;        // register of the last parameter
        u32 byte_mask = 0;
        bool is_consecutive = false;
        bool is_truncated = false;
    };

    CommandListReader() = default;
    explicit CommandListReader(std::span<const u32> words) : words_(words) {}
    CommandListReader(std::span<const u32> words, const Position& position)
        : words_(words), position_(position.word), remaining_(position.remaining), id_(position.id),
          byte_mask_(position.byte_mask), is_consecutive_(position.is_consecutive),
          is_truncated_(position.is_truncated)
    {
    }

    // Returns false at the end of the list.
    bool next(RegisterWrite& write)
    {
        if (remaining_ == 0 || position_ >= words_.size())
            return next_command(write);
        --remaining_;
        id_ += is_consecutive_ ? 1 : 0;
        write = {id_, words_[position_++], byte_mask_};
        return true;
    }
    // Delivers the next writes as visit(id, value, byte_mask), as long as they are whole commands of registers for which
    // is_plain(id) is true. Returns how many. None where a command has begun, or writes several words to one register. Faster
    // than next(), because the place in the list is not stored after each write.
    template <typename IsPlain, typename Visit>
    u32 take_plain(IsPlain is_plain, Visit visit);
    // The words that the command still writes to the register of the last write, if it writes all of them to one register. They
    // count as delivered.
    std::span<const u32> take_repeats();
    // True if the words of a command ran past the end of the list (those that exist were delivered), or if a
    // single word was left over.
    bool is_truncated() const { return is_truncated_; }

    std::span<const u32> words() const { return words_; }
    Position position() const
    {
        return {static_cast<u32>(position_), remaining_, id_, byte_mask_, is_consecutive_, is_truncated_};
    }

private:
    bool next_command(RegisterWrite& write);

    std::span<const u32> words_;
    std::size_t position_ = 0; // index of the next word
    u32 remaining_ = 0;        // parameters of the current command that are left
    u32 id_ = 0;               // register of the last parameter
    u32 byte_mask_ = 0;
    bool is_consecutive_ = false;
    bool is_truncated_ = false;
};

template <typename IsPlain, typename Visit>
u32 CommandListReader::take_plain(IsPlain is_plain, Visit visit)
{
    if (remaining_ != 0)
        return 0;
    const std::span<const u32> words = words_;
    std::size_t at = position_;
    u32 writes = 0;
    for (;;)
    {
        const std::size_t begin = at + (at & 1);
        if (begin + 2 > words.size())
            break;
        const u32 header = words[begin + 1];
        const u32 id = header & 0xFFFF, byte_mask = header >> 16 & 0xF, more = header >> 20 & 0xFF;
        bool plain = is_plain(id);
        if (more != 0) // registers that follow each other
        {
            plain = plain && header >> 31 != 0 && begin + 2 + more <= words.size();
            for (u32 i = 1; i <= more && plain; ++i)
                plain = is_plain(id + i);
        }
        if (!plain)
            break;
        visit(id, words[begin], byte_mask);
        for (u32 i = 0; i < more; ++i)
            visit(id + 1 + i, words[begin + 2 + i], byte_mask);
        writes += 1 + more;
        at = begin + 2 + more;
    }
    position_ = at;
    return writes;
}

} // namespace pica
