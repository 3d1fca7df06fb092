// SPDX-License-Identifier: MIT
#include "pica/vertex/unique_vertices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pica;

TEST_CASE("unique vertices: each vertex is named once, in the order of its first element")
{
    UniqueVertices unique;
    unique.begin();
    for (const u32 index : {7u, 65535u, 7u, 0u, 65535u})
        unique.add(index);
    const std::vector<u32> numbers = {7, 65535, 0}, elements = {0, 1, 0, 2, 1};
    CHECK(std::equal(numbers.begin(), numbers.end(), unique.numbers().begin(), unique.numbers().end()));
    CHECK(std::equal(elements.begin(), elements.end(), unique.elements().begin(), unique.elements().end()));
}

TEST_CASE("unique vertices: a draw knows nothing of the one before it")
{
    UniqueVertices unique;
    for (u32 draw = 0; draw < 3; ++draw)
    {
        unique.begin();
        CHECK(unique.count() == 0);
        CHECK(unique.elements().empty());
        unique.add(5 + draw);
        unique.add(5);
        CHECK(unique.count() == (draw == 0 ? 1u : 2u));
    }
}
