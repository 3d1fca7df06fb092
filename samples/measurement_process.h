// SPDX-License-Identifier: MIT
// Work in a process of its own, optionally with caches that are empty.
#pragma once

#include "pica/base/result.h"

#include <functional>
#include <string>

namespace samples
{

// Runs work in a child process and returns the text it gives. To be called before the process has started a
// thread or a driver. empty_caches: the child's HOME-like cache folders (XDG_CACHE_HOME,
// MESA_SHADER_CACHE_DIR) lie in a new temporary folder, which is removed afterwards.
pica::Result<std::string> in_own_process(bool empty_caches, const std::function<std::string()>& work);

} // namespace samples
