// SPDX-License-Identifier: MIT
// Records of the disk cache: what was kept comes back, and nothing else does.
#include "renderer/cache/cache_record.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tests;
using namespace renderer;

namespace
{

std::vector<u8> random_bytes(Random& random, u32 size)
{
    std::vector<u8> bytes(size);
    for (u8& byte : bytes)
        byte = static_cast<u8>(random.below(random.chance(1, 2) ? 256 : 4)); // some compress
    return bytes;
}

} // namespace

TEST_CASE("cache record: content comes back for its kind and key only")
{
    for_each_seed(50,
                  [](u32, Random& random)
                  {
                      const std::vector<u8> key = random_bytes(random, random.below(300));
                      const std::vector<u8> content = random_bytes(random, random.below(5000));
                      const std::vector<u8> record = seal_record("kind", key, content);
                      const auto found = open_record(record, "kind", key);
                      REQUIRE(found);
                      CHECK(*found == content);
                      CHECK_FALSE(open_record(record, "other", key));
                      std::vector<u8> longer = key;
                      longer.push_back(0);
                      CHECK_FALSE(open_record(record, "kind", longer));
                      CHECK(record_name("kind", key) != record_name("kind", longer));
                      CHECK(record_name("kind", key) != record_name("other", key));
                  });
}

TEST_CASE("cache record: no damaged record is opened")
{
    for_each_seed(20,
                  [](u32, Random& random)
                  {
                      const std::vector<u8> key = random_bytes(random, 40);
                      const std::vector<u8> record =
                          seal_record("kind", key, random_bytes(random, 1 + random.below(400)));
                      for (std::size_t at = 0; at < record.size(); ++at)
                      {
                          std::vector<u8> damaged = record;
                          damaged[at] ^= static_cast<u8>(1u << random.below(8));
                          CHECK_FALSE(open_record(damaged, "kind", key));
                          damaged.resize(at); // cut off
                          CHECK_FALSE(open_record(damaged, "kind", key));
                          damaged = record;
                          damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(at), 0);
                          CHECK_FALSE(open_record(damaged, "kind", key));
                      }
                      std::vector<u8> zeros(record.size(), 0);
                      CHECK_FALSE(open_record(zeros, "kind", key));
                      // A part of the file never reached the disk.
                      std::fill(zeros.begin(), zeros.end(), u8{0});
                      std::copy_n(record.begin(), record.size() / 2, zeros.begin());
                      CHECK_FALSE(open_record(zeros, "kind", key));
                  });
}
