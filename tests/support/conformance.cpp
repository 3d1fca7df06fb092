// SPDX-License-Identifier: MIT
#include "tests/support/conformance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tests
{

namespace
{

constexpr u32 kFailuresKept = 3; // then the suite stops: they mostly have one cause
// Then a fresh renderer: a software rasteriser keeps megabytes of code per pipeline.
constexpr u32 kSeedsPerMachine = 50;

std::span<u8> bytes_of(std::vector<u64>& words)
{
    return {reinterpret_cast<u8*>(words.data()), words.size() * 8};
}

} // namespace

// Random state is mostly odd: what the guest is told about it is of no interest here.
class ConformanceMachine::KindReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// Looks at what each draw did to the software core's memory, which is current at all times.
class ConformanceMachine::Observer final : public Backend
{
public:
    explicit Observer(ConformanceMachine& machine) : machine_(machine) {}

    std::string_view name() const override { return "observer"; }
    GuestMemory& memory() override { return machine_.software_memory_.memory; }
    void draw(const Draw& draw) override
    {
        // Each operation is compared, so nothing is drawn once the cores differ.
        const RenderTarget& target = draw.target;
        keep(0, target.color_address, target.color_bytes());
        keep(1, target.depth_address, target.depth_bytes());
        machine_.lockstep_->draw(draw);
        const bool effective = differs(0) || differs(1);
        machine_.coverage_.see(draw, effective);
        machine_.changed_ |= effective;
        ++machine_.draws_;
    }
    void memory_fill(const MemoryFill& fill) override { machine_.lockstep_->memory_fill(fill); }
    void display_transfer(const DisplayTransfer& transfer) override
    {
        machine_.lockstep_->display_transfer(transfer);
    }
    void texture_copy(const TextureCopy& copy) override { machine_.lockstep_->texture_copy(copy); }
    void will_read(PhysAddr address, u32 size) override { machine_.lockstep_->will_read(address, size); }
    void will_write(PhysAddr address, u32 size) override { machine_.lockstep_->will_write(address, size); }
    void did_write(PhysAddr address, u32 size) override { machine_.lockstep_->did_write(address, size); }
    void flush() override { machine_.lockstep_->flush(); }
    void end_frame() override { machine_.lockstep_->end_frame(); }

private:
    std::span<const u8> range(u32 i)
    {
        return memory().span(address_[i], memory().clamp_size(address_[i], size_[i]));
    }
    void keep(u32 i, PhysAddr address, u32 size)
    {
        address_[i] = address;
        size_[i] = size;
        const std::span<const u8> bytes = range(i);
        before_[i].assign(bytes.begin(), bytes.end());
    }
    bool differs(u32 i)
    {
        const std::span<const u8> bytes = range(i);
        return !std::equal(bytes.begin(), bytes.end(), before_[i].begin(), before_[i].end());
    }

    ConformanceMachine& machine_;
    std::vector<u8> before_[2];
    PhysAddr address_[2]{};
    u32 size_[2]{};
};

ConformanceMachine::Memory::Memory()
    : vram(kVramBytes / 8), fcram(kFcramBytes / 8),
      memory({{kVramBase, bytes_of(vram)}, {kFcramBase, bytes_of(fcram)}})
{
}

ConformanceMachine::ConformanceMachine(const Variant& variant)
    : report_(std::make_unique<KindReport>()), noise_(kVramBytes / 8)
{
    software_ = std::make_unique<SoftwareCore>(software_memory_.memory, *report_);
    renderer::Options options;
    options.blend_path = variant.blend_path;
    options.vertex_executor = variant.vertex_executor;
    options.coverage = variant.coverage;
    options.ubershader = variant.ubershader;
    if (variant.masked != nullptr)
        options.masked_features.push_back(variant.masked);
    options.validation = true;
    auto vulkan = renderer::Renderer::create(options, vulkan_memory_.memory, *report_);
    if (!vulkan)
    {
        std::fprintf(stderr, "the test needs Vulkan (%s): %s\n", variant.name,
                     vulkan.error().message.c_str());
        std::exit(1);
    }
    vulkan_ = std::move(*vulkan);
    description_ = vulkan_->description();
    lockstep_.emplace(*software_, *vulkan_, LockstepBackend::Compare::OnRequest);
    observer_ = std::make_unique<Observer>(*this);
    gpu_ = std::make_unique<Gpu>(*observer_, *report_);
}

ConformanceMachine::~ConformanceMachine() = default;

void ConformanceMachine::begin_seed(Random& random, Compare compare)
{
    lockstep_.emplace(*software_, *vulkan_,
                      compare == Compare::EachOperation ? LockstepBackend::Compare::EachOperation
                                                        : LockstepBackend::Compare::OnRequest);
    compare_ = compare;
    changed_ = false;
    gpu_->reset();
    for (const PhysAddr base : {kVramBase, kFcramBase})
    {
        for (u64& word : noise_)
            word = random.next64();
        write(base, std::span<const u8>(bytes_of(noise_)));
    }
}

void ConformanceMachine::end_seed()
{
    gpu_->end_frame();
    lockstep_->compare_all();
    bytes_compared_ += lockstep_->bytes_compared();
}

std::string ConformanceMachine::failure() const
{
    if (lockstep_->difference())
    {
        const LockstepBackend::Difference& d = *lockstep_->difference();
        return "difference after " + d.operation + ": " + d.place + ": " + d.values + "\n" + d.state;
    }
    if (!vulkan_->status())
        return "Vulkan failed: " + vulkan_->status().error().message;
    const std::vector<std::string> messages = vulkan_->validation_messages();
    return messages.empty() ? std::string() : "validation layers: " + messages.front();
}

void ConformanceMachine::write(PhysAddr address, std::span<const u32> words)
{
    write(address, std::span(reinterpret_cast<const u8*>(words.data()), words.size_bytes()));
}

void ConformanceMachine::run_list(std::span<const u32> words)
{
    const u32 size = std::min(u32(words.size_bytes()), kListBytes);
    write(kListAddress, words.first(size / 4));
    gpu_->write_register(ext::P3D_CMDBUF_SIZE::id, size >> 3);
    gpu_->write_register(ext::P3D_CMDBUF_ADDR::id, kListAddress >> 3);
    gpu_->write_register(ext::P3D_CMDBUF_JUMP::id, 1);
    gpu_->run(RunUntil::End);
    if (compare_ == Compare::EachList)
        lockstep_->compare_written();
}

void ConformanceMachine::memory_fill(PhysAddr start, PhysAddr end, u32 value, FillWidth width, u32 engine)
{
    gpu_->write_register(ext::PSC_START::ids[engine], start >> 3);
    gpu_->write_register(ext::PSC_END::ids[engine], end >> 3);
    gpu_->write_register(ext::PSC_VALUE::ids[engine], value);
    gpu_->write_register(ext::PSC_CONTROL::ids[engine], u32(width) << 8 | 1);
}

void ConformanceMachine::display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size,
                                          u32 flags)
{
    gpu_->write_register(ext::PPF_INPUT::id, input >> 3);
    gpu_->write_register(ext::PPF_OUTPUT::id, output >> 3);
    gpu_->write_register(ext::PPF_INPUT_SIZE::id, input_size);
    gpu_->write_register(ext::PPF_OUTPUT_SIZE::id, output_size);
    gpu_->write_register(ext::PPF_FLAGS::id, flags & ~8u);
    gpu_->write_register(ext::PPF_CONTROL::id, 1);
}

void ConformanceMachine::texture_copy(PhysAddr input, PhysAddr output, u32 size, u32 input_rows,
                                      u32 output_rows)
{
    gpu_->write_register(ext::PPF_INPUT::id, input >> 3);
    gpu_->write_register(ext::PPF_OUTPUT::id, output >> 3);
    gpu_->write_register(ext::PPF_COPY_SIZE::id, size);
    gpu_->write_register(ext::PPF_COPY_INPUT::id, input_rows);
    gpu_->write_register(ext::PPF_COPY_OUTPUT::id, output_rows);
    gpu_->write_register(ext::PPF_FLAGS::id, 8);
    gpu_->write_register(ext::PPF_CONTROL::id, 1);
}

void ConformanceMachine::read(PhysAddr address, u32 size)
{
    observer_->will_read(address, size);
}

namespace
{

struct Totals
{
    Coverage coverage;
    u32 seeds = 0;
    u32 changed = 0;
    u32 failures = 0;
};

std::string run_seed(ConformanceMachine& machine, const Suite& suite, u32 seed,
                     ConformanceMachine::Compare compare)
{
    Random random(seed);
    machine.begin_seed(random, compare);
    suite.generate(machine, random);
    machine.end_seed();
    return machine.failure();
}

SeedRange suite_seeds(const Suite& suite)
{
    SeedRange range{0, is_long_run() ? std::max(kLongSeeds, suite.seeds) : suite.seeds};
    range.count = std::max(1u, u32(std::lround(range.count * seed_scale())));
    return range;
}

void run_variant(const Suite& suite, u32 variant_index, SeedRange range, Totals& totals)
{
    const u32 variants = u32(suite.variants.size());
    const Variant& variant = suite.variants[variant_index];
    std::unique_ptr<ConformanceMachine> machine;
    u32 seeds = 0;
    for (u32 seed = range.first; seed - range.first < range.count; ++seed)
    {
        if (seed % variants != variant_index || totals.failures >= kFailuresKept)
            continue;
        if (machine && seeds++ % kSeedsPerMachine == kSeedsPerMachine - 1)
        {
            totals.coverage.merge(machine->coverage());
            machine.reset();
        }
        if (!machine)
            machine = std::make_unique<ConformanceMachine>(variant);
        const auto compare = static_cast<ConformanceMachine::Compare>(seed / variants % 3);
        std::string failure = run_seed(*machine, suite, seed, compare);
        totals.seeds++;
        totals.changed += machine->changed_memory() ? 1 : 0;
        if (failure.empty())
            continue;
        totals.failures++;
        totals.coverage.merge(machine->coverage());
        // Alone, on a fresh renderer, compared after each operation: says more where it fails, too.
        using Compare = ConformanceMachine::Compare;
        const auto alone = [&](Compare how)
        {
            machine = std::make_unique<ConformanceMachine>(variant);
            return run_seed(*machine, suite, seed, how);
        };
        if (const std::string precise = alone(Compare::EachOperation); !precise.empty())
            failure = precise;
        else if (compare == Compare::EachOperation || alone(compare).empty())
            failure +=
                "\nIt does not fail alone: repeat it with the seeds before it (PICAVK_SEED=first..last)";
        else
            failure += "\nIt does not fail when each operation is compared.";
        FAIL_CHECK(std::string(suite.name), ", variant ", std::string(variant.name), ", seed ", seed,
                   ", repeat with: ", repeat_command(seed), "\n", failure);
        machine.reset();
    }
    if (machine)
        totals.coverage.merge(machine->coverage());
}

} // namespace

void run_suite(const Suite& suite)
{
    SeedRange range = suite_seeds(suite);
    const bool chosen = chosen_seeds(range);
    Totals totals;
    for (u32 variant = 0; variant < suite.variants.size(); ++variant)
        run_variant(suite, variant, range, totals);

    std::printf("%s: %u seeds, %u of them changed a target, %u failed\n%s", suite.name, totals.seeds,
                totals.changed, totals.failures, totals.coverage.text().c_str());
    CHECK(totals.seeds > 0);
    // Vacuous runs prove nothing. Chosen seeds and small shares reach less.
    if (chosen || seed_scale() < 1.0 || totals.failures != 0)
        return;
    if (suite.needs_draws)
        CHECK(totals.changed * 3 >= totals.seeds);
    suite.require(totals.coverage);
    for (const std::string& missing : totals.coverage.missing())
        FAIL_CHECK(std::string(suite.name), " no longer reaches ", missing);
}

} // namespace tests
