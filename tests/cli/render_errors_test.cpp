// SPDX-License-Identifier: MIT
// `picavk render` where something fails: one line on stderr that names what it was, exit 2, no crash.
#include "tests/cli/program.h"
#include "tests/support/recordings/ctf_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace pica;
using namespace tests;

namespace
{

void check_error(const ProgramResult& result, const std::string& message)
{
    CAPTURE(message);
    CAPTURE(result.errors);
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK(result.errors.starts_with("picavk: "));
    CHECK(result.errors.find(message) != std::string::npos);
}

ProgramResult render(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(),
                     {"render", stream_path("s_triangle").string(), "--backend", "software"});
    return run_picavk(arguments);
}

} // namespace

TEST_CASE("render: a stream that opens but cannot be read says why")
{
    const TemporaryFolder folder;
    // Reading address 0 of the own process fails.
    check_error(run_picavk({"render", "/proc/self/mem", "--out", folder.file("out")}),
                "/proc/self/mem: cannot be read: Input/output error");
    CHECK_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST_CASE("render: a stream without a frame marker says that there is nothing to show")
{
    const TemporaryFolder folder;
    CtfWriter trace;
    trace.memory_fill(0x18000000, 0x18001000, 0x11223344, 0x200);
    write_file(folder.file("unmarked.ctf"), trace.finish());
    check_error(run_picavk({"render", folder.file("unmarked.ctf"), "--backend", "software", "--out",
                            folder.file("out")}),
                "unmarked.ctf: the stream has no frame marker");
}

TEST_CASE("render: an output folder that cannot be made is named")
{
    const TemporaryFolder folder;
    write_file(folder.file("taken"), {});
    check_error(render({"--out", folder.file("taken/below")}), "taken/below: cannot make this folder: ");
    check_error(render({"--out", folder.file("taken")}), "taken: cannot make this folder: ");
    check_error(render({"--out", ""}), "--out: the name of the folder is empty");
}

TEST_CASE("render: a picture that cannot be written is named")
{
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("out/frame0001_bottom.png"));
    check_error(render({"--out", folder.file("out")}), "out/frame0001_bottom.png: cannot write PNG: ");
    CHECK(std::filesystem::exists(folder.file("out/frame0001_top.png"))); // those before it are there
    // A full disk.
    std::filesystem::create_directory(folder.file("full"));
    std::filesystem::create_symlink("/dev/full", folder.file("full/frame0000_top.png"));
    check_error(render({"--out", folder.file("full")}), "full/frame0000_top.png: cannot write PNG: ");
}

TEST_CASE("render: a recording that cannot be made or written is named")
{
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    check_error(render({"--out", out, "--record", folder.file("no/such.pvk")}), "no/such.pvk: ");
    check_error(render({"--out", out, "--record", folder.path().string()}), folder.path().string() + ": ");
    check_error(render({"--out", out, "--record", "/dev/full"}), "/dev/full: cannot be written");
    CHECK_FALSE(std::filesystem::exists(folder.file("out/frame0000_top.png"))); // before the first frame
    // It grows to 430 kB; files may have 150 KiB here, and the signal for more is ignored. The pictures,
    // which are smaller, are all there.
    check_error(
        run_program({"bash", "-c",
                     "trap '' XFSZ; ulimit -f 150; exec \"$0\" render \"$1\" --backend software --out "
                     "\"$2\" --record \"$2/limited.pvk\"",
                     PICAVK_PROGRAM, stream_path("s_fog_terrain").string(), out}),
        "/limited.pvk: the recording could not be written");
    CHECK(std::filesystem::exists(folder.file("out/frame0002_bottom.png")));
    CHECK(run_picavk({"info", folder.file("out/limited.pvk")}).exit_code == 0); // up to the last whole frame
}

TEST_CASE("render: arguments that are none are refused before anything is written")
{
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    check_error(render({"--out", out, "--sideways"}), "--sideways");
    check_error(render({"--out", out, "--frames", "3"}), "--frames");
    check_error(render({"--out", out, "--record", "two.pvk", "second.ctf"}), "--record: ");
    check_error(render({"--out", out, "a/s_triangle.ctf"}), "a/s_triangle.ctf: another stream has this name");
    check_error(render({"--out"}), "--out: ");
    check_error(render({"--out", out, "--record"}), "--record: ");
    check_error(render({"--out", out, "--backend", "vulkan"}), "--backend: ");
    CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("render: goes on after a bad file, and ends with 2")
{
    const TemporaryFolder folder;
    for (const std::string jobs : {"1", "3"})
    {
        const std::string out = folder.file("out" + jobs);
        check_error(render({"--out", out, "--jobs", jobs, "second.ctf", stream_path("t_lcd").string()}),
                    "second.ctf: ");
        CHECK(std::filesystem::exists(out + "/s_triangle/frame0002_top.png"));
        CHECK(std::filesystem::exists(out + "/t_lcd/frame0000_top.png"));
        CHECK_FALSE(std::filesystem::exists(out + "/second"));
    }
}

TEST_CASE("render: without a Vulkan device --backend vulkan fails and the default draws on the CPU")
{
    const TemporaryFolder folder;
    const std::string out = folder.file("out");
    const std::vector<std::string> command = {"env",
                                              "VK_ICD_FILENAMES=/nonexistent.json",
                                              "VK_DRIVER_FILES=/nonexistent.json",
                                              PICAVK_PROGRAM,
                                              "render",
                                              stream_path("s_triangle").string(),
                                              "--out",
                                              out,
                                              "--backend"};
    std::vector<std::string> forced = command, automatic = command;
    forced.push_back("vulkan");
    automatic.push_back("auto");
    check_error(run_program(forced), "vkCreateInstance: no compatible driver");
    const ProgramResult result = run_program(automatic);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(std::filesystem::exists(folder.file("out/frame0002_bottom.png")));
}
