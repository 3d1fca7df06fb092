// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/table.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace gpu_cost
{

namespace
{

// A column of the overview. second: of a pair that is printed as "median/most"; may be null.
struct Column
{
    const char* heading;
    int width;
    const char* stage;
    const char* figure;
    const char* second;
};

constexpr Column kColumns[] = {
    {"shaders", 7, "fragment", kShaders, nullptr},
    {"instr", 10, "fragment", kInstructionsMedian, kInstructionsMost},
    {"inv.thr", 11, "fragment", kThroughputMedian, kThroughputMost},
    {"VGPR", 4, "fragment", kVgprsMost, nullptr},
    {"v.instr", 8, kVertexWork, kInstructionsMedian, nullptr},
    {"v.thr", 8, kVertexWork, kThroughputMedian, nullptr},
    {"scratch", 7, kVertexWork, kScratchMost, nullptr},
    {"ms", 5, kCompile, kMilliseconds, nullptr},
    {"x ref", 6, kCompile, kTimesReference, nullptr},
    {"MB", 4, kMemory, kMegabytesMost, nullptr},
    {"draws", 7, kFrame, "draws", nullptr},
    {"disp", 7, kFrame, "dispatches", nullptr},
    {"barr", 6, kFrame, "barriers", nullptr},
    {"pass", 5, kFrame, "render passes", nullptr},
    {"bpipe", 6, kFrame, "pipeline binds", nullptr},
    {"bdesc", 7, kFrame, "descriptor binds", nullptr},
    {"bvtx", 6, kFrame, "vertex binds", nullptr},
    {"subm", 4, kFrame, "submits", nullptr},
    {"cmds", 7, kFrame, kCommands, nullptr},
};
constexpr int kNameWidth = 22;

const double* find(const Cost& cost, const char* stage, const char* figure)
{
    const auto figures = cost.find(stage);
    if (figures == cost.end())
        return nullptr;
    const auto value = figures->second.find(figure);
    return value != figures->second.end() ? &value->second : nullptr;
}

// A decimal at most.
std::string cell(const double* value)
{
    if (value == nullptr)
        return "-";
    const double tenths = std::round(*value * 10.0);
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", std::fmod(tenths, 10.0) == 0.0 ? 0 : 1, *value);
    return text;
}

} // namespace

void print_overview_heading()
{
    std::printf(
        "fragment shaders: instructions and inverse throughput as median/most; v.: vertex work; per steady "
        "frame: draws ...\n%-*s",
        kNameWidth, "stream");
    for (const Column& column : kColumns)
        std::printf(" %*s", column.width, column.heading);
    std::printf("\n");
}

void print_overview_line(const std::string& stream, const Cost& cost)
{
    std::printf("%-*s", kNameWidth, stream.c_str());
    for (const Column& column : kColumns)
    {
        std::string text = cell(find(cost, column.stage, column.figure));
        if (column.second != nullptr)
            text += "/" + cell(find(cost, column.stage, column.second));
        std::printf(" %*s", column.width, text.c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
}

void print_stages(const std::string& stream, const Cost& cost)
{
    std::printf("\n%-28s %7s %13s %15s %5s %8s\n", stream.c_str(), "shaders", "instr", "inv.thr", "VGPR",
                "scratch");
    for (const auto& [stage, figures] : cost)
    {
        if (stage == kFrame || stage == kCompile || stage == kMemory)
            continue;
        const auto pair = [&, &name = stage](const char* median, const char* most)
        { return cell(find(cost, name.c_str(), median)) + "/" + cell(find(cost, name.c_str(), most)); };
        const auto one = [&, &name = stage](const char* figure)
        { return cell(find(cost, name.c_str(), figure)); };
        std::printf("  %-26s %7s %13s %15s %5s %8s\n", stage.c_str(), one(kShaders).c_str(),
                    pair(kInstructionsMedian, kInstructionsMost).c_str(),
                    pair(kThroughputMedian, kThroughputMost).c_str(), one(kVgprsMost).c_str(),
                    one(kScratchMost).c_str());
    }
    for (const char* stage : {kCompile, kMemory, kFrame})
    {
        const auto figures = cost.find(stage);
        if (figures == cost.end())
            continue;
        std::printf("  %s:", stage);
        const char* between = " ";
        for (const auto& [figure, value] : figures->second)
        {
            std::printf("%s%s %s", between, cell(&value).c_str(), figure.c_str());
            between = ", ";
        }
        std::printf("\n");
    }
}

void print_ratios(const std::map<std::string, Cost>& before, const std::map<std::string, Cost>& after)
{
    std::printf("after / before\n%-*s", kNameWidth, "stream");
    for (const Column& column : kColumns)
        std::printf(" %*s", column.width, column.heading);
    std::printf("\n");
    const std::size_t columns = std::size(kColumns);
    std::vector<double> logarithms(columns), counts(columns);
    const auto print = [](const Column& column, double ratio) { std::printf(" %*.2f", column.width, ratio); };
    for (const auto& [stream, cost] : after)
    {
        const auto old = before.find(stream);
        if (old == before.end())
            continue;
        std::printf("%-*s", kNameWidth, stream.c_str());
        for (std::size_t i = 0; i < columns; ++i)
        {
            const Column& column = kColumns[i];
            const double* from = find(old->second, column.stage, column.figure);
            const double* to = find(cost, column.stage, column.figure);
            if (from == nullptr || to == nullptr || *from == 0.0 || *to == 0.0)
            {
                std::printf(" %*s", column.width, "-");
                continue;
            }
            print(column, *to / *from);
            logarithms[i] += std::log(*to / *from);
            counts[i] += 1.0;
        }
        std::printf("\n");
    }
    std::printf("%-*s", kNameWidth, "geometric mean");
    for (std::size_t i = 0; i < columns; ++i)
        print(kColumns[i], counts[i] != 0.0 ? std::exp(logarithms[i] / counts[i]) : 1.0);
    std::printf("\n");
}

} // namespace gpu_cost
