// SPDX-License-Identifier: MIT
#include "samples/cli/worker_processes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace samples
{

namespace
{

struct Child
{
    std::size_t index = 0;
    pid_t process = 0;
    int pipe = -1;
    std::string text;
};

[[noreturn]] void run_child(int pipe, const std::string& text)
{
    bool whole = true;
    for (std::size_t done = 0; done < text.size() && whole;)
    {
        const ssize_t written = ::write(pipe, text.data() + done, text.size() - done);
        whole = written > 0;
        done += whole ? std::size_t(written) : 0;
    }
    ::close(pipe);
    std::fflush(nullptr);
    // Not exit(): an abandoned device may still be in use on a thread of its driver.
    ::_exit(whole ? 0 : 1);
}

pica::Result<std::string> finish(Child& child)
{
    ::close(child.pipe);
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        return pica::Error{"the process ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                           strsignal(WTERMSIG(status)) + ")"};
    if (WEXITSTATUS(status) != 0)
        return pica::Error{"the process ended abnormally"};
    return std::move(child.text);
}

class Pool
{
public:
    explicit Pool(const ProcessWork& work) : work_(work) {}

    void run()
    {
        while (!children_.empty() || (goes_on_ && begun_ < work_.count))
        {
            while (goes_on_ && begun_ < work_.count &&
                   children_.size() < std::max<std::size_t>(work_.jobs, 1))
                begin();
            read();
        }
    }

private:
    void begin()
    {
        const std::size_t index = begun_++;
        int ends[2];
        if (::pipe(ends) != 0)
            return keep(index, pica::Error{std::string("no pipe: ") + std::strerror(errno)});
        std::fflush(nullptr);
        const pid_t process = ::fork();
        if (process == 0)
        {
            ::close(ends[0]);
            run_child(ends[1], work_.work(index));
        }
        ::close(ends[1]);
        if (process < 0)
        {
            ::close(ends[0]);
            return keep(index, pica::Error{std::string("no process: ") + std::strerror(errno)});
        }
        children_.push_back({index, process, ends[0], {}});
    }

    // Waits until a child writes or ends.
    void read()
    {
        std::vector<pollfd> ready;
        for (const Child& child : children_)
            ready.push_back({child.pipe, POLLIN, 0});
        if (ready.empty() || ::poll(ready.data(), ready.size(), -1) < 0)
            return;
        for (std::size_t i = ready.size(); i-- > 0;)
        {
            if (ready[i].revents == 0)
                continue;
            char part[65536];
            const ssize_t size = ::read(children_[i].pipe, part, sizeof part);
            if (size > 0)
            {
                children_[i].text.append(part, std::size_t(size));
                continue;
            }
            Child child = std::move(children_[i]);
            children_.erase(children_.begin() + std::ptrdiff_t(i));
            keep(child.index, finish(child));
        }
    }

    void keep(std::size_t index, pica::Result<std::string> text)
    {
        finished_.emplace(index, std::move(text));
        for (auto next = finished_.find(reported_); next != finished_.end(); next = finished_.find(reported_))
        {
            if (goes_on_)
                goes_on_ = work_.done(reported_, std::move(next->second));
            finished_.erase(next);
            ++reported_;
        }
    }

    const ProcessWork& work_;
    std::vector<Child> children_;
    std::map<std::size_t, pica::Result<std::string>> finished_; // not reported yet
    std::size_t begun_ = 0, reported_ = 0;
    bool goes_on_ = true;
};

} // namespace

void run_in_processes(const ProcessWork& work)
{
    Pool(work).run();
}

pica::u32 processor_count()
{
    return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace samples
