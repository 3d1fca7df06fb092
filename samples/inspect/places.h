// SPDX-License-Identifier: MIT
// Where the window shows what can be clicked, for `--log`: tests move the mouse there.
#pragma once

#include "samples/cli/json_text.h"

#include <string>

namespace samples
{

class Places
{
public:
    // The last item of Dear ImGui: [x, y, width, height] in the window's pixels.
    void item(const std::string& name);
    // What was there since the last call.
    Json take();

private:
    Json places_ = Json::object();
};

} // namespace samples
