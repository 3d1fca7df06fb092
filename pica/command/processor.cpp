// SPDX-License-Identifier: MIT
#include "pica/command/processor.h"

#include "pica/command/guest_report.h"
#include "pica/command/register_effects.h"
#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace pica
{

namespace
{

// Budget of jumps for one kick, so that a list that jumps for ever ends (games chain hundreds of jumps)
// [our rule].
constexpr u32 kMaxJumps = 1u << 16;
constexpr u64 kMaxWords = u64{1} << 26;
// Offsets inside a shader bank (pica/hardware/registers.md, "Shader banks").
constexpr u32 kOutmapMask = 0x0D, kCodeEnd = 0x0F, kFloatIndex = 0x10, kFloatData = 0x11, kCodeIndex = 0x1B,
              kCodeData = 0x1C, kDescriptorIndex = 0x25, kDescriptorData = 0x26;

// Tells the backend at the end of a scope that the processor returns, also where something is thrown.
class Returns
{
public:
    explicit Returns(Backend& backend) : backend_(backend) {}
    ~Returns() { backend_.processor_returns(); }
    Returns(const Returns&) = delete;
    Returns& operator=(const Returns&) = delete;

private:
    Backend& backend_;
};

} // namespace

CommandProcessor::CommandProcessor(Backend& backend, Report& report, std::function<void()> on_interrupt)
    : backend_(backend), report_(report), on_interrupt_(std::move(on_interrupt)),
      issuer_(backend, report, regs_, ports_)
{
}

void CommandProcessor::report_port_mask(const RegisterWrite& write)
{
    report_guest(report_, "byte mask on an upload port", "id 0x%03X mask %X, the whole word is taken",
                 write.id, write.byte_mask);
}

void CommandProcessor::write_register(u32 id, u32 value, u32 byte_mask)
{
    std::optional<Returns> returns;
    if (!is_running_)
        returns.emplace(backend_);
    ++register_writes_;
    issuer_.set_work({});
    write({id, value, byte_mask}, Origin::Cpu);
    if (!is_running_)
        issuer_.flush_immediate();
}

void CommandProcessor::begin_list(PhysAddr address, u32 size)
{
    jumps_ = 0;
    words_read_ = 0;
    issuer_.set_work({});
    is_running_ = true;
    has_finished_ = false;
    read_list(address, size);
}

void CommandProcessor::read_list(PhysAddr address, u32 size)
{
    reader_ = CommandListReader{};
    if ((size & 15) != 0)
    {
        // Sizes are multiples of 16 bytes: the tail is not executed [HW].
        report_dropped_tail(address, size);
        size &= ~15u;
    }
    const GuestMemory& memory = backend_.memory();
    const u32 readable = memory.clamp_size(address, size) & ~15u;
    if (readable != size)
        report_guest(report_, "command list outside memory", "0x%08X, %u bytes", address, size);
    words_read_ += readable / 4;
    if (words_read_ > kMaxWords)
    {
        report_guest(report_, "command list does not terminate", "%u jumps, stopped at 0x%08X", jumps_,
                     address);
        return;
    }
    if (readable == 0)
        return;
    backend_.will_read(address, readable);
    list_.resize(readable / 4);
    const u8* at = memory.span(address, readable).data();
    for (u32& word : list_)
    {
        word = u32{at[0]} | u32{at[1]} << 8 | u32{at[2]} << 16 | u32{at[3]} << 24;
        at += 4;
    }
    reader_ = CommandListReader(list_);
}

// Old client libraries end every list with FINALIZE twice, so that one of them lies at a multiple of 16 bytes. A second
// one that is dropped means nothing.
void CommandProcessor::report_dropped_tail(PhysAddr address, u32 bytes)
{
    const PhysAddr tail = address + (bytes & ~15u);
    backend_.will_read(tail - 8, 16);
    const auto is_finalize = [&](PhysAddr command)
    { return (backend_.memory().read32(command + 4) & 0xFFFF) == reg::FINALIZE::id; };
    if (bytes >= 24 && is_finalize(tail) && is_finalize(tail - 8))
        return;
    report_guest(report_, "command list size", "%u bytes at 0x%08X: the last command is dropped", bytes,
                 address);
}

bool CommandProcessor::run(RunUntil until)
{
    const Returns returns(backend_);
    return execute(until);
}

bool CommandProcessor::execute(RunUntil until)
{
    const u64 draws_before = issuer_.draws();
    RegisterWrite next;
    while (is_running_)
    {
        if (!issuer_.collects_immediate()) // most writes
            register_writes_ += reader_.take_plain(only_stores, [this](u32 id, u32 value, u32 byte_mask)
                                                   { regs_.write(id, value, byte_mask); });
        if (!reader_.next(next))
        {
            end_list();
            break;
        }
        ++register_writes_;
        write(next, Origin::List);
        if (until == RunUntil::Draw && issuer_.draws() != draws_before)
            return is_running_;
    }
    return false;
}

void CommandProcessor::end_list()
{
    issuer_.flush_immediate();
    if (reader_.is_truncated())
        report_guest(report_, "command past the end of its list", "%u words",
                     static_cast<u32>(reader_.words().size()));
    if (!has_finished_)
        report_.report(ReportKind::Guest, "command list without FINALIZE", "no P3D interrupt is raised");
    is_running_ = false;
}

void CommandProcessor::write(const RegisterWrite& write, Origin origin)
{
    const u32 id = write.id;
    if (id >= kRegisterCount)
    {
        report_guest(report_, "register id past 0x3FF", "id 0x%04X, ignored", id);
        return;
    }
    const auto [action, table] = kWriteEffects[id];
    if (action != WriteAction::FixedData)
        issuer_.flush_immediate();
    if (write.byte_mask != 0xF && is_port(action))
        report_port_mask(write);

    switch (action)
    {
    case WriteAction::StoreReported:
        regs_.write(id, write.value, write.byte_mask);
        report_guest(report_, "register without effect", "id 0x%03X is stored only", id);
        break;
    case WriteAction::CpuOnly:
        if (origin == Origin::List)
            break; // no effect from a list [HW]
        regs_.write(id, write.value, write.byte_mask);
        if (id <= reg::IRQ_ACK::ids.back()) // ACK bytes have the values of the request bytes
            write_interrupt(kInterruptRequests.first + id - reg::IRQ_ACK::id, write, origin);
        break;
    case WriteAction::Interrupt:
        write_interrupt(id, write, origin);
        break;
    case WriteAction::TableIndex:
        regs_.write(id, write.value, write.byte_mask);
        ports_.load_table_index(table, regs_);
        break;
    case WriteAction::TableData:
        ports_.write_table(table, write.value);
        for (const u32 word : repeats(write, origin))
            ports_.write_table(table, word);
        break;
    case WriteAction::DrawArrays:
        issuer_.draw(DrawKind::Arrays);
        break;
    case WriteAction::DrawElements:
        issuer_.draw(DrawKind::Elements);
        break;
    case WriteAction::FixedIndex:
        regs_.write(id, write.value, write.byte_mask);
        ports_.load_fixed_index(regs_);
        issuer_.begin_immediate();
        break;
    case WriteAction::FixedData:
        write_attribute(write.value);
        break;
    case WriteAction::Jump:
        jump(id - reg::CMDBUF_JUMP::id, write.value, origin);
        break;
    case WriteAction::Restart:
        regs_.write(id, write.value, write.byte_mask);
        issuer_.restart(); // 0x25E too, whatever it writes [EMU]
        break;
    case WriteAction::VertexBank:
        write_shader_bank(kVertexBank, write, origin);
        break;
    case WriteAction::GeometryBank:
        write_shader_bank(kGeometryBank, write, origin);
        break;
    case WriteAction::Store:
        regs_.write(id, write.value, write.byte_mask);
        break;
    case WriteAction::Nothing:
        break;
    }
}

void CommandProcessor::write_interrupt(u32 id, const RegisterWrite& write, Origin origin)
{
    regs_.write(id, write.value, write.byte_mask);
    // The comparison happens at the write and for the bytes that it enabled: interrupts are not
    // level-sensitive (command-lists.md, "Interrupts").
    const u32 word = id - kInterruptRequests.first;
    const u32 equal = ~(regs_[id] ^ regs_[reg::IRQ_CMP::ids[word]]);
    const u32 masked = regs_[reg::IRQ_MASK::ids[word / 8]] >> (word % 8 * 4);
    bool matches = false;
    for (u32 byte = 0; byte < 4; ++byte)
    {
        const bool written = (write.byte_mask >> byte & 1) != 0;
        const bool unmasked = (masked >> byte & 1) == 0;
        matches |= written && unmasked && (equal >> (byte * 8) & 0xFF) == 0xFF;
    }
    if (!matches)
        return;
    if (origin == Origin::List)
    {
        has_finished_ = true;
        if (regs_.get(reg::IRQ_AUTOSTOP::enable))
            reader_ = CommandListReader{}; // the rest is not executed [HW]
    }
    if (!on_interrupt_)
        return;
    backend_.processor_returns(); // the host may let the guest's CPU run
    on_interrupt_();
}

void CommandProcessor::jump(u32 channel, u32 value, Origin origin)
{
    if (value == 0)
    {
        report_guest(report_, "command list kick with 0", "channel %u, ignored", channel); // [3dbrew]
        return;
    }
    const PhysAddr address = regs_.get(reg::CMDBUF_ADDR::address, channel) * 16;
    const u32 size = regs_.get(reg::CMDBUF_SIZE::size, channel) * 16;
    if ((regs_[reg::CMDBUF_SIZE::ids[channel]] & 1) != 0)
        report_dropped_tail(address, size + 8);
    if (origin == Origin::Cpu)
    {
        begin_list(address, size);
        return;
    }
    // A jump, not a call: the rest of this list, parameters of this command included, is abandoned [GAME].
    if (++jumps_ > kMaxJumps)
    {
        report_guest(report_, "command list does not terminate", "%u jumps, stopped at 0x%08X", jumps_,
                     address);
        reader_ = CommandListReader{};
        return;
    }
    read_list(address, size);
}

// The other words of a command that fills a port, which may be hundreds. Taken together they cost a fraction.
std::span<const u32> CommandProcessor::repeats(const RegisterWrite& write, Origin origin)
{
    if (origin != Origin::List || write.byte_mask != 0xF)
        return {};
    const std::span<const u32> words = reader_.take_repeats();
    register_writes_ += words.size();
    return words;
}

void CommandProcessor::write_shader_bank(u32 bank, const RegisterWrite& write, Origin origin)
{
    const bool share = bank == kVertexBank && Ports::shares_banks(regs_);
    const u32 offset = write.id - bank;
    const bool is_data = (offset >= kFloatData && offset < kFloatData + 8) ||
                         (offset >= kCodeData && offset < kCodeData + 8) ||
                         (offset >= kDescriptorData && offset < kDescriptorData + 8);
    if (is_data)
    {
        if (write.byte_mask != 0xF)
            report_port_mask(write);
        const auto put = [&](std::span<const u32> words)
        {
            if (offset < kCodeData)
                return ports_.write_floats(bank, words, share);
            for (const u32 word : words)
                if (offset >= kDescriptorData)
                    ports_.write_descriptor(bank, word, share, report_);
                else
                    ports_.write_code(bank, word, share, report_);
        };
        put(std::span(&write.value, 1));
        put(repeats(write, origin));
        return;
    }
    if (offset == kCodeEnd)
        return;
    regs_.write(write.id, write.value, write.byte_mask);
    if (offset <= 4)
    {
        ports_.load_constant(regs_, bank, offset, share);
        if (share)
            regs_.write(kGeometryBank + offset, regs_[write.id]);
    }
    else if (offset == kOutmapMask && share)
    {
        regs_.write(kGeometryBank + offset, regs_[write.id]);
    }
    else if (offset == kFloatIndex)
    {
        ports_.load_float_index(regs_, bank);
    }
    else if (offset == kCodeIndex)
    {
        ports_.load_code_index(regs_, bank);
    }
    else if (offset == kDescriptorIndex)
    {
        ports_.load_descriptor_index(regs_, bank);
    }
}

void CommandProcessor::write_attribute(u32 word)
{
    Vec4 value;
    if (ports_.write_attribute(word, value) == AttributeWord::Immediate)
        issuer_.add_immediate(value);
}

void CommandProcessor::reset()
{
    regs_.reset();
    replace_ports(Ports{});
    list_.clear();
    reader_ = CommandListReader{};
    is_running_ = false;
    issuer_.set_sequence({});
}

// Revisions keep growing, so that nothing cached under an earlier revision becomes valid again.
void CommandProcessor::replace_ports(const Ports& ports)
{
    const u64 code = std::max(ports_.vertex.code.revision, ports_.geometry.code.revision);
    const u64 uniforms = std::max(ports_.vertex.uniforms_revision, ports_.geometry.uniforms_revision);
    const u64 fixed = ports_.fixed_revision;
    const auto tables = ports_.luts.revisions;
    ports_ = ports;
    ports_.vertex.code.revision = ports_.geometry.code.revision = code + 1;
    ports_.vertex.uniforms_revision = ports_.geometry.uniforms_revision = uniforms + 1;
    ports_.fixed_revision = fixed + 1;
    for (std::size_t i = 0; i < tables.size(); ++i)
        ports_.luts.revisions[i] = tables[i] + 1;
}

void CommandProcessor::restore(const RecordedState& state)
{
    reset();
    if (!load_recorded_state(state, regs_, ports_))
        report_.report(ReportKind::Guest, "recorded vector without w", "1 for attributes, 0 for uniforms");
}

ProcessorState CommandProcessor::state() const
{
    ProcessorState state;
    std::copy(regs_.words().begin(), regs_.words().end(), state.registers.begin());
    state.ports = ports_;
    if (is_running_)
    {
        const std::span<const u32> words = reader_.words();
        state.list = {true,        has_finished_, {words.begin(), words.end()}, reader_.position(), jumps_,
                      words_read_, issuer_.work()};
    }
    const DrawSequence& sequence = issuer_.sequence();
    state.immediate = sequence.immediate;
    state.restart = sequence.restart;
    state.geometry_reset = sequence.geometry_reset;
    state.geometry_configures = sequence.geometry_configures;
    return state;
}

void CommandProcessor::set_state(const ProcessorState& state)
{
    for (u32 id = 0; id < kRegisterCount; ++id)
        regs_.write(id, state.registers[id]);
    regs_.mark_all_dirty();
    replace_ports(state.ports);
    const ProcessorState::List& list = state.list;
    list_ = list.words;
    reader_ = CommandListReader(list_, list.position);
    is_running_ = list.is_running;
    has_finished_ = list.has_finished;
    jumps_ = list.jumps;
    words_read_ = list.words_read;
    issuer_.set_work(list.work);
    issuer_.set_sequence({state.immediate, state.restart, state.geometry_reset, state.geometry_configures});
}

} // namespace pica
