// SPDX-License-Identifier: MIT
// Two files of words that the console and a PC exchange: the pack (all probes, inside of the program for the console)
// and the file of results. The console compiles this header too, without a standard library.
#pragma once

#include <stdint.h>

namespace probe_format
{

// "PVPR", and "PVAN" for results.
constexpr uint32_t kPackMagic = 0x52505650;
constexpr uint32_t kResultMagic = 0x4E415650;
constexpr uint32_t kVersion = 4;

// What all memory of a probe is in, as the CPU and the GPU see it. Offsets of operations count from here.
constexpr uint32_t kVramCpu = 0x1F000000;
constexpr uint32_t kVramGpu = 0x18000000;
constexpr uint32_t kVramBytes = 6 << 20;
// The largest upload, command list or answer of one operation.
constexpr uint32_t kMaxPiece = 0x100000;
constexpr uint32_t kMaxResultBytes = 4000000;

// The pack: PackHeader, PackProbe for each probe, words of operations, bytes of uploads and command lists.
struct PackHeader
{
    uint32_t magic, version;
    uint32_t id; // CRC-32 of everything behind this header
    uint32_t bytes;
    uint32_t probes;
    uint32_t answer_bytes; // of the whole file of results
    uint32_t canary;       // byte offset of the operations of kCanary
};

struct PackProbe
{
    char name[24];         // ends with 0
    uint32_t first_op;     // byte offset in the pack
    uint32_t answer;       // byte offset in the file of results
    uint32_t answer_bytes; // a multiple of 16
};

// An operation: this word, then its arguments. Offsets and sizes are in bytes, multiples of 16.
enum Operation : uint32_t
{
    kEnd,
    kUpload,   // VRAM offset, bytes, offset in the pack: through linear memory and a texture copy
    kList,     // bytes, offset in the pack: a command list in linear memory
    kFill,     // VRAM start, VRAM end, value, control (low half of 0x1040001C)
    kTransfer, // VRAM input, VRAM output, input size, output size (width | height << 16), flags
    kCopy,     // VRAM input, VRAM output, bytes, input line, output line (width | gap << 16), flags
    // bytes, offset in the pack: a command list whose end raises no interrupt, or which goes on behind FINALIZE. It has
    // kQuietMilliseconds.
    kQuietList,
    kRegister, // id of an internal register, value: written by the CPU
    kRead,     // VRAM offset, bytes: the answer's next bytes, through a texture copy
    // Does the GPU still draw? The operations at PackHeader::canary tell. They end with kDrawn.
    kCanary,
    kDrawn, // VRAM offset, bytes, value: no word of them has this value any more. Else the probe counts as one that hung
    kOperations,
};
constexpr uint32_t kArguments[kOperations] = {0, 3, 2, 4, 5, 6, 2, 2, 2, 0, 3};
constexpr uint32_t kQuietMilliseconds = 50;

enum ProbeStatus : uint16_t
{
    kNotRun,
    kRunning, // was begun; the console was turned off, or it froze. It is asked once more
    kDone,
    kHung,    // no interrupt came in time, or the console was turned off within it kMostAttempts times
    kRefused, // the system refused a piece of its work
};

// So often a probe is begun until the console is taken to have frozen. A battery may be empty once.
constexpr uint32_t kMostAttempts = 2;

// The file of results: ResultHeader, ResultEntry for each probe, answers. Header and entries are the table; it is written
// as a whole, so its checksum holds at any time. What is no answer is 0.
struct ResultHeader
{
    uint32_t magic, version;
    uint32_t pack; // PackHeader::id
    uint32_t bytes;
    uint32_t probes;
    uint32_t complete;         // 1: every probe was run, 0: not yet
    uint32_t crc;              // CRC-32 of the table with 0 here
    uint32_t model;            // of cfg:u, 0xFF if unknown
    uint32_t is_new;           // 1: a "New" model
    uint32_t kernel, firmware; // words at 0x1FF80000 and 0x1FF80060
    uint32_t gpu;              // hardware id, register 0x10400000
    uint32_t starts;           // how often the program was started for this file
    uint32_t milliseconds;     // of all starts
    uint32_t reserved[2];
};

struct ResultEntry
{
    uint16_t status;
    uint16_t attempts; // how often it was begun
    uint32_t crc;      // CRC-32 of the answer
    uint32_t microseconds;
    uint32_t error; // what the system said where it refused the work
};

// CRC-32 as in zlib, of bytes that come in pieces: begin with 0.
inline uint32_t crc32(uint32_t crc, const void* bytes, uint32_t count)
{
    struct Table
    {
        uint32_t word[256];
        constexpr Table() : word()
        {
            for (uint32_t i = 0; i < 256; ++i)
            {
                uint32_t value = i;
                for (int bit = 0; bit < 8; ++bit)
                    value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
                word[i] = value;
            }
        }
    };
    static constexpr Table table;
    const unsigned char* byte = static_cast<const unsigned char*>(bytes);
    crc = ~crc;
    while (count-- != 0)
        crc = (crc >> 8) ^ table.word[(crc ^ *byte++) & 255];
    return ~crc;
}

} // namespace probe_format
