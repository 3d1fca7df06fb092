// SPDX-License-Identifier: MIT
// Files that are no streams, or broken ones: one line on stderr that names the file and the problem, exit 2.
#include "tests/cli/program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace pica;
using namespace tests;

namespace
{

void set_word(std::vector<u8>& bytes, std::size_t offset, u32 value)
{
    for (std::size_t i = 0; i < 4; ++i)
        bytes[offset + i] = u8(value >> (8 * i));
}

u32 word(const std::vector<u8>& bytes, std::size_t offset)
{
    return bytes[offset] | u32(bytes[offset + 1]) << 8 | u32(bytes[offset + 2]) << 16 |
           u32(bytes[offset + 3]) << 24;
}

void expect_refused(const std::string& file)
{
    for (const std::string verb : {"render", "validate", "play", "info", "bench", "shader"})
    {
        CAPTURE(verb);
        const ProgramResult result = run_picavk({verb, file});
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK(result.errors.find(file) != std::string::npos);
    }
}

} // namespace

TEST_CASE("bad input: a missing file is named")
{
    expect_refused("/nonexistent/stream.ctf");
}

TEST_CASE("bad input: a folder is no stream")
{
    const TemporaryFolder folder;
    expect_refused(folder.path().string());
}

TEST_CASE("bad input: endless, huge and special files are refused by their first bytes")
{
    const TemporaryFolder folder;
    expect_refused("/dev/zero");
    expect_refused("/dev/null");
    // Sparse: reading them to the end would take minutes, and more memory than there is.
    const auto make_huge = [&](const char* name, const std::string& magic)
    {
        write_file(folder.file(name), {reinterpret_cast<const u8*>(magic.data()), magic.size()});
        std::filesystem::resize_file(folder.file(name), u64{6} << 30);
    };
    make_huge("unknown", "not a stream");
    expect_refused(folder.file("unknown"));
    for (const std::string magic : {"CiTr", "PICAVKTR", "DVLB"})
    {
        CAPTURE(magic);
        make_huge("known", magic);
        expect_refused(folder.file("known"));
    }
    CHECK(run_picavk({"shader", folder.file("known")}).errors.find("larger than 67108864 bytes") !=
          std::string::npos);
}

TEST_CASE("bad input: a pipe is read, unless nobody writes into it")
{
    const TemporaryFolder folder;
    REQUIRE(run_program({"mkfifo", folder.file("pipe")}).exit_code == 0);
    expect_refused(folder.file("pipe"));
    // Before and after the program has begun to look.
    for (const std::string wait : {"0", "1.5"})
    {
        const ProgramResult piped =
            run_program({"bash", "-c", "exec \"$0\" info --summary <(sleep " + wait + "; cat \"$1\")",
                         PICAVK_PROGRAM, stream_path("s_triangle").string()});
        CHECK_MESSAGE(piped.exit_code == 0, piped.errors);
        CHECK(piped.output.find("frames") != std::string::npos);
    }
}

TEST_CASE("bad input: an empty file is refused")
{
    const TemporaryFolder folder;
    write_file(folder.file("empty.ctf"), {});
    expect_refused(folder.file("empty.ctf"));
}

TEST_CASE("bad input: a file with another magic is refused")
{
    const TemporaryFolder folder;
    std::vector<u8> bytes = read_file(stream_path("s_triangle"));
    bytes[0] = 'X';
    write_file(folder.file("magic.ctf"), bytes);
    expect_refused(folder.file("magic.ctf"));
}

TEST_CASE("bad input: a file cut off anywhere is refused")
{
    const TemporaryFolder folder;
    const std::vector<u8> bytes = read_file(stream_path("s_triangle"));
    REQUIRE(bytes.size() > 1000);
    std::vector<std::size_t> lengths = {1, 3, 4, 7, 8, 11, 50, 99, 100, bytes.size() - 1, bytes.size() - 21};
    Random random(1);
    for (int i = 0; i < 8; ++i)
        lengths.push_back(100 + random.below(u32(bytes.size() - 200)));
    for (const std::size_t length : lengths)
    {
        CAPTURE(length);
        write_file(folder.file("cut.ctf"), std::span(bytes).first(length));
        const ProgramResult result = run_picavk({"info", folder.file("cut.ctf")});
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK(result.errors.find("cut.ctf") != std::string::npos);
    }
}

TEST_CASE("bad input: absurd sizes and offsets in the header are refused")
{
    const TemporaryFolder folder;
    const std::vector<u8> original = read_file(stream_path("s_triangle"));
    // Header: magic, version, header size, ten (offset, words) pairs, stream offset, stream elements.
    for (std::size_t offset = 4; offset < 100; offset += 4)
    {
        CAPTURE(offset);
        std::vector<u8> bytes = original;
        set_word(bytes, offset, 0xFFFFFFF0u);
        write_file(folder.file("absurd.ctf"), bytes);
        const ProgramResult result = run_picavk({"info", folder.file("absurd.ctf")});
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    }
}

TEST_CASE("bad input: a memory load outside the file or outside guest memory is refused")
{
    const TemporaryFolder folder;
    const std::vector<u8> original = read_file(stream_path("s_triangle"));
    const std::size_t stream = word(original, 92);
    std::size_t load = stream;
    while (load + 20 <= original.size() && word(original, load) != 0xE2)
        load += 20;
    REQUIRE(load + 20 <= original.size());
    for (const std::size_t field : {std::size_t(4), std::size_t(8), std::size_t(12)})
    {
        CAPTURE(field); // file offset, size, physical address
        std::vector<u8> bytes = original;
        set_word(bytes, load + field, 0xF0000000u);
        write_file(folder.file("load.ctf"), bytes);
        expect_refused(folder.file("load.ctf"));
    }
}

TEST_CASE("bad input: random damage neither crashes nor hangs the program")
{
    const TemporaryFolder folder;
    const std::vector<u8> original = read_file(stream_path("s_triangle"));
    for_each_seed(10,
                  [&](u32, Random& random)
                  {
                      std::vector<u8> bytes = original;
                      for (u32 i = 0; i < 40; ++i)
                          bytes[100 + random.below(u32(bytes.size() - 100))] = u8(random.next());
                      write_file(folder.file("damaged.ctf"), bytes);
                      const ProgramResult result =
                          run_picavk({"render", folder.file("damaged.ctf"), "--backend", "software", "--out",
                                      folder.file("out")});
                      CAPTURE(result.errors);
                      CHECK((result.exit_code == 0 || result.exit_code == 2));
                  });
}

TEST_CASE("bad input: a damaged recording is refused by every verb")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("damaged.pvk");
    const ProgramResult recorded = run_picavk({"render", stream_path("s_triangle").string(), "--backend",
                                               "software", "--out", folder.file("out"), "--record", file});
    REQUIRE_MESSAGE(recorded.exit_code == 0, recorded.errors);
    const std::vector<u8> original = read_file(file);
    REQUIRE(original.size() > 1000);
    const auto changed = [&](std::size_t offset, u8 flip)
    {
        std::vector<u8> bytes = original;
        bytes[offset] ^= flip;
        return bytes;
    };
    std::vector<u8> longer = original;
    longer.push_back(0);
    struct Case
    {
        const char* damage;
        std::vector<u8> bytes;
        const char* message;
    };
    for (const Case& c :
         {Case{"magic", changed(0, 1), "not a recording"}, Case{"version", changed(9, 1), "version"},
          Case{"reserved word", changed(12, 1), "the header of the recording is corrupt"},
          Case{"chunk name", changed(16, 1), "the checksum or a size is wrong"},
          Case{"size of a chunk", changed(27, 0x80), "the checksum or a size is wrong"},
          Case{"a byte of the state", changed(100, 4), "the checksum or a size is wrong"},
          Case{"a byte of the last chunk", changed(original.size() - 1, 4),
               "the checksum or a size is wrong"},
          Case{"a byte behind the end", longer, "the recording does not end here"},
          Case{"header alone", {original.begin(), original.begin() + 16}, "first state"},
          Case{"half a header", {original.begin(), original.begin() + 12}, "truncated"},
          Case{"half a state", {original.begin(), original.begin() + 200}, "first state"}})
    {
        CAPTURE(std::string(c.damage));
        write_file(file, c.bytes);
        expect_refused(file);
        CHECK(run_picavk({"info", file}).errors.find(c.message) != std::string::npos);
    }
}
