// SPDX-License-Identifier: MIT
// What the draws of a conformance suite reached: every enumerator is counted, so that a suite that stopped
// reaching one fails instead of proving nothing.
#pragma once

#include "pica/state/draw.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tests
{

using namespace pica;

class Coverage
{
public:
    // Everything a draw says. effective: it changed a byte of its targets.
    void see(const Draw& draw, bool effective);
    void note(std::string_view kind, u32 value, bool effective);

    void merge(const Coverage& other);

    // Values 0..count-1 of a kind (or those listed) must have been reached, each by an effective draw.
    // Returns what is missing, one line per kind.
    void require(std::string_view kind, u32 count);
    void require(std::string_view kind, std::initializer_list<u32> values);
    const std::vector<std::string>& missing() const { return missing_; }

    // One line per kind: "kind: value*effective/all ...".
    std::string text() const;

private:
    struct Count
    {
        u32 all = 0;
        u32 effective = 0;
    };
    void see_fragment(const Draw& draw, bool effective);
    void see_output(const Draw& draw, bool effective);
    void see_geometry(const Draw& draw, bool effective);

    std::map<std::string, std::map<u32, Count>, std::less<>> counts_;
    std::vector<std::string> missing_;
};

} // namespace tests
