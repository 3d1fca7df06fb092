// SPDX-License-Identifier: MIT
// The format of what is kept in a CacheStore. A record holds its whole key, so that no record can be taken for
// another, and a checksum over all of its bytes. Layout: a file header (pica/base/chunks.h), a chunk with kind and
// key, a chunk with the content, and the checksum in the last eight bytes. Tests: tests/renderer/cache_record_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace renderer
{

// A checksum of 64 bits, which the change of any eight bytes in a row changes.
pica::u64 cache_checksum(std::span<const pica::u8> bytes, pica::u64 seed = 0);

// The name of the record under which a store keeps it: the kind and a hash of the key. kind: letters a-z.
std::string record_name(std::string_view kind, std::span<const pica::u8> key);

// The bytes of a record. Empty if the content is larger than a chunk may be.
std::vector<pica::u8> seal_record(std::string_view kind, std::span<const pica::u8> key,
                                  std::span<const pica::u8> content);

// The content of a record. An error says why the bytes are not a record of this kind and key.
pica::Result<std::vector<pica::u8>> open_record(std::span<const pica::u8> record, std::string_view kind,
                                                std::span<const pica::u8> key);

} // namespace renderer
