// SPDX-License-Identifier: MIT
// Collects GLSL lines with indentation.
#pragma once

#include "pica/base/types.h"

#include <string>
#include <string_view>

namespace shadergen
{

class GlslWriter
{
public:
    explicit GlslWriter(pica::u32 depth = 0) : depth_(depth) {}

    // Appends one indented line made of the parts.
    template <typename... Parts>
    void line(const Parts&... parts)
    {
        text_.append(4 * depth_, ' ');
        (text_.append(std::string_view(parts)), ...);
        text_.push_back('\n');
    }
    void blank() { text_.push_back('\n'); }
    void open();  // writes '{' and indents
    void close(); // writes '}' and ends the indentation
    // Appends complete lines without indenting them.
    void raw(std::string_view lines) { text_.append(lines); }

    const std::string& text() const { return text_; }

private:
    std::string text_;
    pica::u32 depth_;
};

// Decimal digits of an integer.
std::string number(pica::u32 value);

} // namespace shadergen
