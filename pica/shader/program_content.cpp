// SPDX-License-Identifier: MIT
#include "pica/shader/program_content.h"

#include <map>
#include <mutex>
#include <utility>

namespace pica
{

namespace
{

u64 mix(u64 hash, u32 word)
{
    hash ^= word;
    hash *= 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

u64 hash_of(const std::vector<u32>& words)
{
    u64 hash = words.size();
    for (const u32 word : words)
        hash = mix(hash, word);
    return hash;
}

// The hash is compared first because it usually decides. An ordered map stays fast even if a guest makes many
// programs with the same hash.
struct ByWords
{
    bool operator()(const ProgramContent* a, const ProgramContent* b) const
    {
        return a->hash != b->hash ? a->hash < b->hash : a->words < b->words;
    }
};

class Interner : public std::enable_shared_from_this<Interner>
{
public:
    std::shared_ptr<const ProgramContent> find(std::vector<u32> words)
    {
        auto content = std::make_unique<ProgramContent>();
        content->hash = hash_of(words);
        content->words = std::move(words);
        const std::lock_guard lock(mutex_);
        const auto known = contents_.find(content.get());
        if (known != contents_.end())
        {
            if (auto held = known->second.lock())
                return held;
            contents_.erase(known); // another thread is about to erase it
        }
        content->id = ++last_id_;
        // The table outlives its contents, even those that static objects hold.
        std::shared_ptr<const ProgramContent> added(content.release(),
                                                    [table = shared_from_this()](const ProgramContent* gone)
                                                    { table->forget(gone); });
        contents_.emplace(added.get(), added);
        return added;
    }

private:
    void forget(const ProgramContent* content)
    {
        const std::unique_ptr<const ProgramContent> owner(content);
        const std::lock_guard lock(mutex_);
        const auto known = contents_.find(content);
        if (known != contents_.end() && known->first == content)
            contents_.erase(known);
    }

    std::mutex mutex_; // guards everything below
    std::map<const ProgramContent*, std::weak_ptr<const ProgramContent>, ByWords> contents_;
    u64 last_id_ = 0;
};

} // namespace

std::shared_ptr<const ProgramContent> intern_program(std::vector<u32> words)
{
    static const auto interner = std::make_shared<Interner>();
    return interner->find(std::move(words));
}

} // namespace pica
