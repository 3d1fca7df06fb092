// SPDX-License-Identifier: MIT
// What the table of alternatives says is what comes out: picavk's own answers from the software core, and those of the
// scalar reference, as it is and with each rule exchanged. PICAVK_UPDATE_GOLDEN=1 writes samples/probe/alternatives.inc.
#include "samples/probe/judge.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"
#include "tests/probe/reference_answer.h"
#include "tests/reference/reference_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace
{

using namespace pica;
using namespace samples;
using tests::Exchange;

std::vector<u8> answer_by(const Probe& probe, Exchange rule)
{
    const tests::ExchangedRule exchanged(rule);
    return tests::reference_answer(probe);
}

// Is the table about to be written?
bool is_written()
{
    return std::getenv("PICAVK_UPDATE_GOLDEN") != nullptr;
}

struct Prediction
{
    std::string probe, name;
    u64 digest;
};

std::string line(const Prediction& prediction)
{
    char digest[32];
    std::snprintf(digest, sizeof digest, "0x%016llX", static_cast<unsigned long long>(prediction.digest));
    return "    {\"" + prediction.probe + "\", \"" + prediction.name + "\", " + digest + "},\n";
}

// What the judge says of a console that answers this probe so.
std::string judged(const Probe& probe, const std::vector<u8>& answer)
{
    ProbeResults results;
    results.answers.push_back({probe_format::kDone, 0, answer});
    return judge({probe}, results).front().choice;
}

// Alternatives that other work stands for.
void add_equivalent(const Probe& probe, const std::vector<u8>& ours, std::vector<Prediction>& predictions)
{
    for (const EquivalentWork& work : equivalent_work())
    {
        const Probe other = work.make(work.variant);
        if (other.name() != probe.name())
            continue;
        const std::vector<u8> answer = predict(other);
        CAPTURE(work.name);
        CHECK(answer.size() == ours.size());
        CHECK(answer != ours);
        CHECK((is_written() || judged(probe, answer) == work.name));
        predictions.push_back({probe.name(), std::string(work.name), answer_digest(answer)});
    }
}

// Everything that the table should have.
std::vector<Prediction> computed()
{
    std::vector<Prediction> predictions;
    for (const Probe& probe : all_probes())
    {
        CAPTURE(probe.name());
        const std::vector<u8> ours = predict(probe);
        CHECK(tests::reference_answer(probe) == ours);
        CHECK(judged(probe, ours) == "ours");
        predictions.push_back({probe.name(), "ours", answer_digest(ours)});
        add_equivalent(probe, ours, predictions);
        for (u32 rule = 1; rule < static_cast<u32>(Exchange::Count); ++rule)
            if (tests::exchange_probe(static_cast<Exchange>(rule)) == probe.name())
            {
                const std::vector<u8> other = answer_by(probe, static_cast<Exchange>(rule));
                CAPTURE(tests::exchange_name(static_cast<Exchange>(rule)));
                CHECK(other.size() == ours.size());
                CHECK(other != ours);
                CHECK((is_written() ||
                       judged(probe, other) == tests::exchange_name(static_cast<Exchange>(rule))));
                predictions.push_back(
                    {probe.name(), tests::exchange_name(static_cast<Exchange>(rule)), answer_digest(other)});
            }
    }
    return predictions;
}

} // namespace

TEST_CASE("probes: the table of alternatives has what software core and scalar reference answer, and the "
          "judge names each")
{
    const std::vector<Prediction> predictions = computed();
    std::string text, table;
    for (const Prediction& prediction : predictions)
        text += line(prediction);
    for (const Alternative& row : alternatives())
        table += line({std::string(row.probe), std::string(row.name), row.digest});
    if (is_written())
    {
        std::ofstream file(std::string(PICAVK_SOURCE_DIR) + "/samples/probe/alternatives.inc");
        file << text;
        return;
    }
    CHECK(table == text);
}

TEST_CASE("probes: no two answers of a probe are the same, and each probe has an alternative")
{
    for (const Probe& probe : all_probes())
    {
        std::vector<u64> digests;
        for (const Alternative& row : alternatives())
            if (row.probe == probe.name())
                digests.push_back(row.digest);
        CAPTURE(probe.name());
        CHECK(digests.size() >= 2);
        std::sort(digests.begin(), digests.end());
        CHECK(std::adjacent_find(digests.begin(), digests.end()) == digests.end());
    }
}

TEST_CASE("probes: each exchanged rule belongs to a probe")
{
    const std::vector<Probe> probes = all_probes();
    for (u32 rule = 1; rule < static_cast<u32>(Exchange::Count); ++rule)
        CHECK(std::any_of(probes.begin(), probes.end(),
                          [&](const Probe& probe)
                          { return probe.name() == tests::exchange_probe(static_cast<Exchange>(rule)); }));
}
