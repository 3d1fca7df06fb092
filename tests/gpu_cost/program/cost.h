// SPDX-License-Identifier: MIT
// Cost: what one stream costs, in figures. Each stage of the renderer has the same figures, made of the distinct
// shaders of that stage; four more entries are about the stream as a whole.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_cost
{

// The figure's name -> its value.
using Figures = std::map<std::string, double>;
// The stage, or one of the entries below -> its figures.
using Cost = std::map<std::string, Figures>;

// What the vertex work of a draw costs: the sum over its stages.
inline constexpr const char* kVertexWork = "vertex work";
// Commands per steady frame.
inline constexpr const char* kFrame = "frame";
// All pipelines: the time of their compilation.
inline constexpr const char* kCompile = "compile";
// What is allocated on the device.
inline constexpr const char* kMemory = "memory";

// Figures of a stage.
inline constexpr const char* kShaders = "shaders"; // the number of distinct ones
inline constexpr const char* kInstructionsMedian = "instructions median";
inline constexpr const char* kInstructionsMost = "instructions most";
inline constexpr const char* kThroughputMedian = "inverse throughput median";
inline constexpr const char* kThroughputMost = "inverse throughput most";
inline constexpr const char* kVgprsMost = "VGPRs most";
inline constexpr const char* kScratchMost = "scratch bytes most";
// Figures of kFrame besides the groups of command_counts.h.
inline constexpr const char* kCommands = "commands";
// Figures of kMemory.
inline constexpr const char* kMegabytesMost = "MB most"; // of 1024 KB, at any time
// Figures of kCompile.
inline constexpr const char* kTimesReference = "times the reference";
inline constexpr const char* kMilliseconds = "milliseconds"; // depends on the machine: has no budget

// Adds kVertexWork: the sums of the medians and of the most scratch of these stages, as far as the stream has them.
void add_vertex_work(Cost& cost, const std::vector<std::string>& stages);

nlohmann::ordered_json to_json(const Cost& cost);
Cost cost_from(const nlohmann::ordered_json& json);

// "s_triangle" of "a/b/s_triangle.ctf".
std::string stream_name(const std::string& path);
// "12", "12.33": two decimals at most.
std::string number_text(double value);
// The value, rounded to two decimals.
double rounded(double value);

} // namespace gpu_cost
