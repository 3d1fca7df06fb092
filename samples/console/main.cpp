// SPDX-License-Identifier: MIT
// Runs all probes on the console and keeps their answers in one file on the SD card (README.md). The file is up to date
// after every probe, so a probe that hangs the GPU is known after the next start, which goes on behind it.
#include "samples/console/memory_functions.h"
#include "samples/console/probe_player.h"
#include "samples/console/services.h"
#include "samples/console/text_screen.h"

extern "C" const uint8_t probe_pack[];

namespace console
{

using namespace probe_format;

namespace
{

constexpr const char* kPath = "/picavk-probe.bin";
constexpr uint32_t kHeap = 0x08000000;
constexpr uint32_t kPage = 0x1000;

constexpr uint32_t pages(uint32_t bytes)
{
    return (bytes + kPage - 1) / kPage * kPage;
}

const PackHeader& pack()
{
    return *reinterpret_cast<const PackHeader*>(probe_pack);
}

// The file as it is on the card.
class Results
{
public:
    explicit Results(uint8_t* image) : image_(image) {}

    ResultHeader& header() { return *reinterpret_cast<ResultHeader*>(image_); }
    ResultEntry& entry(uint32_t probe)
    {
        return reinterpret_cast<ResultEntry*>(image_ + sizeof(ResultHeader))[probe];
    }
    uint8_t* answer(const PackProbe& probe) { return image_ + probe.answer; }

    // Goes on with the file of an earlier start, or begins a new one.
    ResultCode open(uint32_t model, uint32_t gpu)
    {
        ResultCode result = file_.open(kPath);
        if (result < 0)
            return result;
        ResultHeader& h = header();
        if (file_.size() == pack().answer_bytes)
            result = file_.read(0, image_, pack().answer_bytes);
        if (result < 0)
            return result;
        if (h.magic != kResultMagic || h.version != kVersion || h.pack != pack().id ||
            h.bytes != pack().answer_bytes || h.complete != 0)
        {
            memset(image_, 0, pack().answer_bytes);
            h = {};
            h.magic = kResultMagic;
            h.version = kVersion;
            h.pack = pack().id;
            h.bytes = pack().answer_bytes;
            h.probes = pack().probes;
            // The room for all answers first: a full card is known before the first probe.
            result = file_.set_size(0);
            if (result >= 0)
                result = file_.write(0, image_, pack().answer_bytes);
        }
        else
            result = settle();
        h.model = model;
        h.kernel = *reinterpret_cast<const volatile uint32_t*>(0x1FF80000);
        h.firmware = *reinterpret_cast<const volatile uint32_t*>(0x1FF80060);
        h.is_new = model == 2 || model == 4 || model == 5;
        h.gpu = gpu;
        ++h.starts;
        return result < 0 ? result : save_table();
    }
    void close() { file_.close(); }

    // Table: header and all entries, with its checksum.
    ResultCode save_table()
    {
        header().crc = 0;
        header().crc = crc32(0, image_, table_bytes());
        return file_.write(0, image_, table_bytes());
    }
    ResultCode save_answer(const PackProbe& probe)
    {
        return file_.write(probe.answer, image_ + probe.answer, probe.answer_bytes);
    }
    ResultCode finish()
    {
        header().complete = 1;
        return save_table();
    }

private:
    static uint32_t table_bytes()
    {
        return static_cast<uint32_t>(sizeof(ResultHeader) + pack().probes * sizeof(ResultEntry));
    }
    bool table_is_whole()
    {
        const uint32_t crc = header().crc;
        header().crc = 0;
        return crc == crc32(0, image_, table_bytes());
    }
    // What is not as it was written is asked for again. A probe that was running hung: the console had to be turned off.
    ResultCode settle()
    {
        const PackProbe* probes = reinterpret_cast<const PackProbe*>(probe_pack + sizeof(PackHeader));
        const bool whole = table_is_whole();
        for (uint32_t i = 0; i < pack().probes; ++i)
        {
            uint32_t& status = entry(i).status;
            if ((status == kDone && entry(i).crc == crc32(0, answer(probes[i]), probes[i].answer_bytes)) ||
                (status == kNotRun && whole))
                continue;
            status = whole && (status == kHung || status == kRunning) ? kHung : kNotRun;
            memset(answer(probes[i]), 0, probes[i].answer_bytes);
            if (const ResultCode result = save_answer(probes[i]); result < 0)
                return result;
        }
        return 0;
    }

    uint8_t* image_;
    SdFile file_;
};

enum class Outcome
{
    Done,
    Hung,
    HangsStill,
    CardFailed,
    NoMemory,
    Stopped,
};

// Everything together.
class Program
{
public:
    Program(uint8_t* image, uint8_t* linear)
        : results_(image), screen_memory_(linear), player_(gpu_, probe_pack, linear + kScreenBytes)
    {
    }
    static constexpr uint32_t kScreenBytes = TextScreen::kTopBytes + TextScreen::kBytes;
    static constexpr uint32_t kLinearBytes = kScreenBytes + 2 * kMaxPiece;

    // enough: there is all memory, else that of the screens alone.
    void run(bool enough)
    {
        applet_.begin();
        buttons_.open();
        if (gpu_.open() >= 0)
        {
            screen_.open(gpu_, reinterpret_cast<uint16_t*>(screen_memory_));
            screen_.line(1, "picavk probes");
            Outcome outcome = Outcome::NoMemory;
            if (enough)
            {
                const ResultCode opened = results_.open(console_model(), gpu_.read_register(0));
                outcome = opened < 0 ? Outcome::CardFailed : play_all();
                results_.close();
            }
            say(outcome);
            // The system asked only once.
            if (outcome != Outcome::Stopped)
                wait_for_start();
            gpu_.close();
        }
        buttons_.close();
        applet_.end();
    }

private:
    Outcome play(uint32_t number, const PackProbe& probe)
    {
        ResultEntry& entry = results_.entry(number);
        screen_.line(3, "Probe ", number + 1, " is running.");
        screen_.line(4, "Probes: ", pack().probes);
        screen_.line(5, probe.name);
        entry.status = kRunning;
        if (results_.save_table() < 0)
            return Outcome::CardFailed;
        const uint64_t start = ticks();
        const bool done = player_.play(probe, results_.answer(probe));
        const uint64_t took = ticks() - start;
        entry.microseconds = static_cast<uint32_t>(took * 1000 / kTicksPerMillisecond);
        ticks_ += took;
        results_.header().milliseconds = earlier_ + static_cast<uint32_t>(ticks_ / kTicksPerMillisecond);
        entry.status = done ? kDone : kHung;
        if (done)
            entry.crc = crc32(0, results_.answer(probe), probe.answer_bytes);
        else
            memset(results_.answer(probe), 0, probe.answer_bytes);
        // In this order: an answer that did not reach the card is asked for again, and no probe is taken for one that hung.
        if (results_.save_table() < 0 || (done && results_.save_answer(probe) < 0))
            return Outcome::CardFailed;
        if (done)
            return Outcome::Done;
        screen_.line(3, "Probe ", number + 1, " hung.");
        return Outcome::Hung;
    }

    Outcome play_all()
    {
        const PackProbe* probes = reinterpret_cast<const PackProbe*>(probe_pack + sizeof(PackHeader));
        earlier_ = results_.header().milliseconds;
        // Else the next probe would be blamed for the one that hung.
        if (!player_.gpu_answers())
            return Outcome::HangsStill;
        for (uint32_t i = 0; i < pack().probes; ++i)
        {
            if (results_.entry(i).status != kNotRun)
                continue;
            if (applet_.should_end())
                return Outcome::Stopped;
            if (const Outcome outcome = play(i, probes[i]); outcome != Outcome::Done)
                return outcome;
        }
        return results_.finish() < 0 ? Outcome::CardFailed : Outcome::Done;
    }

    void say(Outcome outcome)
    {
        switch (outcome)
        {
        case Outcome::Done:
            screen_.line(3, "All probes were run.");
            screen_.line(5, "");
            screen_.line(10, "Done. The answers are on the SD card:");
            screen_.line(11, kPath);
            break;
        case Outcome::Hung:
            screen_.line(10, "The GPU does not answer; that is an answer too.");
            screen_.line(11, "Hold POWER, turn on again, and start this again:");
            screen_.line(12, "it goes on with the next probe.");
            break;
        case Outcome::HangsStill:
            screen_.line(10, "The GPU does not answer before any probe.");
            screen_.line(11, "Hold POWER until the console is off, turn it on,");
            screen_.line(12, "and start this again.");
            break;
        case Outcome::CardFailed:
            screen_.line(10, "The SD card cannot be written: it is locked,");
            screen_.line(11, "missing, or has less than 4 MB left.");
            break;
        case Outcome::NoMemory:
            screen_.line(10, "There is not enough memory. Start the program");
            screen_.line(11, "from the launcher of a restarted console.");
            break;
        case Outcome::Stopped:
            return;
        }
        screen_.line(14, "START ends the program.");
    }

    void wait_for_start()
    {
        while (!buttons_.start_is_held() && !applet_.should_end())
            sleep(50000000);
    }

    Applet applet_;
    Buttons buttons_;
    GpuService gpu_;
    TextScreen screen_;
    Results results_;
    uint8_t* screen_memory_;
    ProbePlayer player_;
    uint64_t ticks_ = 0;   // of all probes of this start
    uint32_t earlier_ = 0; // milliseconds of earlier starts
};

} // namespace

} // namespace console

extern "C" void console_main()
{
    using namespace console;
    if (connect_services() < 0)
        return;
    const uint32_t image_bytes = pages(pack().answer_bytes);
    uint32_t linear_bytes = pages(Program::kLinearBytes);
    const Value image = control_memory(3, kHeap, image_bytes);
    Value linear = control_memory(0x10003, 0, linear_bytes);
    const bool enough = image.result >= 0 && linear.result >= 0;
    if (linear.result < 0)
    {
        // The message needs the screens.
        linear_bytes = pages(Program::kScreenBytes);
        linear = control_memory(0x10003, 0, linear_bytes);
    }
    if (linear.result >= 0)
    {
        Program program(reinterpret_cast<uint8_t*>(image.value), reinterpret_cast<uint8_t*>(linear.value));
        program.run(enough);
        control_memory(1, linear.value, linear_bytes);
    }
    if (image.result >= 0)
        control_memory(1, image.value, image_bytes);
    disconnect_services();
}
