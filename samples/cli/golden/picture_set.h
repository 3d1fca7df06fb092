// SPDX-License-Identifier: MIT
// What `picavk compare` finds on one side: for each stream its recording, its pictures, or the hashes of its pictures.
// Tests: tests/cli/compare_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <compare>
#include <map>
#include <memory>
#include <string>

namespace pica
{
class Trace;
}

namespace samples
{

// A picture of a stream. Names: FRAME is a number with any leading zeros, SCREEN is top, top_right or bottom.
struct PictureKey
{
    pica::u32 frame = 0;
    std::string screen;
    auto operator<=>(const PictureKey&) const = default;
    std::string text() const { return "frame " + std::to_string(frame) + ", " + screen; }
};

struct PictureSource
{
    std::string recording;                    // path; "": none
    std::shared_ptr<const pica::Trace> trace; // of standard input, which can be read once
    std::map<PictureKey, std::string> files;  // paths of PNG files
    std::map<PictureKey, std::string> hashes; // as `picavk render --hashes` prints them
    std::string digest;                       // path of a digest (picavk digest); "": none
};

using PictureSet = std::map<std::string, PictureSource>; // by the name of the stream

// path: a folder, in which recordings (NAME.pvk, NAME.ctf), pictures (NAME_frame1_top.png or NAME/frame0001_top.png) and
// digests (NAME.digest) are looked for, in folders inside of it too; or a recording; or a PNG file, whose name may say which
// picture it is; or a text with hashes.
// Error: none of these, or nothing is there.
pica::Result<PictureSet> find_pictures(const std::string& path);

// Is this one PNG file, which find_pictures was given?
bool is_one_picture(const PictureSet& set, const std::string& path);
// Two PNG files are compared with each other whatever their names say.
void forget_places(PictureSet& set);

// Takes "s_triangle/frame0001_top" apart; false if the name has another form.
bool split_picture_name(const std::string& name, std::string& stream, PictureKey& key);

} // namespace samples
