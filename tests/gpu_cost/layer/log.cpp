// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/log.h"

#include "tests/gpu_cost/layer/settings.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace gpu_cost
{

void log_line(const nlohmann::ordered_json& line)
{
    static const int file = open(setting(kLogVariable), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const std::string text =
        line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    // One call, so that the line stays whole.
    if (write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        std::fprintf(stderr, "cost layer: its file cannot be written\n");
}

} // namespace gpu_cost
