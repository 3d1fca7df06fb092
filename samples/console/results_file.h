// SPDX-License-Identifier: MIT
// The file of results on the SD card (samples/probe/pack_format.h), with a copy of it in memory.
#pragma once

#include "samples/console/services.h"
#include "samples/probe/pack_format.h"

namespace console
{

class ResultsFile
{
public:
    static constexpr const char* kPath = "/picavk-probe.bin";

    // What is on the card already.
    enum class Found : uint8_t
    {
        Nothing, // or a file of which nothing can be used
        Unfinished,
        Answers, // a complete run, or one of other probes
    };

    // pack: all probes. image: PackHeader::answer_bytes of memory.
    ResultsFile(const uint8_t* pack, uint8_t* image) : pack_(pack), image_(image) {}

    const probe_format::PackHeader& pack() const
    {
        return *reinterpret_cast<const probe_format::PackHeader*>(pack_);
    }
    const probe_format::PackProbe& probe(uint32_t number) const
    {
        return reinterpret_cast<const probe_format::PackProbe*>(pack_ +
                                                                sizeof(probe_format::PackHeader))[number];
    }
    probe_format::ResultHeader& header() { return *reinterpret_cast<probe_format::ResultHeader*>(image_); }
    probe_format::ResultEntry& entry(uint32_t number)
    {
        return reinterpret_cast<probe_format::ResultEntry*>(image_ +
                                                            sizeof(probe_format::ResultHeader))[number];
    }
    uint8_t* answer(uint32_t number) { return image_ + probe(number).answer; }

    // Changes nothing on the card but that there is a file.
    ResultCode open(Found& found);
    void close() { file_.close(); }
    // Replaces what is there by a file without answers.
    ResultCode begin();
    // What is not as it was written is asked again.
    ResultCode go_on();
    // The start of the program: which console it is.
    ResultCode start(uint32_t model, uint32_t gpu);

    // Table: header and all entries, with its checksum.
    ResultCode save_table();
    ResultCode save_answer(uint32_t number);
    ResultCode finish();

private:
    uint32_t table_bytes() const;
    bool table_is_whole();
    bool is_mine();

    const uint8_t* pack_;
    uint8_t* image_;
    SdFile file_;
};

} // namespace console
