// SPDX-License-Identifier: MIT
// An option whose value is one of a few words.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace samples
{

// The value is the default. A word that is not one of the choices gives an error of one line that lists them.
template <typename Value>
void add_choice_option(CLI::App& app, const std::string& name, Value& value,
                       const std::vector<std::pair<std::string, Value>>& choices, const std::string& help)
{
    std::string words, form, initial;
    for (const auto& choice : choices)
    {
        if (choice.second == value)
            initial = choice.first;
        words += (words.empty() ? "" : ", ") + choice.first;
        form += (form.empty() ? "" : "|") + choice.first;
    }
    app.add_option_function<std::string>(
           name,
           [&value, choices, name, words](const std::string& word)
           {
               for (const auto& [text, meaning] : choices)
                   if (text == word)
                   {
                       value = meaning;
                       return;
                   }
               throw CLI::ValidationError(name + ": " + word + " is none of " + words);
           },
           help)
        ->option_text(form)
        ->default_str(initial);
}

} // namespace samples
