// SPDX-License-Identifier: MIT
// The folder of the disk cache: its bound, several processes at once, and folders and disks that cannot be written.
#include "renderer/cache/cache_record.h"
#include "renderer/cache/folder_store.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tests;
using namespace renderer;
namespace fs = std::filesystem;

namespace
{

// A folder that does not exist yet, and is removed at the end.
class Folder
{
public:
    Folder() : path(fs::temp_directory_path() / ("picavk_folder_store_" + std::to_string(getpid())))
    {
        fs::remove_all(path);
    }
    ~Folder()
    {
        std::error_code error;
        fs::remove_all(path, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    u64 bytes() const
    {
        u64 sum = 0;
        for (const auto& entry : fs::directory_iterator(path))
            sum += entry.file_size();
        return sum;
    }
    std::size_t files() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
    const fs::path path;
};

std::vector<u8> bytes_of(u8 value, std::size_t size)
{
    return std::vector<u8>(size, value);
}

// Runs body() in a process of its own; its result is the exit code.
template <typename Body>
pid_t start_process(Body body)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(body());
    return child;
}

int exit_code(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace

TEST_CASE("folder store: gives back what was stored last")
{
    const Folder folder;
    FolderStore store(folder.path / "made", 1 << 20);
    CHECK(store.load("a-1").empty());
    CHECK(store.store("a-1", bytes_of(1, 100)));
    CHECK(store.store("a-2", bytes_of(2, 200)));
    CHECK(store.load("a-1") == bytes_of(1, 100));
    CHECK(store.store("a-1", bytes_of(3, 50)));
    CHECK(store.load("a-1") == bytes_of(3, 50));
    FolderStore other(folder.path / "made", 1 << 20);
    CHECK(other.load("a-1") == bytes_of(3, 50));
    CHECK(other.load("a-2") == bytes_of(2, 200));
}

TEST_CASE("folder store: removes what was not used for longest and stays below its bound")
{
    const Folder folder;
    FolderStore store(folder.path, 10000);
    const auto age = [&](const std::string& name, int hours)
    {
        fs::last_write_time(folder.path / (name + ".pvkc"),
                            fs::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    for (int i = 0; i < 9; ++i)
    {
        const std::string name = "r-" + std::to_string(i);
        REQUIRE(store.store(name, bytes_of(static_cast<u8>(i), 1000)));
        age(name, 100 - i);
    }
    std::ofstream(folder.path / "not-ours.txt") << "text";
    CHECK(store.load("r-0") == bytes_of(0, 1000)); // now the one that was used last
    REQUIRE(store.store("r-9", bytes_of(9, 1500)));
    CHECK(folder.bytes() <= 10000);
    CHECK(store.load("r-0") == bytes_of(0, 1000));
    CHECK(store.load("r-1").empty());
    CHECK(store.load("r-2").empty());
    CHECK(store.load("r-8") == bytes_of(8, 1000));
    CHECK(store.load("r-9") == bytes_of(9, 1500));
    CHECK(fs::exists(folder.path / "not-ours.txt"));
    CHECK(store.store("large", bytes_of(1, 10001))); // is not kept, and removes nothing
    CHECK(store.load("large").empty());
    CHECK(store.load("r-9") == bytes_of(9, 1500));
    for (int i = 0; i < 100; ++i)
        REQUIRE(store.store("s-" + std::to_string(i), bytes_of(1, static_cast<std::size_t>(37 * i))));
    CHECK(folder.bytes() <= 10000 + 4);
}

TEST_CASE("folder store: processes that write at once leave whole records")
{
    const Folder folder;
    constexpr u32 kNames = 8;
    const auto key_of = [](u32 i) { return bytes_of(static_cast<u8>(i), 16); };
    std::vector<pid_t> children;
    for (u32 process = 0; process < 4; ++process)
        children.push_back(start_process(
            [&]
            {
                Random random(process);
                FolderStore store(folder.path, 60000); // some of the time there is not enough room for all
                for (u32 n = 0; n < 300; ++n)
                {
                    const u32 i = random.below(kNames);
                    const std::vector<u8> key = key_of(i);
                    const std::string name = record_name("kind", key);
                    if (random.chance(1, 2))
                    {
                        std::vector<u8> content(5000 + random.below(5000));
                        for (u8& byte : content)
                            byte = static_cast<u8>(random.next());
                        (void)store.store(name, seal_record("kind", key, content));
                        continue;
                    }
                    const std::vector<u8> record = store.load(name);
                    if (!record.empty() && !open_record(record, "kind", key))
                        return 1;
                }
                return 0;
            }));
    for (const pid_t child : children)
        CHECK(exit_code(child) == 0);
    FolderStore store(folder.path, 60000);
    for (u32 i = 0; i < kNames; ++i)
        if (const std::vector<u8> record = store.load(record_name("kind", key_of(i))); !record.empty())
            CHECK(open_record(record, "kind", key_of(i)));
    CHECK(folder.files() <= kNames); // no temporary file is left
}

TEST_CASE("folder store: a folder that cannot be written is an error and nothing else")
{
    const Folder folder;
    fs::create_directories(folder.path);
    std::ofstream(folder.path / "file") << "text";
    FolderStore below_file(folder.path / "file" / "folder", 1 << 20);
    CHECK(below_file.load("a").empty());
    CHECK_FALSE(below_file.store("a", bytes_of(1, 10)));
    // What exists is still read. Root may write anywhere, so the process drops its rights.
    FolderStore writable(folder.path, 1 << 20);
    REQUIRE(writable.store("a", bytes_of(1, 10)));
    fs::permissions(folder.path / "a.pvkc", fs::perms{0444});
    fs::permissions(folder.path, fs::perms{0555});
    CHECK(exit_code(start_process(
              [&]
              {
                  if (getuid() == 0 && setuid(65534) != 0)
                      return 2;
                  FolderStore store(folder.path, 1 << 20);
                  if (store.load("a") != bytes_of(1, 10))
                      return 3;
                  return store.store("a", bytes_of(2, 10)) || store.store("b", bytes_of(2, 10)) ? 4 : 0;
              })) == 0);
    fs::permissions(folder.path, fs::perms::owner_all);
    CHECK(writable.load("a") == bytes_of(1, 10));
    CHECK(writable.load("b").empty());
}

TEST_CASE("folder store: on a full disk the old record stays and no part of the new one")
{
    const Folder folder;
    FolderStore store(folder.path, 1 << 20);
    REQUIRE(store.store("a", bytes_of(1, 100)));
    CHECK(exit_code(start_process(
              [&]
              {
                  signal(SIGXFSZ, SIG_IGN); // the write fails, as on a full disk
                  const rlimit limit{4096, 4096};
                  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
                      return 2;
                  FolderStore full(folder.path, 1 << 20);
                  return full.store("a", bytes_of(2, 10000)) ? 3 : 0;
              })) == 0);
    CHECK(store.load("a") == bytes_of(1, 100));
    CHECK(folder.files() == 1);
}
