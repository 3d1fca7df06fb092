// SPDX-License-Identifier: MIT
// doctest's own functions, once for every program that checks anything.
#define DOCTEST_CONFIG_IMPLEMENT
// doctest's handler allocates, which hangs where the heap is what is broken: a crash must end the program.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include <doctest/doctest.h>
