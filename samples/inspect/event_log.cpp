// SPDX-License-Identifier: MIT
#include "samples/inspect/event_log.h"

namespace samples
{

pica::Status EventLog::open(const std::string& path)
{
    if (path.empty())
        return {};
    file_.open(path, std::ios::trunc);
    if (!file_)
        return pica::Error{path + ": cannot be written"};
    return {};
}

void EventLog::write(const std::string& kind, const Json& what)
{
    if (!file_.is_open() || (last_.contains(kind) && last_[kind] == what))
        return;
    last_[kind] = what;
    Json line;
    line["event"] = kind;
    line.update(what);
    file_ << line.dump() << '\n';
    file_.flush();
}

} // namespace samples
