// SPDX-License-Identifier: MIT
// What an emulator that watches its guest's pages asks of the operating system: how large pages are, memory with two
// mappings, rights of pages, and page faults. For Linux (Android from version 11 on), macOS and Windows. It has run on
// Linux, and on Windows by wine.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace emulator
{

enum class Rights
{
    None,
    Read,
    ReadWrite,
};

struct TwoViews
{
    std::uint8_t* first = nullptr;
    std::uint8_t* second = nullptr;
};

#if defined(_WIN32)

inline std::size_t system_page_bytes()
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

// Null pointers: there is no memory.
inline TwoViews map_twice(std::uint32_t bytes)
{
    const HANDLE section =
        CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, bytes, nullptr);
    if (section == nullptr)
        return {};
    const auto view = [&]
    { return static_cast<std::uint8_t*>(MapViewOfFile(section, FILE_MAP_ALL_ACCESS, 0, 0, bytes)); };
    const TwoViews views{view(), view()};
    CloseHandle(section); // the views keep the memory
    return views;
}

inline void unmap(std::uint8_t* view, std::uint32_t)
{
    UnmapViewOfFile(view);
}

inline bool set_rights(void* page, std::size_t bytes, Rights rights)
{
    DWORD before = 0;
    return VirtualProtect(page, bytes,
                          rights == Rights::None   ? PAGE_NOACCESS
                          : rights == Rights::Read ? PAGE_READONLY
                                                   : PAGE_READWRITE,
                          &before) != 0;
}

// Hears of the accesses that no page allows, until it is destroyed. The handler returns whether the access shall be tried
// again; if not, the system does what it does without a handler.
class FaultHandler
{
public:
    explicit FaultHandler(bool (*handler)(std::uint8_t* at)) : handle_(AddVectoredExceptionHandler(1, run))
    {
        handler_ = handler;
    }
    ~FaultHandler() { RemoveVectoredExceptionHandler(handle_); }
    FaultHandler(const FaultHandler&) = delete;
    FaultHandler& operator=(const FaultHandler&) = delete;

private:
    static LONG CALLBACK run(EXCEPTION_POINTERS* exception)
    {
        const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
        if (record.ExceptionCode != EXCEPTION_ACCESS_VIOLATION || record.NumberParameters < 2)
            return EXCEPTION_CONTINUE_SEARCH;
        return handler_(reinterpret_cast<std::uint8_t*>(record.ExceptionInformation[1]))
                   ? EXCEPTION_CONTINUE_EXECUTION
                   : EXCEPTION_CONTINUE_SEARCH;
    }

    inline static bool (*handler_)(std::uint8_t* at) = nullptr;
    void* handle_;
};

#else

inline std::size_t system_page_bytes()
{
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// A file without a name, in memory.
inline int anonymous_file()
{
#if defined(__linux__)
    return memfd_create("guest", 0);
#else
    const int file = shm_open("/picavk_embed_adapter", O_RDWR | O_CREAT | O_EXCL, 0600);
    shm_unlink("/picavk_embed_adapter");
    return file;
#endif
}

inline TwoViews map_twice(std::uint32_t bytes)
{
    const int file = anonymous_file();
    if (file < 0)
        return {};
    const auto view = [&]
    {
        void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return mapped == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(mapped);
    };
    TwoViews views;
    if (ftruncate(file, bytes) == 0)
        views = {view(), view()};
    close(file);
    return views;
}

inline void unmap(std::uint8_t* view, std::uint32_t bytes)
{
    munmap(view, bytes);
}

inline bool set_rights(void* page, std::size_t bytes, Rights rights)
{
    return mprotect(page, bytes,
                    rights == Rights::None   ? PROT_NONE
                    : rights == Rights::Read ? PROT_READ
                                             : PROT_READ | PROT_WRITE) == 0;
}

class FaultHandler
{
public:
    explicit FaultHandler(bool (*handler)(std::uint8_t* at))
    {
        handler_ = handler;
        struct sigaction action = {};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int, siginfo_t* info, void*)
        {
            // The access faults again, and what was before this handler hears of it.
            if (!handler_(static_cast<std::uint8_t*>(info->si_addr)))
                restore();
        };
        for (int i = 0; i < 2; ++i)
            sigaction(kSignals[i], &action, &before_[i]);
    }
    ~FaultHandler() { restore(); }
    FaultHandler(const FaultHandler&) = delete;
    FaultHandler& operator=(const FaultHandler&) = delete;

private:
    static void restore()
    {
        for (int i = 0; i < 2; ++i)
            sigaction(kSignals[i], &before_[i], nullptr);
    }

    static constexpr int kSignals[2] = {SIGSEGV, SIGBUS}; // of Linux, and of macOS
    inline static bool (*handler_)(std::uint8_t* at) = nullptr;
    inline static struct sigaction before_[2] = {};
};

#endif

} // namespace emulator
