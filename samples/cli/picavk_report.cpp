// SPDX-License-Identifier: MIT
// picavk report: one page of the results of several runs.
#include "samples/cli/golden/json_input.h"
#include "samples/cli/golden/report_page.h"
#include "samples/cli/input_file.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/results.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <utility>

namespace samples
{

namespace
{

constexpr pica::u64 kMostBytes = pica::u64{1} << 30;

struct ReportArguments
{
    std::vector<std::string> files;
    std::string page;
};

int run_report(const ReportArguments& arguments)
{
    if (arguments.page.empty())
        return bad_input("--html: the name of the file is empty");
    if (names_standard_input_again(arguments.files))
        return bad_input(kStandardInputOnce);
    std::vector<nlohmann::ordered_json> documents;
    for (const std::string& path : arguments.files)
    {
        const auto bytes = read_input(path, 1,
                                      [](std::span<const pica::u8> first)
                                      { return !first.empty() && first[0] == '{' ? kMostBytes : 0; });
        if (!bytes)
            return bad_input(bytes.error().message);
        auto document = parse_object({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        if (!document || !is_results(*document))
            return bad_input(input_name(path) + ": is not what compare --json or validate --json prints");
        documents.push_back(std::move(*document));
    }
    const nlohmann::ordered_json merged = merge_results(std::move(documents));
    if (const pica::Status written = write_report_page(arguments.page, merged); !written)
        return bad_input(written.error().message);
    const auto& count = merged.at("count");
    const auto number = [&](const char* result) { return count.at(result).get<unsigned long long>(); };
    std::printf("%llu equal, %llu different, %llu errors: %s\n", number("equal"), number("different"),
                number("error"), arguments.page.c_str());
    for (const auto& notice : merged.value("notices", nlohmann::ordered_json::array()))
        bad_input(notice.get<std::string>());
    if (merged.contains("notices"))
        return kExitBadInput;
    if (number("error") != 0)
        return kExitBadInput;
    return number("different") != 0 ? kExitDifference : kExitSuccess;
}

} // namespace

Verb add_report(CLI::App& program)
{
    const auto arguments = std::make_shared<ReportArguments>();
    CLI::App* app = program.add_subcommand(
        "report", "Make one page of the results of several runs; exit 1 where a stream differs, 2 where one "
                  "could not be run or a shard is missing");
    app->add_option("JSON", arguments->files, "What compare --json and validate --json printed")->required();
    app->add_option("--html", arguments->page, "The page")->option_text("FILE")->required();
    return {app, [arguments] { return run_report(*arguments); }};
}

} // namespace samples
