// SPDX-License-Identifier: MIT
// The functions that the compiler calls by itself. The program has no library but libgcc.
#pragma once

#include <stddef.h>

extern "C"
{
    void* memcpy(void* to, const void* from, size_t bytes);
    void* memset(void* to, int value, size_t bytes);
}
