// SPDX-License-Identifier: MIT
// Writes the generated streams, or checks that the files are what would be written.
//   make_streams --write|--check FOLDER [STREAM...]
#include "tests/streams/scene.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace tests;

namespace
{

constexpr std::size_t kMaxBytes = 600'000;

std::vector<u8> read_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int usage()
{
    std::fputs("usage: make_streams --write|--check FOLDER [STREAM...]\n", stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 2 ? argv[1] : "";
    if (mode != "--write" && mode != "--check")
        return usage();
    const std::filesystem::path folder = argv[2];
    std::set<std::string> wanted(argv + 3, argv + argc);
    std::vector<const GeneratedStream*> streams = GeneratedStream::all();
    std::sort(streams.begin(), streams.end(),
              [](const GeneratedStream* a, const GeneratedStream* b) { return a->name < b->name; });

    const bool some = !wanted.empty();
    int failures = 0;
    std::set<std::string> names;
    for (const GeneratedStream* stream : streams)
    {
        names.insert(stream->name + ".ctf");
        if (some && wanted.erase(stream->name) == 0)
            continue;
        StreamScene scene;
        stream->write(scene);
        const std::vector<u8> bytes = scene.trace.finish();
        const std::filesystem::path path = folder / (stream->name + ".ctf");
        if (bytes.size() > kMaxBytes)
        {
            std::fprintf(stderr, "%s: %zu bytes, more than %zu\n", stream->name.c_str(), bytes.size(),
                         kMaxBytes);
            ++failures;
        }
        if (mode == "--write")
        {
            std::ofstream file(path, std::ios::binary);
            file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
            std::printf("%s: %zu bytes\n", path.c_str(), bytes.size());
            failures += file ? 0 : 1;
            continue;
        }
        if (read_file(path) != bytes)
        {
            std::fprintf(stderr, "%s is not what its generator writes (make_streams --write)\n",
                         path.c_str());
            ++failures;
        }
    }
    for (const std::string& name : wanted)
    {
        std::fprintf(stderr, "no generator writes %s\n", name.c_str());
        ++failures;
    }
    // A bundled t_ file that nothing writes any more.
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const std::string name = entry.path().filename().string();
        if (mode == "--check" && name.starts_with("t_") && !names.contains(name))
        {
            std::fprintf(stderr, "%s: no generator writes it\n", entry.path().c_str());
            ++failures;
        }
    }
    if (mode == "--check")
        std::printf("%zu generated streams, %d differences\n", names.size(), failures);
    return failures == 0 && !names.empty() ? 0 : 1;
}
