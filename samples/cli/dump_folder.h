// SPDX-License-Identifier: MIT
// A folder into which files are written. After the first failure it writes nothing more, and says what failed.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/json_text.h"
#include "samples/cli/png_file.h"

#include <string>
#include <vector>

namespace samples
{

class DumpFolder
{
public:
    // Makes the folder if it is not there.
    explicit DumpFolder(std::string path);

    void write_text(const std::string& name, const std::string& text);
    void write_json(const std::string& name, const Json& json);
    void write_picture(const std::string& name, const Picture& picture);

    // The names of what was written, in order.
    const std::vector<std::string>& files() const { return files_; }
    const pica::Status& status() const { return status_; }

private:
    std::string path_;
    std::vector<std::string> files_;
    pica::Status status_;
};

} // namespace samples
