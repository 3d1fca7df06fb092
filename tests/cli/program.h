// SPDX-License-Identifier: MIT
// Runs the built picavk as a user would, and keeps its output.
#pragma once

#include "pica/base/types.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tests
{

struct ProgramResult
{
    int exit_code = -1; // 128 + signal if a signal ended it
    std::string output;
    std::string errors;
};

// arguments: those after the program's name, passed unchanged. All runs of one process share a cache folder, which is empty
// at first.
ProgramResult run_picavk(const std::vector<std::string>& arguments);
// Runs any program, found through PATH, with the environment of this process.
ProgramResult run_program(const std::vector<std::string>& command);

// Is the part anywhere in the text?
bool contains(const std::string& text, const std::string& part);

std::filesystem::path stream_path(const std::string& name);
std::vector<std::string> bundled_streams();

std::vector<pica::u8> read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::span<const pica::u8> bytes);

// A folder for one test case, removed at the end.
class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

} // namespace tests
