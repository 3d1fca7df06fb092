// SPDX-License-Identifier: MIT
// What a context keeps from run to run, through both headers: in a folder and in storage of the host.
#include "renderer/picavk.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace
{

struct CachingGuest
{
    std::vector<std::uint8_t> vram = std::vector<std::uint8_t>(0x100000);
    PicavkRegion region{0x18000000, 0x100000, vram.data()};
};

struct Storage
{
    std::map<std::string, std::vector<std::uint8_t>> records;
    std::atomic<int> inside{0};
    int loads = 0, hits = 0, stores = 0;
    bool overlapped = false;
};

picavk::Options with_storage(CachingGuest& guest, Storage& storage)
{
    picavk::Options options;
    options.backend = picavk::Backend::Vulkan;
    options.regions = {guest.region};
    options.pipelines = picavk::Pipelines::AtOnce; // the device works from the start
    options.cache_title = "a title";
    options.on_cache_load = [&](const char* name)
    {
        storage.overlapped = storage.overlapped || storage.inside++ != 0;
        storage.loads++;
        const auto found = storage.records.find(name);
        storage.hits += found != storage.records.end() ? 1 : 0;
        std::vector<std::uint8_t> bytes;
        if (found != storage.records.end())
            bytes = found->second;
        storage.inside--;
        return bytes;
    };
    options.on_cache_store = [&](const char* name, const std::uint8_t* bytes, std::size_t size)
    {
        storage.overlapped = storage.overlapped || storage.inside++ != 0;
        storage.stores++;
        storage.records[name].assign(bytes, bytes + size);
        storage.inside--;
        return true;
    };
    return options;
}

// A context that fills memory and shows that the device did it.
void live(picavk::Options options, CachingGuest& guest)
{
    auto [context, status] = picavk::Context::create(std::move(options));
    const std::string& why = status.message;
    REQUIRE_MESSAGE(bool(status), why);
    CHECK(context.memory_fill(0x18000000, 0x18010000, 0x11223344, 32));
    const std::uint32_t size = 64 | 64 << 16;
    CHECK(context.display_transfer(0x18000000, 0x18020000, size, size, 1 << 12)); // to rows of RGB8
    CHECK(context.will_read(0x18000000, 0x100000));
    CHECK(guest.vram[0] == 0x44);
    CHECK(guest.vram[0x20000] == 0x33);
}

} // namespace

TEST_CASE("C++ cache: storage of the host has what the next context needs")
{
    Storage storage;
    {
        CachingGuest guest;
        live(with_storage(guest, storage), guest);
    }
    // The verdict, and what the driver keeps. The library has the shaders of fills and transfers.
    CHECK(storage.stores >= 2);
    CHECK(storage.hits == 0);
    for (const auto& [name, bytes] : storage.records)
    {
        CHECK(name.size() <= 63);
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
        CHECK(bytes.size() > 40);
    }
    const int stores = storage.stores;
    storage.loads = 0;
    {
        CachingGuest guest;
        live(with_storage(guest, storage), guest);
    }
    CHECK(storage.hits >= 2);
    CHECK(storage.stores == stores);
    // Nothing that is wrong with the storage is a failure.
    for (auto& [name, bytes] : storage.records)
        bytes.resize(bytes.size() / 2);
    {
        CachingGuest guest;
        live(with_storage(guest, storage), guest);
    }
    CHECK(storage.stores > stores);
    CHECK_FALSE(storage.overlapped);
}

TEST_CASE("C++ cache: a folder")
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "picavk_c_cache_test";
    std::filesystem::remove_all(folder);
    for (int run = 0; run < 2; run++)
    {
        CachingGuest guest;
        picavk::Options options;
        options.backend = picavk::Backend::Vulkan;
        options.regions = {guest.region};
        options.pipelines = picavk::Pipelines::AtOnce;
        options.cache_directory = folder.string();
        options.cache_mebibytes = 1;
        live(std::move(options), guest);
        std::uint64_t bytes = 0, files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            bytes += entry.file_size();
            files++;
        }
        CHECK(files >= 2);
        CHECK(bytes > 80 * files); // each with more than the head of a record
        CHECK(bytes <= 1 << 20);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("C cache: misuse is an invalid argument")
{
    CachingGuest guest;
    PicavkCreateInfo info{};
    info.struct_size = sizeof info;
    info.backend = PICAVK_BACKEND_SOFTWARE;
    info.regions = &guest.region;
    info.region_count = 1;
    const auto result_with = [&](PicavkCache cache)
    {
        info.cache = &cache;
        PicavkContext* context = nullptr;
        char message[200];
        const PicavkResult result = picavk_create(&info, &context, message, sizeof message);
        CHECK((message[0] == 0) == (result == PICAVK_OK));
        picavk_destroy(context);
        return result;
    };
    PicavkCache cache{};
    CHECK(result_with(cache) == PICAVK_INVALID_ARGUMENT); // no size
    cache.struct_size = sizeof cache + 8;
    CHECK(result_with(cache) == PICAVK_INVALID_ARGUMENT);
    cache.struct_size = sizeof cache;
    CHECK(result_with(cache) == PICAVK_OK);
    cache.title = "";
    cache.folder_mebibytes = 1000000;
    CHECK(result_with(cache) == PICAVK_INVALID_ARGUMENT);
    cache.folder_mebibytes = 16;
    CHECK(result_with(cache) == PICAVK_OK);
    cache.load = [](void*, const char*, PicavkCacheGive, void*) {};
    CHECK(result_with(cache) == PICAVK_INVALID_ARGUMENT); // load without store
    cache.store = [](void*, const char*, const void*, std::size_t) { return std::uint32_t{1}; };
    CHECK(result_with(cache) == PICAVK_OK);
}
