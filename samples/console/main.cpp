// SPDX-License-Identifier: MIT
// Runs all probes on the console and keeps their answers in one file on the SD card (README.md). The file is up to date
// after every probe, so a probe that hangs the GPU is known after the next start, which goes on behind it.
#include "samples/console/memory_functions.h"
#include "samples/console/probe_player.h"
#include "samples/console/results_file.h"
#include "samples/console/services.h"
#include "samples/console/text_screen.h"

extern "C" const uint8_t probe_pack[];

namespace console
{

using namespace probe_format;

namespace
{

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

enum class Outcome
{
    Done,
    Hung,
    HangsStill,
    CardFailed,
    NoMemory,
    Kept,    // the answers on the card stay as they are
    Stopped, // the system wants the program to end
};

// For a button. Without buttons that work it ends after a minute.
class Waiting
{
public:
    static constexpr uint64_t kStep = 50000000; // nanoseconds

    bool is_worth_it(const Buttons& buttons)
    {
        constexpr uint32_t kMinute = 60 * 20; // steps
        sleep(kStep);
        return buttons.work() || ++steps_ < kMinute;
    }

private:
    uint32_t steps_ = 0;
};

// Everything together.
class Program
{
public:
    Program(uint8_t* image, uint8_t* linear)
        : results_(probe_pack, image), screen_memory_(linear),
          player_(gpu_, probe_pack, linear + kScreenBytes)
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
            screen_.hexadecimal(2, "Version of the probes: ", pack().id);
            Outcome outcome = Outcome::NoMemory;
            if (enough)
            {
                outcome = ask();
                results_.close();
            }
            say(outcome);
            wait_for_end(outcome);
            gpu_.close();
        }
        buttons_.close();
        applet_.end();
    }

private:
    // The file, then the probes that it has no answer to.
    Outcome ask()
    {
        ResultsFile::Found found;
        if (results_.open(found) < 0)
            return Outcome::CardFailed;
        if (found == ResultsFile::Found::Answers)
            if (const Outcome outcome = ask_for_new_file(); outcome != Outcome::Done)
                return outcome;
        const ResultCode result =
            found == ResultsFile::Found::Unfinished ? results_.go_on() : results_.begin();
        if (result < 0 || results_.start(console_model(), gpu_.read_register(0)) < 0)
            return Outcome::CardFailed;
        return play_all();
    }

    // Nobody's answers are lost because the program was started once more.
    Outcome ask_for_new_file()
    {
        screen_.line(10, "The SD card has answers of an earlier run:");
        screen_.line(11, ResultsFile::kPath);
        screen_.line(14, "A begins a new file in its place. START ends.");
        uint32_t pressed = 0;
        for (Waiting waiting; pressed == 0 && waiting.is_worth_it(buttons_);)
        {
            if (applet_.should_end())
                return Outcome::Stopped;
            pressed = buttons_.held() & (Buttons::kA | Buttons::kStart);
        }
        constexpr uint32_t kLines[] = {10, 11, 14};
        for (const uint32_t line : kLines)
            screen_.line(line, "");
        return pressed == Buttons::kA ? Outcome::Done : Outcome::Kept;
    }

    Outcome play(uint32_t number)
    {
        const PackProbe& probe = results_.probe(number);
        ResultEntry& entry = results_.entry(number);
        screen_.line(3, "Probe ", number + 1, " is running.");
        screen_.line(4, "Probes: ", pack().probes);
        screen_.line(5, probe.name);
        entry.status = kRunning;
        ++entry.attempts;
        if (results_.save_table() < 0)
            return Outcome::CardFailed;
        const uint64_t start = ticks();
        const Ending ending = player_.play(probe, results_.answer(number));
        const uint64_t took = ticks() - start;
        entry.microseconds = static_cast<uint32_t>(took * 1000 / kTicksPerMillisecond);
        ticks_ += took;
        results_.header().milliseconds = earlier_ + static_cast<uint32_t>(ticks_ / kTicksPerMillisecond);
        entry.status = ending == Ending::Done ? kDone : ending == Ending::Late ? kHung : kRefused;
        entry.error = ending == Ending::Refused ? static_cast<uint32_t>(gpu_.error()) : 0;
        const bool done = ending == Ending::Done;
        if (done)
            entry.crc = crc32(0, results_.answer(number), probe.answer_bytes);
        else
            memset(results_.answer(number), 0, probe.answer_bytes);
        // In this order: an answer that did not reach the card is asked for again, and no probe is taken for one that hung.
        if (results_.save_table() < 0 || (done && results_.save_answer(number) < 0))
            return Outcome::CardFailed;
        if (ending != Ending::Late)
            return Outcome::Done;
        screen_.line(3, "Probe ", number + 1, " hung.");
        return Outcome::Hung;
    }

    Outcome play_all()
    {
        earlier_ = results_.header().milliseconds;
        // Else the next probe would be blamed for the one that hung.
        bool must_answer = true;
        for (uint32_t i = 0; i < pack().probes; ++i)
        {
            if (results_.entry(i).status != kNotRun)
                continue;
            if (applet_.should_end())
                return Outcome::Stopped;
            if (must_answer && !player_.gpu_answers())
                return Outcome::HangsStill;
            if (const Outcome outcome = play(i); outcome != Outcome::Done)
                return outcome;
            must_answer = results_.entry(i).status == kRefused;
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
            screen_.line(11, ResultsFile::kPath);
            break;
        case Outcome::Kept:
            screen_.line(10, "The answers on the SD card are as they were.");
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
        // Behind a GPU that hangs there is no launcher to go back to.
        if (!needs_power(outcome))
            screen_.line(14, buttons_.work() ? "START ends the program." : "The program ends in a minute.");
    }

    static bool needs_power(Outcome outcome)
    {
        return outcome == Outcome::Hung || outcome == Outcome::HangsStill;
    }

    // The system asks only once.
    void wait_for_end(Outcome outcome)
    {
        if (outcome == Outcome::Stopped || outcome == Outcome::Kept)
            return;
        Waiting waiting;
        while (!applet_.should_end() && (needs_power(outcome) || waiting.is_worth_it(buttons_)))
        {
            if (needs_power(outcome))
                sleep(Waiting::kStep);
            else if ((buttons_.held() & Buttons::kStart) != 0)
                return;
        }
    }

    Applet applet_;
    Buttons buttons_;
    GpuService gpu_;
    TextScreen screen_;
    ResultsFile results_;
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
