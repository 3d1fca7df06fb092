// SPDX-License-Identifier: MIT
// Programs are identified by content: words chosen so that hashes collide change nothing.
#include "pica/command/program_cache.h"
#include "pica/shader/cost.h"
#include "tests/support/programs/colliding_programs.h"

#include <doctest/doctest.h>

#include <thread>

using namespace pica;
using namespace tests;

TEST_CASE("program identity: programs of one hash and other content have ids of their own")
{
    for (const bool loops : {false, true})
    {
        const auto make = loops ? colliding_loop_program : colliding_vertex_program;
        const Program first = make(false).program();
        const Program second = make(true).program();
        REQUIRE(first.hash() == second.hash());
        CHECK(first.id() != second.id());
        CHECK(make(false).program().id() == first.id());
        CHECK(make(true).program().id() == second.id());
    }
    const Program first = colliding_geometry_program(false).program(0, ShaderStage::Geometry);
    const Program second = colliding_geometry_program(true).program(0, ShaderStage::Geometry);
    REQUIRE(first.hash() == second.hash());
    CHECK(first.id() != second.id());
}

TEST_CASE("program identity: copies share an id, and no id comes back for other content")
{
    u64 id = 0;
    {
        const Program program = colliding_vertex_program(false).program();
        id = program.id();
        const Program copy = program;
        CHECK(copy.id() == id);
    }
    const Program other = colliding_vertex_program(true).program();
    CHECK(other.id() != id);
    const Program again = colliding_vertex_program(false).program();
    CHECK(again.id() != other.id());
    CHECK(again.id() > id);
}

TEST_CASE("program identity: threads that make and forget one program agree on what it is")
{
    const ShaderCode codes[] = {colliding_vertex_program(false).code(),
                                colliding_vertex_program(true).code()};
    std::array<u32, 4> wrong{};
    std::vector<std::thread> threads;
    for (u32 t = 0; t < wrong.size(); ++t)
        threads.emplace_back(
            [&, t]
            {
                for (u32 i = 0; i < 500; ++i)
                {
                    const Program a(codes[0], 0, ShaderStage::Vertex);
                    const Program b(codes[1], 0, ShaderStage::Vertex);
                    const Program a_again(codes[0], 0, ShaderStage::Vertex);
                    wrong[t] += a.id() == b.id() || a.id() != a_again.id() ? 1 : 0;
                }
            });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == std::array<u32, 4>{});
}

TEST_CASE("program cache: programs stay while others come, the limit drops what is old")
{
    ProgramCache cache;
    ShaderCode code = colliding_vertex_program(true).code();
    const ShaderCode geometry = colliding_geometry_program(true).code(ShaderStage::Geometry);
    const u64 first = cache.find(code, 0, ShaderStage::Vertex).id();
    for (u32 n = 0; n < 9000; ++n)
    {
        const Program& other = cache.find(geometry, 0, ShaderStage::Geometry);
        code.write_word(6, n); // the word behind END is another upload, not another program
        const Program& program = cache.find(code, 0, ShaderStage::Vertex);
        REQUIRE(program.hash() != other.hash()); // both can be read
        REQUIRE(program.id() == first);
    }
}
