// SPDX-License-Identifier: MIT
// The GPU of the emulated console: registers, interrupts and two memories, as an emulator sees them. One is picavk through
// its interface for embedders, the other the scalar reference of the tests, in which a rule may be exchanged.
#pragma once

#include "pica/base/types.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tests
{

class ConsoleGpu
{
public:
    static constexpr pica::u32 kVram = 0x18000000, kFcram = 0x20000000, kFcramBytes = 16 << 20;

    virtual ~ConsoleGpu() = default;
    virtual void write_register(pica::u32 address, pica::u32 value) = 0;
    virtual pica::u32 read_register(pica::u32 address) = 0;
    // The CPU has written this range / is about to read it.
    virtual void did_write(pica::u32 address, pica::u32 bytes) = 0;
    virtual void will_read(pica::u32 address, pica::u32 bytes) = 0;

    std::vector<pica::u8> vram = std::vector<pica::u8>(6 << 20);
    std::vector<pica::u8> fcram = std::vector<pica::u8>(kFcramBytes);
    // Numbers as gsp::Gpu has them: 0 fill, 4 transfer and copy, 5 command list.
    std::function<void(pica::u32 interrupt)> on_interrupt;
};

// The software renderer behind renderer/picavk.hpp.
std::unique_ptr<ConsoleGpu> picavk_gpu();
// The scalar reference; an ExchangedRule of the caller changes it.
std::unique_ptr<ConsoleGpu> reference_gpu();

} // namespace tests
