// SPDX-License-Identifier: MIT
// Runs work in a process of its own, optionally with empty caches, and tells how much CPU time work took.
#pragma once

#include "pica/base/result.h"

#include <functional>
#include <string>

namespace samples
{

// Runs `work` in a child process and returns its text. Call it before this process has started a thread or a
// driver. empty_caches: the child's cache folders (XDG_CACHE_HOME, MESA_SHADER_CACHE_DIR) are in a new
// temporary folder, which is removed afterwards.
pica::Result<std::string> in_own_process(bool empty_caches, const std::function<std::string()>& work);

// Milliseconds of CPU time that this thread has had. What other programs of the machine do does not count.
double thread_cpu_ms();

} // namespace samples
