// SPDX-License-Identifier: MIT
// `picavk inspect --log FILE`: what the window shows, one JSON object a line, whenever that changes. For tests and for
// people who want the values that they see in a file.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/json_text.h"

#include <fstream>
#include <string>

namespace samples
{

class EventLog
{
public:
    // Empty path: nothing is written.
    pica::Status open(const std::string& path);
    bool is_open() const { return file_.is_open(); }
    // Writes the line at once, unless the last line of the kind was the same.
    void write(const std::string& kind, const Json& what);

private:
    std::ofstream file_;
    Json last_ = Json::object(); // by kind
};

} // namespace samples
