// SPDX-License-Identifier: MIT
// How the program's arguments are described to a person. Tests: tests/cli/help_test.cpp.
#pragma once

#include <string>

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace samples
{

// The description of an option with its default, if it has one.
std::string described_option(const CLI::Option& option);
// Help in which every option says its default. Call it before verbs are added.
void set_help_format(CLI::App& program);
// What stands below the help of each verb: `rest`, and before it `streams` where the verb takes streams. Call it after
// verbs are added.
void set_footers(CLI::App& program, const std::string& streams, const std::string& rest);
// What to say of arguments whose first word is no verb; empty if it is one.
std::string complaint_about_verb(const CLI::App& program, int argc, const char* const* argv);

} // namespace samples
