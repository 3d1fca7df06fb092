// SPDX-License-Identifier: MIT
#include "samples/console/results_file.h"

#include "samples/console/memory_functions.h"

namespace console
{

using namespace probe_format;

uint32_t ResultsFile::table_bytes() const
{
    return static_cast<uint32_t>(sizeof(ResultHeader) + pack().probes * sizeof(ResultEntry));
}

// With answers to these probes?
bool ResultsFile::is_mine()
{
    const ResultHeader& h = header();
    return h.version == kVersion && h.pack == pack().id && h.bytes == pack().answer_bytes;
}

ResultCode ResultsFile::open(Found& found)
{
    found = Found::Nothing;
    ResultCode result = file_.open(kPath);
    if (result < 0)
        return result;
    const uint32_t bytes = file_.size();
    if (bytes < sizeof(ResultHeader))
        return 0;
    result = file_.read(0, image_, sizeof(ResultHeader));
    // A file that was never begun has no answers: the card was full.
    if (result < 0 || header().magic != kResultMagic || header().starts == 0)
        return result;
    found = !is_mine() || header().complete != 0 ? Found::Answers
            : bytes == pack().answer_bytes       ? Found::Unfinished
                                                 : Found::Nothing;
    return found == Found::Unfinished ? file_.read(0, image_, bytes) : 0;
}

ResultCode ResultsFile::begin()
{
    memset(image_, 0, pack().answer_bytes);
    ResultHeader& h = header();
    h.magic = kResultMagic;
    h.version = kVersion;
    h.pack = pack().id;
    h.bytes = pack().answer_bytes;
    h.probes = pack().probes;
    // The room for all answers first: a full card is known before the first probe.
    const ResultCode result = file_.set_size(0);
    return result < 0 ? result : file_.write(0, image_, pack().answer_bytes);
}

bool ResultsFile::table_is_whole()
{
    const uint32_t crc = header().crc;
    header().crc = 0;
    return crc == crc32(0, image_, table_bytes());
}

// A probe that was running is asked once more: a battery may have been empty. After that it froze the console.
ResultCode ResultsFile::go_on()
{
    const bool whole = table_is_whole();
    for (uint32_t i = 0; i < pack().probes; ++i)
    {
        ResultEntry& e = entry(i);
        const uint32_t bytes = probe(i).answer_bytes;
        if ((e.status == kDone && e.crc == crc32(0, answer(i), bytes)) ||
            (whole && (e.status == kNotRun || e.status == kHung || e.status == kRefused)))
            continue;
        const bool froze = whole && e.status == kRunning && e.attempts >= kMostAttempts;
        e.status = froze ? kHung : kNotRun;
        if (!whole)
            e.attempts = 0;
        memset(answer(i), 0, bytes);
        if (const ResultCode result = save_answer(i); result < 0)
            return result;
    }
    return 0;
}

ResultCode ResultsFile::start(uint32_t model, uint32_t gpu)
{
    ResultHeader& h = header();
    h.model = model;
    h.kernel = *reinterpret_cast<const volatile uint32_t*>(0x1FF80000);
    h.firmware = *reinterpret_cast<const volatile uint32_t*>(0x1FF80060);
    h.is_new = model == 2 || model == 4 || model == 5;
    h.gpu = gpu;
    ++h.starts;
    return save_table();
}

ResultCode ResultsFile::save_table()
{
    header().crc = 0;
    header().crc = crc32(0, image_, table_bytes());
    return file_.write(0, image_, table_bytes());
}

ResultCode ResultsFile::save_answer(uint32_t number)
{
    return file_.write(probe(number).answer, answer(number), probe(number).answer_bytes);
}

ResultCode ResultsFile::finish()
{
    header().complete = 1;
    return save_table();
}

} // namespace console
