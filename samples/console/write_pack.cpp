// SPDX-License-Identifier: MIT
// write_pack FILE: all probes for the program on the console.
#include "samples/probe/pack.h"
#include "samples/probe/probes.h"

#include <cstdio>
#include <fstream>

int main(int argc, char** argv)
{
    const auto pack = samples::write_pack(samples::all_probes());
    if (argc != 2 || !pack)
    {
        std::fprintf(stderr, "write_pack: %s\n",
                     pack ? "give the file to write" : pack.error().message.c_str());
        return 1;
    }
    std::ofstream stream(argv[1], std::ios::binary);
    stream.write(reinterpret_cast<const char*>(pack->data()), static_cast<std::streamsize>(pack->size()));
    if (!stream.flush())
    {
        std::fprintf(stderr, "write_pack: cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
