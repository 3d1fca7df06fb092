// SPDX-License-Identifier: MIT
// WorkSharer: several threads that do the parts of a piece of work. Who has work to divide gets one, or null, which means
// that the caller does it all. pica/soft/draws_in_flight.h has the threads.
#pragma once

#include "pica/base/types.h"

namespace pica
{

class WorkSharer
{
public:
    virtual ~WorkSharer() = default;

    // thread: below threads(); 0 is the caller of share(). No two calls at the same time have the same.
    using Job = void (*)(void* context, u32 part, u32 thread);
    struct Work
    {
        Job job = nullptr;
        void* context = nullptr;
        u32 parts = 0;
        bool wakes = false; // sleeping threads, too: for work of some 100 microseconds and more
    };
    // Calls job(context, part, thread) once for each part in [0, parts), in any order and on any thread. Returns when all
    // calls have returned. If one throws, parts that have not begun may be left out, and share throws the same.
    virtual void share(const Work& work) = 0;
    virtual u32 threads() const = 0;
};

// As WorkSharer::share, of f(part, thread). sharer may be null.
template <typename F>
void share_parts(WorkSharer* sharer, u32 parts, bool wakes, F f)
{
    if (sharer != nullptr)
        return sharer->share(
            {.job = [](void* context, u32 part, u32 thread) { (*static_cast<F*>(context))(part, thread); },
             .context = &f,
             .parts = parts,
             .wakes = wakes});
    for (u32 part = 0; part < parts; ++part)
        f(part, 0u);
}

} // namespace pica
