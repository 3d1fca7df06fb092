// SPDX-License-Identifier: MIT
#include "tests/cli/inspect_stream.h"

#include "samples/cli/opened_replay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tests
{

using samples::ShownPicture;
using samples::StreamModel;

std::unique_ptr<StreamModel> read_stream(const std::string& stream, pica::u32 scale)
{
    auto opened = samples::OpenedReplay::open(stream, scale);
    REQUIRE(opened);
    auto model = std::make_unique<StreamModel>(std::move(*opened));
    while (model->read_more(std::chrono::milliseconds(100)))
        continue;
    REQUIRE_FALSE(model->empty());
    return model;
}

ShownPicture picture_of(StreamModel& model, ShownPicture::Kind kind)
{
    const auto& pictures = model.pictures();
    const auto found = std::find_if(pictures.begin(), pictures.end(),
                                    [&](const ShownPicture& shown) { return shown.kind == kind; });
    REQUIRE(found != pictures.end());
    return *found;
}

} // namespace tests
