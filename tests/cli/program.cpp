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

std::string setting(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

// The environment of this process.
std::vector<std::string> own_environment()
{
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        variables.emplace_back(*variable);
    return variables;
}

// The environment of picavk: its cache is a folder of this process, empty at first, so that no test depends on what ran
// before. Mesa keeps the cache that it has.
std::vector<std::string> environment_of_picavk()
{
    static const TemporaryFolder cache;
    std::vector<std::string> variables = own_environment();
    std::erase_if(variables,
                  [](const std::string& variable) { return variable.starts_with("XDG_CACHE_HOME="); });
    const std::string home = setting("XDG_CACHE_HOME");
    if (setting("MESA_SHADER_CACHE_DIR").empty())
        variables.push_back("MESA_SHADER_CACHE_DIR=" + (home.empty() ? setting("HOME") + "/.cache" : home));
    variables.push_back("XDG_CACHE_HOME=" + cache.path().string());
    return variables;
}

std::vector<char*> pointers(const std::vector<std::string>& strings)
{
    std::vector<char*> list;
    for (const std::string& string : strings)
        list.push_back(const_cast<char*>(string.c_str()));
    list.push_back(nullptr);
    return list;
}

ProgramResult run(const std::vector<std::string>& command, const std::vector<std::string>& environment)
{
    const TemporaryFolder folder;
    const std::string out = folder.file("stdout"), err = folder.file("stderr");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
    const std::vector<char*> argv = pointers(command), variables = pointers(environment);
    pid_t child = 0;
    ProgramResult result;
    if (posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), variables.data()) == 0)
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

} // namespace

ProgramResult run_program(const std::vector<std::string>& command)
{
    return run(command, own_environment());
}

ProgramResult run_picavk(const std::vector<std::string>& arguments)
{
    std::vector<std::string> command = {PICAVK_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, environment_of_picavk());
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
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
