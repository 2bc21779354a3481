#pragma once

#include <string>
#include <vector>

#include "app/jobs/streaming.h"
#include "app/rooms/command_row.h"
#include "app/workspace/command.h"

namespace vitrine {

struct AppContext;
struct Frame;

// A stream in the window: its frames become the image of a workspace, and neither enter the history nor files.

void execute(const command::PlayStream& command, AppContext& context);

/// Begins a stream in the visible workspace, in place of its image; `name` is shown beside the stream's buttons.
void begin_stream(AppContext& context, const std::string& name, Streaming::Open open);

/// Gives the workspace the newest frame once everything in view is computed for the previous one (`answered`: all
/// requests are), so that every run is completed and begins with the newest frame. Ends the stream if another image was
/// opened in the workspace, or with an error if its source failed.
void take_frame(AppContext& context, bool answered);

/// Commands of a stream: play a moving picture, pause, step, keep a frame, stop.
std::vector<CommandRow> rows_of_streams();

/// The stream's buttons, its name and its frames a second.
void stream_strip(const Frame& frame);

}  // namespace vitrine
