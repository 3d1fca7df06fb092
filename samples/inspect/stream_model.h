// SPDX-License-Identifier: MIT
// What `picavk inspect` looks at: the stream, the operation that is selected, and the pictures after it. Knows nothing of
// the window. An operation is selected when it was executed and the next one was not.
#pragma once

#include "pica/base/result.h"
#include "pica/inspect/replay.h"
#include "samples/inspect/shown_picture.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace samples
{

class OpenedReplay;

class StreamModel
{
public:
    explicit StreamModel(std::unique_ptr<OpenedReplay> opened);
    ~StreamModel();
    StreamModel(const StreamModel&) = delete;
    StreamModel& operator=(const StreamModel&) = delete;

    const std::string& name() const { return name_; }
    const pica::Trace& trace() const;
    // N: pictures have N x N pixels for each of the guest's.
    pica::u32 scale();
    pica::Replay& replay();
    // The same, after the selected operation. What looks at draws moves the replay.
    pica::Replay& here();

    // Plays on for about so long. Returns false once all of the stream is known; then its first draw is selected.
    bool read_more(std::chrono::milliseconds time);
    bool is_read() const { return read_; }

    const std::vector<pica::ReplayOperation>& operations() const;
    pica::u32 frames() const;
    // One line that describes the operation, and one with all that is known of it, for searching.
    std::string label(std::size_t number) const;
    const std::string& description(std::size_t number) const { return descriptions_[number]; }

    // A stream may have no operation; then nothing can be selected.
    bool empty() const { return operations().empty(); }
    std::size_t selected() const { return selected_; }
    void select(std::size_t number);
    // Nothing happens if there is none.
    void select_draw_after();
    void select_draw_before();
    // The first draw of the next command list with draws, and of the one before the selected draw's.
    void select_list_after();
    void select_list_before();
    // The last operation of the frame. frame: at most the last one.
    void select_frame(pica::u32 frame);
    // "3": the end of frame 3; "3 12": draw 12 of frame 3; "#57": operation 57. Error: there is none.
    pica::Status go_to(const std::string& text);
    // How long the last seek took.
    double seek_milliseconds() const { return seek_milliseconds_; }
    // Grows with each selection.
    pica::u64 revision() const { return revision_; }

    // After the selected operation: the screens, and the target of the last draw.
    const std::vector<ShownPicture>& pictures();
    // The last draw up to the selected operation.
    std::optional<std::size_t> last_draw() const;

private:
    void describe_new();
    std::optional<std::size_t> first_of_list(std::size_t draw) const;

    std::unique_ptr<OpenedReplay> opened_;
    std::string name_;
    bool read_ = false;
    std::vector<std::string> descriptions_;
    std::size_t selected_ = 0;
    double seek_milliseconds_ = 0;
    pica::u64 revision_ = 0;
    pica::u64 pictured_ = 0; // the revision of pictures_
    std::vector<ShownPicture> pictures_;
};

} // namespace samples
