// SPDX-License-Identifier: MIT
#include "samples/console/memory_functions.h"

#include <stdint.h>

// Compiled with -fno-tree-loop-distribute-patterns, or these loops would become calls of themselves.
extern "C"
{
    void* memcpy(void* to, const void* from, size_t bytes)
    {
        uint8_t* t = static_cast<uint8_t*>(to);
        const uint8_t* f = static_cast<const uint8_t*>(from);
        if (((reinterpret_cast<uintptr_t>(t) | reinterpret_cast<uintptr_t>(f)) & 3) == 0)
            for (; bytes >= 4; bytes -= 4, t += 4, f += 4)
                *reinterpret_cast<uint32_t*>(t) = *reinterpret_cast<const uint32_t*>(f);
        while (bytes-- != 0)
            *t++ = *f++;
        return to;
    }

    void* memset(void* to, int value, size_t bytes)
    {
        for (uint8_t* t = static_cast<uint8_t*>(to); bytes-- != 0;)
            *t++ = static_cast<uint8_t>(value);
        return to;
    }
}
