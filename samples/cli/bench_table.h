// SPDX-License-Identifier: MIT
// Figures of many streams: as one JSON object, as a table, and beside those of an earlier run. Tests:
// tests/cli/bench_all_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/bench_measurement.h"

#include <string>
#include <vector>

namespace samples
{

// What `picavk bench --all --json` prints. streams: figures of measure_stream, in the order of the list.
Figures bench_document(std::vector<Figures> streams, double memory_bytes_per_second);
// Reads such an object. An error is one line that names the file.
pica::Result<Figures> read_bench_document(const std::string& path);

// Adds to each stream that `before` has, too, its median of then and the ratio of the medians, and to the document their
// geometric mean. Streams of another backend or scale are not compared.
void compare_documents(const Figures& before, Figures& document);

// One line for each stream, and what concerns all.
std::string bench_table(const Figures& document);

} // namespace samples
