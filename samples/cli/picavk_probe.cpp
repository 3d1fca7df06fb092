// SPDX-License-Identifier: MIT
// picavk probe: which rules nobody has measured, what picavk predicts for each probe, and what a console answered.
#include "samples/cli/dump_folder.h"
#include "samples/cli/input_file.h"
#include "samples/cli/verbs.h"
#include "samples/probe/judge.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace samples
{

namespace
{

using namespace pica;

struct ProbeArguments
{
    std::string file;
    bool json = false;
    bool html = false;
    std::string answers; // the folder for them
    CLI::App *list = nullptr, *predict = nullptr;
};

void print(const std::string& text)
{
    std::fputs(text.c_str(), stdout);
}

std::string digest_text(u64 digest)
{
    char text[20];
    std::snprintf(text, sizeof text, "%016llX", static_cast<unsigned long long>(digest));
    return text;
}

std::string joined(const char* between, std::string_view a, std::string_view b)
{
    return std::string(a) + (a.empty() || b.empty() ? "" : between) + std::string(b);
}

int run_list(const ProbeArguments& arguments)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    std::size_t asked = 0;
    for (const Rule& rule : rules())
    {
        const bool has_probe = !rule.probe.empty();
        asked += has_probe;
        if (arguments.json)
            array.push_back({{"step", rule.step},
                             {"question", rule.question},
                             {"ours", rule.ours},
                             {"grade", rule.grade},
                             {"file", rule.file},
                             {"function", rule.function},
                             {"probe", rule.probe},
                             {"why_not", rule.why_not}});
        else
            print(joined(": ", rule.step, rule.question) + "\n    ours: " + std::string(rule.ours) + " [" +
                  std::string(rule.grade) + "], " + joined(", ", rule.file, rule.function) +
                  (has_probe ? "\n    probe: " : "\n    no probe: ") +
                  std::string(has_probe ? rule.probe : rule.why_not) + "\n");
    }
    if (arguments.json)
        print(array.dump(2) + "\n");
    else
        print(std::to_string(rules().size()) + " rules, " + std::to_string(asked) + " with a probe\n");
    return kExitSuccess;
}

int run_predict(const ProbeArguments& arguments)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const Probe& probe : all_probes())
    {
        nlohmann::ordered_json others = nlohmann::ordered_json::object();
        const std::vector<u8> answer = predict(probe);
        const std::string ours = digest_text(answer_digest(answer));
        std::string text =
            probe.name() + ": " + std::to_string(answer.size()) + " bytes\n    " + ours + " ours\n";
        for (const Alternative& alternative : alternatives())
        {
            if (alternative.probe != probe.name() || alternative.name == "ours")
                continue;
            others[std::string(alternative.name)] = digest_text(alternative.digest);
            text += "    " + digest_text(alternative.digest) + " " + std::string(alternative.name) + "\n";
        }
        array.push_back(
            {{"probe", probe.name()}, {"bytes", answer.size()}, {"ours", ours}, {"alternatives", others}});
        if (!arguments.json)
            print(text);
    }
    if (arguments.json)
        print(array.dump(2) + "\n");
    return kExitSuccess;
}

std::string judge_json(const std::vector<Verdict>& verdicts, const ProbeResults& results)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const Verdict& verdict : verdicts)
    {
        nlohmann::ordered_json asked = nlohmann::ordered_json::array();
        for (const Rule& rule : rules())
            if (rule.probe == verdict.probe)
                asked.push_back({{"question", rule.question},
                                 {"ours", rule.ours},
                                 {"file", rule.file},
                                 {"function", rule.function}});
        array.push_back({{"probe", verdict.probe},
                         {"rules", asked},
                         {"choice", verdict.choice},
                         {"digest", verdict.has_answer ? nlohmann::ordered_json(digest_text(verdict.digest))
                                                       : nlohmann::ordered_json(nullptr)},
                         {"microseconds", verdict.microseconds},
                         {"error", verdict.error},
                         {"bytes", verdict.bytes},
                         {"differing", verdict.differing},
                         {"first", verdict.first},
                         {"console", verdict.console_bytes},
                         {"ours", verdict.our_bytes}});
    }
    return nlohmann::ordered_json{{"console", results.console()},
                                  {"is_new", results.header.is_new != 0},
                                  {"firmware", results.firmware()},
                                  {"gpu", results.header.gpu},
                                  {"probes_version", results.version()},
                                  {"milliseconds", results.header.milliseconds},
                                  {"starts", results.header.starts},
                                  {"complete", results.is_complete()},
                                  {"probes", array}}
               .dump(2) +
           "\n";
}

// Each answer as a file of its own, and picavk's beside it.
Status write_answers(const std::string& path, const std::vector<Probe>& probes, const ProbeResults& results)
{
    const auto text = [](const std::vector<u8>& bytes) { return std::string(bytes.begin(), bytes.end()); };
    DumpFolder folder(path);
    for (std::size_t i = 0; i < probes.size(); ++i)
        if (results.answers[i].status == probe_format::kDone)
        {
            folder.write_text(probes[i].name() + ".console", text(results.answers[i].bytes));
            folder.write_text(probes[i].name() + ".ours", text(predict(probes[i])));
        }
    return folder.status();
}

int run_judge(const ProbeArguments& arguments)
{
    const Result<std::vector<u8>> file = read_input(
        arguments.file, 4, [](std::span<const u8>) { return u64{probe_format::kMaxResultBytes} + 1; });
    if (!file)
        return bad_input(file.error().message);
    const std::vector<Probe> probes = all_probes();
    const Result<ProbeResults> results = read_results(*file, probes);
    if (!results)
        return bad_input(arguments.file + ": " + results.error().message);
    if (!arguments.answers.empty())
        if (const Status status = write_answers(arguments.answers, probes, *results); !status)
            return bad_input(status.error().message);
    const std::vector<Verdict> verdicts = judge(probes, *results);
    print(arguments.json   ? judge_json(verdicts, *results)
          : arguments.html ? judge_html(verdicts, *results)
                           : judge_text(verdicts, *results));
    return kExitSuccess;
}

} // namespace

Verb add_probe(CLI::App& program)
{
    const auto arguments = std::make_shared<ProbeArguments>();
    CLI::App* app = program.add_subcommand(
        "probe", "Rules that nobody has measured: list them, predict answers, judge a console's answers");
    app->require_subcommand(1);
    arguments->list = app->add_subcommand("list", "Each rule, where it is, and its probe");
    arguments->predict =
        app->add_subcommand("predict", "Digests of the answers: ours, and of each alternative");
    CLI::App* judge = app->add_subcommand("judge", "Which alternative the console chose");
    for (CLI::App* verb : {arguments->list, arguments->predict, judge})
        verb->add_flag("--json", arguments->json, "Print JSON");
    judge->add_option("FILE", arguments->file, "picavk-probe.bin of the console")->required();
    judge->add_option("--answers", arguments->answers,
                      "Write each answer to NAME.console in this folder, and picavk's to NAME.ours");
    judge->add_flag("--html", arguments->html, "Print a page of HTML")->excludes("--json");
    return {app, [arguments]
            {
                return arguments->list->parsed()      ? run_list(*arguments)
                       : arguments->predict->parsed() ? run_predict(*arguments)
                                                      : run_judge(*arguments);
            }};
}

} // namespace samples
