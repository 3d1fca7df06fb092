// SPDX-License-Identifier: MIT
// The compiler wrapper: messages a person can act on, any thread.
#include "shadergen/spirv.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace shadergen;

namespace
{
constexpr std::string_view kVertex =
    "#version 450\nvoid main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n";
}

TEST_CASE("spirv: modules are SPIR-V 1.3")
{
    const auto module = compile(Stage::Vertex, kVertex, {});
    REQUIRE_MESSAGE(module, tests::message_of(module));
    CHECK((*module)[0] == 0x07230203u);
    CHECK((*module)[1] == 0x00010300u);
}

TEST_CASE("spirv: an error holds the log and the numbered text")
{
    const auto module =
        compile(Stage::Fragment, "#version 450\nvoid main()\n{\n    undeclared = 1;\n}\n", {});
    REQUIRE(!module);
    CHECK(module.error().message.find("undeclared") != std::string::npos);
    CHECK(module.error().message.find("4\t    undeclared = 1;") != std::string::npos);
    CHECK(module.error().message.find("fragment shader") != std::string::npos);
}

TEST_CASE("spirv: compiling is deterministic and thread-safe")
{
    const auto reference = compile(Stage::Vertex, kVertex, {});
    REQUIRE(reference);
    std::atomic<int> equal{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back(
            [&]
            {
                for (int i = 0; i < 8; i++)
                    if (const auto module = compile(Stage::Vertex, kVertex, {});
                        module && *module == *reference)
                        equal++;
            });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(equal == 32);
}
