// SPDX-License-Identifier: MIT
#include "samples/cli/golden/content_hash.h"

#include <xxhash.h>

#include <cstdio>
#include <new>

namespace samples
{

ContentHash::ContentHash() : state_(XXH3_createState())
{
    if (!state_)
        throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
}

ContentHash::~ContentHash() = default;

void ContentHash::Free::operator()(XXH3_state_s* state) const
{
    XXH3_freeState(state);
}

void ContentHash::add(std::span<const pica::u8> bytes)
{
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string ContentHash::text() const
{
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return text;
}

std::string picture_hash(const Picture& picture)
{
    ContentHash hash;
    hash.add_value(picture.width);
    hash.add_value(picture.height);
    hash.add(picture.rgba);
    return hash.text();
}

} // namespace samples
