// SPDX-License-Identifier: MIT
#include "pica/command/command_list.h"

#include <algorithm>

namespace pica
{

std::span<const u32> CommandListReader::take_repeats()
{
    if (is_consecutive_ || remaining_ == 0)
        return {};
    // What runs past the end of the list is left to next().
    const std::size_t count = std::min<std::size_t>(remaining_, words_.size() - position_);
    const std::span<const u32> words = words_.subspan(position_, count);
    position_ += count;
    remaining_ -= static_cast<u32>(count);
    return words;
}

// The first write of the next command. False: the list ends. It may end within a command.
bool CommandListReader::next_command(RegisterWrite& write)
{
    if (remaining_ != 0)
    {
        is_truncated_ = true;
        remaining_ = 0;
        return false;
    }

    // Commands start on 8-byte boundaries; the padding word has no meaning.
    position_ += position_ & 1;
    if (position_ >= words_.size())
        return false;
    if (words_.size() - position_ < 2)
    {
        is_truncated_ = true;
        position_ = words_.size();
        return false;
    }
    const u32 value = words_[position_];
    const u32 header = words_[position_ + 1];
    position_ += 2;
    id_ = header & 0xFFFF;
    byte_mask_ = header >> 16 & 0xF;
    remaining_ = header >> 20 & 0xFF; // 8 bits [3dbrew, GBATEK]
    is_consecutive_ = header >> 31 != 0;
    write = {id_, value, byte_mask_};
    return true;
}

} // namespace pica
