// SPDX-License-Identifier: MIT
// The service manager and the services beside the GPU: files on the SD card, buttons, model, and the applet service,
// which a program greets when it begins and ends.
#pragma once

#include "samples/console/system_calls.h"

namespace console
{

// Connects to the service manager. Call it first.
ResultCode connect_services();
void disconnect_services();
// A session of the service, 0 if there is none.
Handle service(const char* name);

// One file in the root of the SD card, read and written.
class SdFile
{
public:
    // Makes the file where it is missing.
    ResultCode open(const char* path);
    void close();
    uint32_t size();
    ResultCode set_size(uint32_t bytes);
    // Fewer bytes are a failure, here and in write.
    ResultCode read(uint32_t offset, void* to, uint32_t bytes);
    // The bytes are on the card when it returns.
    ResultCode write(uint32_t offset, const void* from, uint32_t bytes);

private:
    Handle files_ = 0, file_ = 0;
};

class Buttons
{
public:
    static constexpr uint32_t kA = 1 << 0, kStart = 1 << 3;

    void open();
    void close();
    bool work() const { return block_ != 0; }
    // Those that are held, a bit each.
    uint32_t held() const;

private:
    Handle service_ = 0, block_ = 0;
};

// As cfg:u numbers models; 0xFF: unknown.
uint32_t console_model();

// Tells the system that an application runs, and that it ends.
class Applet
{
public:
    void begin();
    // Answers requests of the system. True: it wants the program to end.
    bool should_end();
    void end();

private:
    Handle open();
    void close(Handle session);
    template <typename... Words>
    ResultCode call(uint32_t header, Words... words);
    void utility(uint32_t id, uint32_t value, uint32_t bytes);

    Handle lock_ = 0, notification_ = 0, resume_ = 0;
    bool has_lock_ = false;       // during a call
    bool is_application_ = false; // the system knows of it
    bool must_close_ = false;     // the system shuts down
};

} // namespace console
