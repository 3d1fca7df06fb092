// SPDX-License-Identifier: MIT
// What `--help` says, in other forms: a manual page, and completion for bash and zsh. Tests: tests/cli/completion_test.cpp.
#pragma once

#include <string>

namespace CLI
{
class App;
} // namespace CLI

namespace samples
{

// For man: picavk.1.
std::string manual_page(const CLI::App& program, const std::string& version);
// A file for /usr/share/bash-completion/completions/picavk.
std::string bash_completion(const CLI::App& program);
// A file _picavk for a folder of zsh's fpath.
std::string zsh_completion(const CLI::App& program);

} // namespace samples
