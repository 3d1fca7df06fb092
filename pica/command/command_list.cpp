// SPDX-License-Identifier: MIT
#include "pica/command/command_list.h"

namespace pica
{

bool CommandListReader::next(RegisterWrite& write)
{
    if (remaining_ != 0)
    {
        if (position_ >= words_.size())
        {
            is_truncated_ = true;
            remaining_ = 0;
            return false;
        }
        --remaining_;
        if (is_consecutive_)
            ++id_;
        write = {id_, words_[position_++], byte_mask_};
        return true;
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
