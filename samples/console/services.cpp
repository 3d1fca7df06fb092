// SPDX-License-Identifier: MIT
#include "samples/console/services.h"

// Of the block at the entry, which loaders fill in.
extern "C" uint32_t loader_app_id, loader_flags;

namespace console
{

namespace
{

Handle manager = 0;

uint32_t length(const char* text)
{
    uint32_t count = 0;
    while (text[count] != 0)
        ++count;
    return count;
}

// The session in a reply.
Handle moved_handle()
{
    return message()[3];
}

} // namespace

ResultCode connect_services()
{
    const Value port = connect_to_port("srv:");
    if (port.result < 0)
        return port.result;
    manager = port.value;
    const ResultCode result = send(manager, 0x00010002, 0x20, 0); // RegisterClient
    if (result < 0)
        disconnect_services();
    return result;
}

void disconnect_services()
{
    close_handle(manager);
}

Handle service(const char* name)
{
    const uint32_t count = length(name);
    uint32_t words[2] = {};
    for (uint32_t i = 0; i < count; ++i)
        words[i / 4] |= static_cast<uint32_t>(name[i]) << (8 * (i % 4));
    return send(manager, 0x00050100, words[0], words[1], count, 0) < 0 ? 0 : moved_handle();
}

// --- Files

ResultCode SdFile::open(const char* path)
{
    static const char nothing = 0;
    constexpr uint32_t kSdCard = 9, kEmpty = 1, kAscii = 3, kReadWriteCreate = 7;
    files_ = service("fs:USER");
    if (files_ == 0)
        return -1;
    send(files_, 0x08010002, 0x20, 0); // Initialize
    const uint32_t bytes = length(path) + 1;
    const ResultCode result =
        send(files_, 0x08030204, 0, kSdCard, kEmpty, 1, kAscii, bytes, kReadWriteCreate, 0, 1 << 14 | 0x802,
             address_of(&nothing), bytes << 14 | 2, address_of(path)); // OpenFileDirectly
    file_ = result < 0 ? 0 : moved_handle();
    return result;
}

void SdFile::close()
{
    if (file_ != 0)
    {
        send(file_, 0x08080000); // Close
        close_handle(file_);
    }
    if (files_ != 0)
        close_handle(files_);
}

uint32_t SdFile::size()
{
    return send(file_, 0x08040000) < 0 ? 0 : message()[2]; // GetSize
}

ResultCode SdFile::set_size(uint32_t bytes)
{
    return send(file_, 0x08050080, bytes, 0); // SetSize
}

namespace
{

// Bytes of one message to a file.
constexpr uint32_t kMost = 0x40000;

} // namespace

ResultCode SdFile::read(uint32_t offset, void* to, uint32_t bytes)
{
    ResultCode result = 0;
    uint8_t* byte = static_cast<uint8_t*>(to);
    for (uint32_t done = 0; done < bytes && result >= 0;)
    {
        const uint32_t part = bytes - done < kMost ? bytes - done : kMost;
        result = send(file_, 0x080200C2, offset + done, 0, part, part << 4 | 0xC,
                      address_of(byte + done)); // Read
        if (result >= 0 && message()[2] != part)
            return -1;
        done += part;
    }
    return result;
}

ResultCode SdFile::write(uint32_t offset, const void* from, uint32_t bytes)
{
    constexpr uint32_t kFlush = 1, kTime = 0x100;
    ResultCode result = 0;
    const uint8_t* byte = static_cast<const uint8_t*>(from);
    for (uint32_t done = 0; done < bytes && result >= 0;)
    {
        const uint32_t part = bytes - done < kMost ? bytes - done : kMost;
        result = send(file_, 0x08030102, offset + done, 0, part, kFlush | kTime, part << 4 | 0xA,
                      address_of(byte + done)); // Write
        if (result >= 0 && message()[2] != part)
            return -1; // a full card takes fewer bytes
        done += part;
    }
    return result;
}

// --- Buttons

namespace
{

constexpr uint32_t kButtonPage = 0x10000000;

} // namespace

void Buttons::open()
{
    service_ = service("hid:USER");
    if (service_ == 0 || send(service_, 0x000A0000) < 0) // GetIPCHandles
        return;
    const Handle events[5] = {message()[4], message()[5], message()[6], message()[7], message()[8]};
    block_ = message()[3];
    for (const Handle event : events)
        close_handle(event);
    if (map_memory(block_, kButtonPage, 1) < 0)
    {
        close_handle(block_);
        block_ = 0;
    }
}

void Buttons::close()
{
    if (block_ != 0)
    {
        unmap_memory(block_, kButtonPage);
        close_handle(block_);
    }
    if (service_ != 0)
        close_handle(service_);
}

uint32_t Buttons::held() const
{
    return work() ? *reinterpret_cast<const volatile uint32_t*>(kButtonPage + 0x1C) : 0;
}

// --- Model

uint32_t console_model()
{
    const Handle session = service("cfg:u");
    if (session == 0)
        return 0xFF;
    const uint32_t model = send(session, 0x00050000) < 0 ? 0xFF : message()[2] & 0xFF; // GetSystemModel
    close_handle(session);
    return model;
}

// --- Applet service: a session for each call, under a lock

// 0: there is none, or the lock cannot be had.
Handle Applet::open()
{
    has_lock_ = lock_ != 0 && wait(lock_, -1) == 0;
    return lock_ != 0 && !has_lock_ ? 0 : service("APT:U");
}

void Applet::close(Handle session)
{
    if (session != 0)
        close_handle(session);
    if (has_lock_)
        release_mutex(lock_);
}

template <typename... Words>
ResultCode Applet::call(uint32_t header, Words... words)
{
    const Handle session = open();
    const ResultCode result = session == 0 ? -1 : send(session, header, words...);
    // The reply stays where it is: closing sends no message.
    close(session);
    return result;
}

void Applet::utility(uint32_t id, uint32_t value, uint32_t bytes)
{
    static uint32_t input[4];
    static uint8_t answer[0x1000];
    input[0] = value;
    receive_into(answer, sizeof answer);
    call(0x004B00C2, id, bytes, 0, bytes << 14 | 0x402, address_of(input)); // AppletUtility
}

void Applet::begin()
{
    static uint8_t parameter[0x1000];
    if ((loader_flags & 1) != 0 || call(0x00010040, 0) < 0) // GetLockHandle
        return;
    lock_ = message()[5];
    if (call(0x00020080, loader_app_id, 0) < 0) // Initialize
        return;
    is_application_ = true;
    notification_ = message()[3];
    resume_ = message()[4];
    call(0x00030040, 0);             // Enable
    call(0x00430040, loader_app_id); // NotifyToWait
    for (uint32_t attempt = 0; attempt < 4; ++attempt)
    {
        if (wait(resume_, 1000000000) != 0)
            break;
        receive_into(parameter, sizeof parameter);
        if (call(0x000D0080, loader_app_id, sizeof parameter) < 0) // ReceiveParameter
            continue;
        const uint32_t command = message()[3];
        if (const Handle sent = message()[6]; sent != 0)
            close_handle(sent);
        if (command == 1)
            break;
    }
    utility(7, 0x10, 4); // no longer on the way to another application
}

bool Applet::should_end()
{
    if (must_close_)
        return true;
    if (notification_ == 0 || wait(notification_, 0) != 0)
        return false;
    if (call(0x000B0040, loader_app_id) < 0) // InquireNotification
        return false;
    const uint32_t signal = message()[2];
    if (signal == 1 || signal == 2) // HOME: not during a run
        utility(7, 1, 4);
    if (signal == 3)
        call(0x003E0080, loader_app_id, 0); // ReplySleepQuery: no
    must_close_ = must_close_ || signal == 7 || signal == 8;
    return must_close_;
}

// Bits of loader_flags: 1: the program does not speak with APT, 2: it does not say that it closes, 4: it goes back to the
// launcher by itself. Where the system shuts down, no launcher starts.
void Applet::end()
{
    static const uint8_t zeros[0x300] = {};
    const bool closes = must_close_ || (loader_flags & 6) == 0;
    if (is_application_ && closes)
    {
        call(0x00220040, 1);                             // PrepareToCloseApplication
        call(0x00270044, 0, 0, 0, 2, address_of(zeros)); // CloseApplication
    }
    else if (is_application_ && (loader_flags & 2) != 0)
        call(0x00040040, loader_app_id);                           // Finalize
    else if (is_application_ && call(0x00310100, 2, 0, 0, 0) >= 0) // PrepareToDoApplicationJump
    {
        static uint8_t answer[0x300];
        receive_into(answer, sizeof answer);
        call(0x00320084, 0x300, 0, 0x300 << 14 | 2, address_of(zeros), 0x802, 0); // DoApplicationJump
    }
    const Handle handles[] = {notification_, resume_, lock_};
    for (const Handle handle : handles)
        if (handle != 0)
            close_handle(handle);
}

} // namespace console
