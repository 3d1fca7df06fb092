// SPDX-License-Identifier: MIT
#include "samples/probe/judge.h"

#include "samples/probe/probe_runner.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace samples
{

using namespace pica;
using namespace probe_format;

namespace
{

std::string hexadecimal(const std::vector<u8>& bytes, u32 first)
{
    std::string text;
    for (u32 i = first; i < std::min<std::size_t>(first + 16, bytes.size()); ++i)
    {
        char pair[4];
        std::snprintf(pair, sizeof pair, "%02X ", bytes[i]);
        text += pair;
    }
    return text.empty() ? text : text.substr(0, text.size() - 1);
}

std::string choice_of(const Probe& probe, const ProbeAnswer& answer, u64 digest, bool is_ours)
{
    if (answer.status == kHung)
        return "hung";
    if (answer.status == kRefused)
        return "refused";
    if (answer.status != kDone)
        return "not run";
    if (is_ours)
        return "ours";
    for (const Alternative& alternative : alternatives())
        if (alternative.probe == probe.name() && alternative.digest == digest && alternative.name != "ours")
            return std::string(alternative.name);
    return "none";
}

// The rules that a probe asks for.
std::string questions(const std::string& probe)
{
    std::string text;
    for (const Rule& rule : rules())
        if (rule.probe == probe)
            text += (text.empty() ? "" : "; ") + std::string(rule.question);
    return text;
}

std::string number(u32 value)
{
    return std::to_string(value);
}

std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string milliseconds(u32 microseconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ms", microseconds / 1000.0);
    return text;
}

std::string difference(const Verdict& verdict)
{
    if (verdict.choice == "refused")
    {
        char text[48];
        std::snprintf(text, sizeof text, "the system said %08X", verdict.error);
        return text;
    }
    return verdict.console_bytes.empty()
               ? ""
               : number(verdict.differing) + " of " + number(verdict.bytes) +
                     " bytes differ from ours; from byte " + number(verdict.first) + " console " +
                     verdict.console_bytes + ", ours " + verdict.our_bytes;
}

// Our rule, and the function that an answer changes.
std::string our_rule(const std::string& probe)
{
    for (const Rule& rule : rules())
        if (rule.probe == probe)
            return std::string(rule.ours) + " (" + std::string(rule.file) + ", " +
                   std::string(rule.function) + ")";
    return {};
}

// "90 of 95 probes as in picavk, 2 as another rule that is known, 2 as none, 1 hung"
std::string summary(const std::vector<Verdict>& verdicts)
{
    const auto count = [&](const char* choice)
    {
        return static_cast<u32>(std::count_if(verdicts.begin(), verdicts.end(),
                                              [&](const Verdict& v) { return v.choice == choice; }));
    };
    const u32 all = static_cast<u32>(verdicts.size()), ours = count("ours"), none = count("none"),
              hung = count("hung"), refused = count("refused"), not_run = count("not run");
    std::string text = number(ours) + " of " + number(all) + " probes as in picavk";
    const std::pair<u32, const char*> kOthers[] = {
        {all - ours - none - hung - refused - not_run, " as another rule that is known"},
        {none, " as no rule that is known"},
        {hung, " hung"},
        {refused, " refused by the system"},
        {not_run, " not run"}};
    for (const auto& [others, what] : kOthers)
        if (others != 0)
            text += ", " + number(others) + what;
    return text;
}

std::string heading(const ProbeResults& results)
{
    return results.console() + (results.header.is_new != 0 ? " (a New model)" : "") + ", " +
           results.firmware() + ", " + results.gpu() + ", probes " + results.version() + ", " +
           number(results.header.milliseconds) + " ms, " + number(results.header.starts) +
           (results.header.starts == 1 ? " start" : " starts");
}

// What the owner of the console can do; empty where nothing is missing.
std::string advice(const ProbeResults& results)
{
    return results.is_complete()
               ? ""
               : "The run is not complete: start the program on the console again, it goes on "
                 "where it stopped.";
}

} // namespace

std::vector<Verdict> judge(const std::vector<Probe>& probes, const ProbeResults& results)
{
    std::vector<std::vector<u8>> ours;
    for (const Probe& probe : probes)
        ours.push_back(predict(probe));
    return judge(probes, results, ours);
}

std::vector<Verdict> judge(const std::vector<Probe>& probes, const ProbeResults& results,
                           const std::vector<std::vector<u8>>& our_answers)
{
    std::vector<Verdict> verdicts;
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        const std::vector<u8>& console = results.answers[i].bytes;
        const std::vector<u8>& ours = our_answers[i];
        Verdict verdict;
        verdict.probe = probes[i].name();
        verdict.bytes = static_cast<u32>(console.size());
        verdict.has_answer = results.answers[i].status == kDone;
        verdict.microseconds = results.answers[i].microseconds;
        verdict.error = results.answers[i].error;
        verdict.digest = answer_digest(console);
        verdict.choice = choice_of(probes[i], results.answers[i], verdict.digest, console == ours);
        if (results.answers[i].status == kDone && console != ours)
        {
            for (std::size_t byte = console.size(); byte-- != 0;)
                if (console[byte] != ours[byte])
                {
                    ++verdict.differing;
                    verdict.first = static_cast<u32>(byte);
                }
            verdict.console_bytes = hexadecimal(console, verdict.first);
            verdict.our_bytes = hexadecimal(ours, verdict.first);
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

std::string judge_text(const std::vector<Verdict>& verdicts, const ProbeResults& results)
{
    std::string text = heading(results) + "\n";
    for (const Verdict& verdict : verdicts)
    {
        text += verdict.probe + ": " + verdict.choice +
                (verdict.choice == "not run" ? "" : " (" + milliseconds(verdict.microseconds) + ")") +
                "\n    asks: " + questions(verdict.probe) + "\n";
        if (verdict.choice != "ours")
            text += "    ours: " + our_rule(verdict.probe) + "\n";
        if (const std::string bytes = difference(verdict); !bytes.empty())
            text += "    " + bytes + "\n";
    }
    const std::string more = advice(results);
    return text + summary(verdicts) + "\n" + more + (more.empty() ? "" : "\n");
}

std::string judge_html(const std::vector<Verdict>& verdicts, const ProbeResults& results)
{
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>picavk probes</title>\n"
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
        "td,th{border:1px solid #999;padding:.3em .6em;text-align:left;vertical-align:top}"
        ".ours{background:#dfd}.none,.hung,.refused{background:#fdd}.other{background:#ffd}.missing{color:#"
        "999}"
        "code{font-size:smaller}</style>\n<h1>picavk probes</h1>\n<p>" +
        escaped(heading(results)) + "</p>\n<p>" + summary(verdicts) +
        (results.is_complete() ? "" : ".</p>\n<p>" + advice(results)) +
        "</p>\n<table>\n<tr><th>Probe<th>Asks<th>Our rule<th>The console chose<th>Time<th>Difference\n";
    for (const Verdict& verdict : verdicts)
    {
        const bool plain = verdict.choice == "ours" || verdict.choice == "none" || verdict.choice == "hung" ||
                           verdict.choice == "refused";
        const std::string style = plain ? verdict.choice : verdict.choice == "not run" ? "missing" : "other";
        page += "<tr><td>" + escaped(verdict.probe) + "<td>" + escaped(questions(verdict.probe)) + "<td>" +
                escaped(our_rule(verdict.probe)) + "<td class=\"" + style + "\">" + escaped(verdict.choice) +
                "<td>" + (verdict.choice == "not run" ? "" : milliseconds(verdict.microseconds)) +
                "<td><code>" + escaped(difference(verdict)) + "</code>\n";
    }
    return page + "</table>\n</html>\n";
}

} // namespace samples
