// SPDX-License-Identifier: MIT
#include "tests/cli/program.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tests
{

using namespace pica;

namespace
{

std::string read_text(const std::filesystem::path& path)
{
    const std::vector<u8> bytes = read_file(path);
    return {bytes.begin(), bytes.end()};
}

} // namespace

ProgramResult run_program(const std::vector<std::string>& command)
{
    const TemporaryFolder folder;
    const std::string out = folder.file("stdout"), err = folder.file("stderr");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
    std::vector<char*> argv;
    for (const std::string& argument : command)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    ProgramResult result;
    if (posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0)
    {
        int status = 0;
        waitpid(child, &status, 0);
        result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        result.output = read_text(out);
        result.errors = read_text(err);
    }
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

ProgramResult run_picavk(const std::vector<std::string>& arguments)
{
    std::vector<std::string> command = {PICAVK_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command);
}

std::filesystem::path stream_path(const std::string& name)
{
    return std::filesystem::path(PICAVK_SOURCE_DIR) / "samples/streams" / (name + ".ctf");
}

std::vector<std::string> bundled_streams()
{
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(PICAVK_SOURCE_DIR) / "samples/streams"))
    {
        if (entry.path().extension() == ".ctf")
            names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<u8> read_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, std::span<const u8> bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

TemporaryFolder::TemporaryFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "picavk_XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr)
        path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!path_.empty())
        std::filesystem::remove_all(path_, ignored);
}

} // namespace tests
