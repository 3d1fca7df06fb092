// SPDX-License-Identifier: MIT
// Which pages of a range of host memory can hold anything but zeros, by what the kernel says. A recording's guest has
// 128 MB of which a stream touches a few; reading the others costs a page fault each, and on kernels without a shared
// zero page also their room. Tests: tests/pica/touched_pages_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <cstddef>
#include <span>
#include <vector>

namespace pica
{

// The answer for each kTouchedPageSize bytes of `bytes`, from its first byte; the last one may be shorter. False: the
// bytes are zero. They belong to private mappings without a file, and the kernel has neither a page nor a swapped page
// for them (Linux: Documentation/admin-guide/mm/pagemap.rst; sure). True: anything, which is also the answer for
// whatever the kernel does not tell, for other kernels and for other sizes of page. A write that another thread makes
// meanwhile may be missed, as by a read. Not for memory whose page faults a program answers itself (userfaultfd).
inline constexpr std::size_t kTouchedPageSize = 4096;
std::vector<bool> touched_pages(std::span<const u8> bytes);

} // namespace pica
