// SPDX-License-Identifier: MIT
// Ranges that begin outside of memory, end outside of it, or reach from one region into another, for every
// reader and writer: vertices, indices, textures, targets, command lists, fills, transfers, copies, screens
// and the CPU. The rules are in design.md ("Ranges of guest memory"). The verbs of the interface:
// tests/api/ranges_test.cpp.
#include "pica/texture/pixel.h"
#include "tests/support/scenes/byte_vertices.h"
#include "tests/support/suite/list_scene.h"

#include <algorithm>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute,   kInterpret,        kComputeFewTexels,
                                 kBarrier,     kCutMirror, kComputeCutMirror, kProtectedPages};

constexpr u32 kVramEnd = kVramBase + ConformanceMachine::kVramBytes;
constexpr u32 kFcramEnd = kFcramBase + ConformanceMachine::kFcramBytes;
// A neighbour behind VRAM that ends within a page, one in front of FCRAM, one behind a gap, and the last
// bytes of all. In front of VRAM there is nothing.
constexpr MemoryRange kMoreRegions[] = {
    {kVramEnd, 0x5800}, {kFcramBase - 0x3000, 0x3000}, {kFcramEnd + 0x2000, 0x3000}, {0xFFFFC000, 0x4000}};

// Where regions begin and end, with those neighbours and without. 0 is the end of the last one.
constexpr PhysAddr kEdges[] = {kVramBase,          kVramEnd,          kFcramBase,
                               kFcramEnd,          kVramEnd + 0x5800, kFcramBase - 0x3000,
                               kFcramEnd + 0x2000, 0xFFFFC000,        0};

PhysAddr edge(Random& random)
{
    // Mostly those that a device has a copy of.
    return random.chance(3, 4) ? kEdges[random.below(4)] : random.pick(std::span<const PhysAddr>(kEdges));
}

// At an edge or up to three pages from it, to either side.
PhysAddr edge_address(Random& random, u32 alignment)
{
    const s32 distance = random.pick(
        {0, random.between(-64, 64), random.between(-0x600, 0x600), random.between(-0x3000, 0x3000)});
    return (edge(random) + u32(distance)) / alignment * alignment;
}

// An address for this many bytes, mostly all in one region, at its begin or at its end.
PhysAddr inside_address(Random& random, u32 size, u32 alignment)
{
    if (random.chance(1, 5))
        return edge_address(random, alignment);
    const bool vram = random.chance(2, 3);
    const u32 distance = random.pick({0u, 0u, alignment, random.below(0x2000)});
    if (random.chance(1, 2))
        return ((vram ? kVramBase : kFcramBase) + distance) / alignment * alignment;
    return ((vram ? kVramEnd : kFcramEnd) - size - distance) / alignment * alignment;
}

void random_targets(ListScene& s)
{
    Random& random = s.random;
    const u32 width = 8u << random.below(3), height = 8u << random.below(3);
    s.size(width, height, random.chance(1, 2));
    s.viewport(f32(width) * 0.5f, f32(height) * 0.5f, 0, 0);
    const auto format = any<ColorFormat>(random, 5);
    s.color_target(inside_address(random, width * height * bytes_per_pixel(format), 64), format);
    const bool has_depth = random.chance(1, 4);
    s.depth_target(random.chance(1, 2) ? kVramBase + 0x40000 : inside_address(random, width * height * 4, 64),
                   random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, has_depth);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::GreaterOrEqual);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, has_depth);
}

void random_texture(ListScene& s)
{
    Random& random = s.random;
    s.texture_unit(0, edge_address(random, random.pick({8u, 128u})), 8u << random.below(4),
                   8u << random.below(4), any<TextureFormat>(random, 14));
    s.list.set(reg::TEXENV_SOURCE::color_1,
               random.chance(2, 3) ? CombinerSource::Texture0 : CombinerSource::PrimaryColor, 0);
}

// Base and offset of the loader; the vertices may be far behind it.
PhysAddr random_vertices(ListScene& s, u32& first)
{
    Random& random = s.random;
    const PhysAddr base = edge_address(random, 16);
    s.list.set(reg::ATTRIBBUFFERS_LOC::base, base >> 4);
    s.list.set(reg::ATTRIBBUFFER_OFFSET::offset, random.chance(1, 2) ? 0 : random.below(0x1800));
    const PhysAddr place = edge_address(random, 1);
    const bool leads_there = random.chance(1, 2) && place > base;
    first = leads_there ? (place - base) / kByteVertexBytes : random.below(16);
    if (random.chance(1, 16)) // numbers that end at 2^32, or beyond
        first = 0xFFFFFFFF - random.below(0x80);
    s.machine.coverage().note("vertices in another region", leads_there, true);
    return base;
}

void draw(ListScene& s)
{
    Random& random = s.random;
    if (random.chance(1, 2))
        random_targets(s);
    if (random.chance(1, 2))
        random_texture(s);
    u32 first = 0;
    const PhysAddr base = random_vertices(s, first);
    const Topology topology = random.pick({Topology::TriangleList, Topology::TriangleStrip});
    const u32 count = 3 * (1 + random.below(12));
    if (random.chance(1, 2))
    {
        // Seldom so many that the device draws them in parts.
        const bool in_parts = random.chance(1, 60);
        s.list.draw_arrays(topology, in_parts ? 0xFFFFFFFF - random.below(0x8000) : first,
                           in_parts ? 0x9000 : count);
        return;
    }
    const PhysAddr place = edge_address(random, 1);
    const u32 offset = place >= base && place - base < 1u << 28 ? place - base : random.below(0x4000);
    s.list.draw_elements(topology, offset, random.chance(2, 3) ? IndexType::U8 : IndexType::U16, count);
}

// The list itself lies at an edge; what of it is outside is not executed.
void run_at_edge(ListScene& s)
{
    const std::vector<u32> words = s.list.finish();
    const u32 bytes = u32(words.size()) * 4;
    const PhysAddr to = inside_address(s.random, bytes, 16);
    s.machine.write(to, words);
    s.machine.run_list_at(to, bytes);
}

void run(ListScene& s)
{
    if (s.random.chance(1, 4))
        run_at_edge(s);
    else
        s.run();
}

void fill(ConformanceMachine& machine, Random& random)
{
    const u32 size = 8 * random.pick({1 + random.below(64), 0x200u, 1 + random.below(0x800)});
    const PhysAddr start = inside_address(random, size, 8);
    machine.memory_fill(start, start + size, random.next(), any<FillWidth>(random, 3));
}

void transfer(ConformanceMachine& machine, Random& random)
{
    const u32 width = 8u << random.below(3), height = 8u << random.below(3);
    const u32 format = random.below(5);
    const u32 flags = format << 8 | random.pick({format, random.below(5)}) << 12 | random.below(2) |
                      (random.chance(1, 3) ? 2u : 0u);
    machine.display_transfer(inside_address(random, width * height * 4, 16),
                             inside_address(random, width * height * 4, 16), width | height << 16,
                             width | height << 16, flags);
}

void copy(ConformanceMachine& machine, Random& random)
{
    const u32 size = 16 * (1 + random.below(0x180));
    const auto rows = [&]
    { return random.chance(2, 3) ? 0u : (1 + random.below(16)) | random.below(8) << 16; };
    const u32 input = rows(), output = rows();
    machine.texture_copy(inside_address(random, size, 16), inside_address(random, size, 16), size, input,
                         output);
}

void cpu_write(ConformanceMachine& machine, Random& random)
{
    std::vector<u32> words(1 + random.below(random.pick({8u, 0x80u, 0x800u})));
    for (u32& word : words)
        word = random.next();
    machine.write(edge_address(random, 1), words);
}

void cpu_read(ConformanceMachine& machine, Random& random)
{
    const bool far = random.chance(1, 16);
    const PhysAddr address = far ? random.pick({0u, kVramBase - 0x100000}) : edge_address(random, 1);
    const u32 size = far ? random.pick({0x30000000u, 0x10000000u, 0xFFFFFFFFu}) : 1 + random.below(0x3000);
    if (random.chance(1, 3))
        machine.request_read(address, size);
    else
        machine.read(address, size);
    machine.coverage().note("larger than a region", far, true);
}

void show(ConformanceMachine& machine, Random& random)
{
    const auto screen = any<Screen>(random, 3);
    const u32 panel = screen == Screen::Bottom ? 1 : 0;
    const u32 format = random.below(5);
    const u32 column = kScreenHeight * pixel_bytes(PixelFormat(format));
    const PhysAddr address = edge_address(random, 8) - random.pick({0u, column * random.below(200)});
    const u32 stride = random.pick(
        {column, 0u - column, 0u, 8 * random.below(0x100), random.next() & ~7u, kFcramBase - kVramBase});
    Gpu& gpu = machine.gpu();
    gpu.write_register(
        (screen == Screen::TopRight ? ext::PDC_RIGHT_ADDRESS_A::ids : ext::PDC_ADDRESS_A::ids)[panel],
        address);
    gpu.write_register(ext::PDC_FORMAT::ids[panel], format);
    gpu.write_register(ext::PDC_STRIDE::ids[panel], stride);
    machine.show(screen);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 16, 16);
    use_byte_vertices(s.list);
    random_targets(s);
    random_texture(s);
    using Operation = void (*)(ConformanceMachine&, Random&);
    constexpr Operation kOperations[] = {fill, transfer, copy, cpu_write, cpu_read, show};
    for (u32 i = 0; i < 40; ++i)
    {
        if (random.chance(2, 5))
        {
            draw(s);
            continue;
        }
        run(s);
        kOperations[random.below(u32(std::size(kOperations)))](machine, random);
        if (random.chance(1, 12))
            machine.gpu().end_frame();
    }
    run(s);
}

void require(Coverage& coverage)
{
    coverage.require("vertices in another region", {1});
    coverage.require("larger than a region", {1});
    coverage.require("texture format", 14);
}

} // namespace

TEST_CASE("conformance: ranges around the ends of regions mean the same in both cores")
{
    run_suite({.name = "ranges",
               .variants = kVariants,
               .seeds = 72,
               .generate = generate,
               .require = require,
               .more_regions = kMoreRegions,
               .carryover = true});
}

TEST_CASE("conformance: ranges around the ends of VRAM and FCRAM alone mean the same in both cores")
{
    run_suite({.name = "ranges of two regions", .variants = kVariants, .seeds = 36, .generate = generate});
}

// The device has just written what is read, and memory is compared at the end alone.
TEST_CASE("conformance: arrays and indices that begin in front of a region are read as they are now")
{
    constexpr u32 kBefore = 10 * kByteVertexBytes;
    for (const Variant& variant : {kRasterOrder, kCompute, kInterpret})
        for (const bool indexed : {false, true})
            for (const bool indices_before : {false, true})
            {
                if (indices_before && !indexed)
                    continue;
                CAPTURE(std::string(variant.name));
                CAPTURE(indexed);
                CAPTURE(indices_before);
                ConformanceMachine machine(variant, Shaders::Ubershader);
                Random random(1);
                machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
                ListScene s(machine, random, 64, 64);
                s.color_target(kVramBase + 0x10000, ColorFormat::RGBA8);
                use_byte_vertices(s.list);
                const PhysAddr place = indices_before ? kFcramBase : kVramBase;
                machine.texture_copy(kFcramBase + 0x40000, place, 0x800, 0, 0);
                const PhysAddr base = indices_before ? kVramBase : kVramBase - kBefore;
                s.list.set(reg::ATTRIBBUFFERS_LOC::base, base >> 4);
                if (indexed)
                    s.list.draw_elements(Topology::TriangleList,
                                         (indices_before ? kFcramBase - 6 : kFcramBase + 0x2000) - base,
                                         IndexType::U8, 48);
                else
                    s.list.draw_arrays(Topology::TriangleList, 0, 48);
                s.run();
                machine.end_seed();
                CHECK_MESSAGE(machine.failure().empty(), machine.failure());
                CHECK(machine.changed_memory());
            }
}

TEST_CASE("conformance: vertex numbers beyond 32 bits are beyond memory")
{
    ConformanceMachine machine(kCompute, Shaders::Ubershader);
    Random random(2);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    ListScene s(machine, random, 64, 64);
    use_byte_vertices(s.list);
    // The last one's vertices go on beyond 32 bits, and not again with the first draw's, which the second draw has covered.
    // The device leaves it to the CPU, because its vertex numbers are not below 2^23.
    constexpr u32 kFirst = 0xFFFFFF00, kPart = 3 * 32768;
    s.list.draw_arrays(Topology::TriangleList, kFirst + kPart, 48);
    s.list.draw_arrays(Topology::TriangleList, 0, 48);
    s.list.draw_arrays(Topology::TriangleList, kFirst, kPart + 0x2000);
    s.run();
    machine.end_seed();
    CHECK_MESSAGE(machine.failure().empty(), machine.failure());
    CHECK(machine.changed_memory());
    CHECK(machine.vulkan().statistics().device_draws == 2);
    CHECK(machine.vulkan().statistics().device_parts == 2);
}

TEST_CASE(
    "conformance: an index of which one byte is outside of memory leaves the same vertex to later draws")
{
    for (const Variant& variant : {kRasterOrder, kCompute, kInterpret})
    {
        CAPTURE(std::string(variant.name));
        ConformanceMachine machine(variant, Shaders::Ubershader);
        machine.exchange_carryover(true);
        Random random(3);
        machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
        ListScene s(machine, random, 64, 64);
        use_byte_vertices(s.list);
        constexpr u32 kCount = 31;
        for (u32 i = 0; i < 16; ++i) // some of them compare what they leave
            s.list.draw_elements(Topology::TriangleStrip, kFcramEnd + 1 - 2 * kCount - kFcramBase,
                                 IndexType::U16, kCount);
        s.run();
        machine.end_seed();
        CHECK_MESSAGE(machine.failure().empty(), machine.failure());
        CHECK(machine.changed_memory());
    }
}
