// SPDX-License-Identifier: MIT
#include "samples/cli/help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <sstream>

namespace samples
{

namespace
{

// CLI11 prints a default only where an option has no text of its own for its value.
class Formatter final : public CLI::Formatter
{
public:
    std::string make_option_opts(const CLI::Option* option) const override
    {
        std::string text;
        if (!option->get_option_text().empty())
            text = " " + option->get_option_text();
        else if (option->get_type_size() != 0 && !option->get_positional())
            text = " " + option->get_type_name();
        if (option->get_positional() && option->get_expected_max() == CLI::detail::expected_max_vector_size)
            text += " ...";
        return text;
    }
    std::string make_option_desc(const CLI::Option* option) const override
    {
        return described_option(*option);
    }
    // In the list of verbs, the first sentence.
    std::string make_subcommand(const CLI::App* verb) const override
    {
        const std::string text = verb->get_description();
        std::ostringstream out;
        CLI::detail::format_help(out, verb->get_display_name(true), text.substr(0, text.find(". ")),
                                 get_column_width());
        return out.str();
    }
};

} // namespace

std::string described_option(const CLI::Option& option)
{
    if (option.get_required() && !option.get_positional())
        return option.get_description() + " (required)";
    const std::string given = option.get_default_str();
    // Of a flag, or of a list that is empty: nothing to say.
    if (option.get_type_size() == 0 || given.empty() || given == "[]" || given == "\"\"")
        return option.get_description();
    return option.get_description() + " [" + given + "]";
}

void set_help_format(CLI::App& program)
{
    program.formatter(std::make_shared<Formatter>());
    program.option_defaults()->always_capture_default();
}

void set_footers(CLI::App& program, const std::string& streams, const std::string& rest)
{
    program.footer(streams + "\n" + rest);
    for (CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
    {
        set_footers(*verb, streams, rest);
        const auto options = verb->get_options();
        const auto takes_stream = [](const CLI::Option* option)
        {
            return option->get_name(true, true).find("STREAM") != std::string::npos ||
                   option->get_option_text() == "STREAM";
        };
        if (std::none_of(options.begin(), options.end(), takes_stream))
            verb->footer(rest);
    }
}

namespace
{

// Verbs may have verbs of their own, with options of their own.
bool has_option(const CLI::App& verb, const std::string& name)
{
    if (verb.get_option_no_throw(name) != nullptr)
        return true;
    const auto verbs = verb.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(verbs.begin(), verbs.end(),
                       [&](const CLI::App* inner) { return has_option(*inner, name); });
}

// Otherwise what is missing would be told first, and the option's value might be taken for a stream.
std::string complaint_about_option(const CLI::App& verb, int argc, const char* const* argv)
{
    for (int i = 2; i < argc && std::string(argv[i]) != "--"; ++i)
    {
        const std::string argument = argv[i], name = argument.substr(0, argument.find('='));
        if (name.starts_with("--") && !has_option(verb, name))
            return name + ": " + verb.get_name() + " has no such option (see picavk " + verb.get_name() +
                   " --help)";
    }
    return {};
}

} // namespace

std::string complaint_about_verb(const CLI::App& program, int argc, const char* const* argv)
{
    if (argc < 2)
        return {};
    if (argv[1][0] == '-')
    {
        const std::string option = argv[1];
        const bool known = option == "--help" || option == "-h" || option == "--version";
        return known ? ""
                     : option + ": there is no such option; the first argument is a verb (see picavk --help)";
    }
    std::string names;
    for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
    {
        if (verb->get_name() == argv[1])
            return complaint_about_option(*verb, argc, argv);
        names += (names.empty() ? "" : ", ") + verb->get_name();
    }
    return std::string(argv[1]) + ": there is no such verb; the verbs are " + names + " (see picavk --help)";
}

} // namespace samples
