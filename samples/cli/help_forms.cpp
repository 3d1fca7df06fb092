// SPDX-License-Identifier: MIT
#include "samples/cli/help_forms.h"

#include "samples/cli/help.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace samples
{

namespace
{

std::vector<const CLI::App*> verbs_of(const CLI::App& program)
{
    return program.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : verbs_of(program))
        names.push_back(verb->get_name());
    return names;
}

// A verb, or a verb of a verb: "probe judge".
struct Command
{
    std::string name;
    std::size_t words; // with "picavk"
    const CLI::App* app;
};

std::vector<Command> commands_of(const CLI::App& program)
{
    std::vector<Command> commands;
    for (const CLI::App* verb : verbs_of(program))
    {
        commands.push_back({verb->get_name(), 2, verb});
        for (const CLI::App* inner : verbs_of(*verb))
            commands.push_back({verb->get_name() + " " + inner->get_name(), 3, inner});
    }
    return commands;
}

std::vector<const CLI::Option*> options_of(const CLI::App& verb, bool positional)
{
    std::vector<const CLI::Option*> options;
    for (const CLI::Option* option : verb.get_options())
        if (option->get_positional() == positional)
            options.push_back(option);
    return options;
}

// "--backend"; of positionals "STREAM".
std::string name_of(const CLI::Option& option)
{
    if (option.get_positional())
        return option.get_name(true, false);
    return option.get_lnames().empty() ? "-" + option.get_snames()[0] : "--" + option.get_lnames()[0];
}

bool takes_value(const CLI::Option& option)
{
    return option.get_items_expected_max() != 0;
}

std::string value_text(const CLI::Option& option)
{
    return option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
}

// The words of "auto|vulkan|software"; empty if the value is not one of a few words.
std::vector<std::string> choices_of(const CLI::Option& option)
{
    const std::string text = value_text(option);
    if (text.find('|') == std::string::npos)
        return {};
    return CLI::detail::split(text, '|');
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

// Text for troff: no escapes, and no line that begins with a request.
std::string roff(std::string text)
{
    text = replaced(replaced(std::move(text), "\\", "\\e"), "-", "\\-");
    if (text.starts_with('.') || text.starts_with('\''))
        text.insert(0, "\\&");
    return replaced(replaced(std::move(text), "\n.", "\n\\&."), "\n'", "\n\\&'");
}

std::string manual_option(const CLI::Option& option)
{
    std::string head = ".B " + roff(name_of(option));
    if (!option.get_positional() && takes_value(option))
        head = ".BI \"" + roff(name_of(option)) + " \" \"" + roff(value_text(option)) + "\"";
    return ".TP\n" + head + "\n" + roff(described_option(option)) + "\n";
}

std::string synopsis(const Command& command)
{
    std::string text = ".B picavk " + roff(command.name) + "\n[options]";
    for (const CLI::Option* option : options_of(*command.app, true))
        text += " " + roff(name_of(*option)) +
                (option->get_expected_max() == CLI::detail::expected_max_vector_size ? " ..." : "");
    return text + "\n";
}

// For a description inside of '...[...]:...' of zsh's _arguments.
std::string zsh(std::string text)
{
    for (const char* special : {"\\", "[", "]", ":"})
        text = replaced(std::move(text), special, std::string("\\") + special);
    return replaced(std::move(text), "'", "'\\''");
}

// What _arguments is given for a verb.
std::string zsh_arguments(const CLI::App& verb)
{
    std::string text;
    for (const CLI::Option* option : options_of(verb, false))
    {
        const std::vector<std::string> words = choices_of(*option);
        const bool repeats = option->get_expected_max() == CLI::detail::expected_max_vector_size;
        text += std::string(" \\\n      '") + (repeats ? "*" : "") + name_of(*option) + "[" +
                zsh(described_option(*option)) + "]";
        if (takes_value(*option))
            text += ":" + zsh(words.empty() ? value_text(*option) : "value") + ":" +
                    (words.empty() ? "_files" : "(" + joined(words) + ")");
        text += "'";
    }
    for (const CLI::Option* option : options_of(verb, true))
    {
        const std::vector<std::string> words = choices_of(*option);
        const bool many = option->get_expected_max() == CLI::detail::expected_max_vector_size;
        text += std::string(" \\\n      '") + (many ? "*" : "") + ":" + zsh(option->get_name(true, false)) +
                ":" + (words.empty() ? "_files" : "(" + joined(words) + ")") + "'";
    }
    return text;
}

} // namespace

std::string manual_page(const CLI::App& program, const std::string& version)
{
    std::string page = ".TH PICAVK 1 \"\" \"picavk " + version +
                       "\" \"User commands\"\n.SH NAME\npicavk \\- " + roff(program.get_description()) +
                       "\n.SH SYNOPSIS\n";
    const std::vector<Command> commands = commands_of(program);
    for (const Command& command : commands)
        if (names_of(*command.app).empty())
            page += synopsis(command) + ".br\n";
    page += ".SH DESCRIPTION\n" + roff(replaced(program.get_footer(), "\n", "\n.PP\n")) + "\n";
    page = replaced(std::move(page), "\n\\&.PP\n", "\n.PP\n");
    for (const Command& command : commands)
    {
        page += ".SH \"picavk " + roff(command.name) + "\"\n" + roff(command.app->get_description()) + "\n";
        for (const bool positional : {true, false})
            for (const CLI::Option* option : options_of(*command.app, positional))
                page += manual_option(*option);
    }
    return page;
}

std::string bash_completion(const CLI::App& program)
{
    std::string values, rest, parents;
    for (const Command& command : commands_of(program))
    {
        const std::string& name = command.name;
        const std::string depth = std::to_string(command.words);
        std::string all;
        for (const CLI::Option* option : options_of(*command.app, false))
        {
            all += (all.empty() ? "" : " ") + name_of(*option);
            if (const std::vector<std::string> words = choices_of(*option); !words.empty())
                values +=
                    "    \"" + name + " " + name_of(*option) + "\") words=\"" + joined(words) + "\" ;;\n";
            else if (takes_value(*option))
                values += "    \"" + name + " " + name_of(*option) + "\") return ;;\n";
        }
        // A first argument that is one of a few words.
        std::string first = joined(names_of(*command.app));
        if (!first.empty())
            parents += "    " + name + ") [ \"$COMP_CWORD\" -gt 2 ] && verb+=\" ${COMP_WORDS[2]}\" ;;\n";
        else if (const auto arguments = options_of(*command.app, true); !arguments.empty())
            first = joined(choices_of(*arguments[0]));
        rest += "    \"" + name + "\") ";
        if (!first.empty())
            rest += "[ \"$COMP_CWORD\" -eq " + depth + " ] && words=\"" + first + "\"; ";
        rest += "[[ $word == -* ]] && words=\"" + all + "\" ;;\n";
    }
    return "# bash completion of picavk; `picavk completion bash` prints it. Files are completed by bash "
           "itself.\n"
           "_picavk()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
           "    local verb=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"" +
           joined(names_of(program)) +
           " --help --version\" -- \"$word\")\n        return\n    fi\n"
           "    case \"$verb\" in\n" +
           parents +
           "    esac\n"
           "    case \"$verb $before\" in\n" +
           values + "    *)\n    case \"$verb\" in\n" + rest +
           "    esac ;;\n    esac\n"
           "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\ncomplete -o default -F _picavk picavk\n";
}

std::string zsh_completion(const CLI::App& program)
{
    std::string verbs, parents, cases;
    for (const Command& command : commands_of(program))
    {
        if (command.words == 2)
            verbs += "    '" + command.name + ":" + zsh(command.app->get_description()) + "'\n";
        if (const std::string names = joined(names_of(*command.app)); !names.empty())
        {
            parents += "  " + command.name + ")\n    if (( CURRENT == 2 )); then\n      compadd -- " + names +
                       " --help\n      return\n    fi\n    verb+=\" $words[2]\"\n    shift words\n"
                       "    (( CURRENT-- ))\n    ;;\n";
            continue;
        }
        const std::string name = command.words == 2 ? command.name : "\"" + command.name + "\"";
        cases += "  " + name + ")\n    _arguments" + zsh_arguments(*command.app) + "\n    ;;\n";
    }
    return "#compdef picavk\n# zsh completion of picavk; `picavk completion zsh` prints it.\n"
           "_picavk() {\n  local -a verbs\n  verbs=(\n" +
           verbs +
           "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
           "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n" +
           parents + "  esac\n  case $verb in\n" + cases + "  esac\n}\n_picavk \"$@\"\n";
}

} // namespace samples
