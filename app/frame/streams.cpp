#include "app/frame/streams.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/exports/png.h"
#include "app/jobs/frame_source.h"
#include "app/jobs/jobs.h"
#include "app/platform/new_file.h"
#include "app/rooms/app_context.h"
#include "app/rooms/room.h"
#include "app/sessions/session_commands.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/settings.h"
#include "core/base/error.h"
#include "core/files/moving_picture.h"

namespace vitrine {

namespace {

constexpr std::size_t rate_over = 10;  // frames

bool stream_is_on(const AppContext& context) { return context.state.stream.on(); }

/// The workspace of the stream; null once it is closed.
template <class Context>
auto* workspace_of_stream(Context& context) {
    const auto all = context.workspaces.all();
    const auto found = std::ranges::find(all, context.state.stream.workspace, &Workspace::id);
    return found == all.end() ? nullptr : &*found;
}

/// The frame that is shown; null before the first.
std::shared_ptr<const Image> shown_frame(const AppContext& context) {
    const Workspace* const w = workspace_of_stream(context);
    return w != nullptr && w->shown.result ? w->shown.result->experiment.image.frame : nullptr;
}
bool shows_a_frame(const AppContext& context) { return stream_is_on(context) && shown_frame(context) != nullptr; }

/// Stops the stream and restores the image before it, in both workspaces.
void end_stream(AppContext& context) {
    const StreamShown ended = std::exchange(context.state.stream, {});
    context.jobs().of<Streaming>().stop();
    for (Workspace& each : context.workspaces.all()) {
        if (each.experiment.image.lasts()) continue;
        each.experiment.image = ended.before;
        each.changed = true;
    }
}

/// True while a job works for the laboratory or computes missing blocks.
bool is_measuring(const AppContext& context) {
    return std::ranges::any_of(context.workspaces.all(),
                               [](const Workspace& each) { return each.looking || each.measuring.running; });
}

void pause_stream(AppContext& context, bool on) {
    context.state.stream.paused = on;
    context.jobs().of<Streaming>().pause(on);
}

void step_stream(AppContext& context) {
    if (!context.state.stream.paused) pause_stream(context, true);
    context.jobs().of<Streaming>().step();
}

/// Writes the shown frame into a folder beside the settings, ends the stream, and opens the frame like any file.
void keep_frame(AppContext& context) {
    const std::shared_ptr<const Image> frame = shown_frame(context);
    const auto folder =
        (context.playing ? context.scratch->path() : settings_file().parent_path()) / std::filesystem::path("kept");
    std::filesystem::create_directories(folder);
    const auto file = unused(folder / (context.state.stream.now.path.stem().string() + ".png"));
    write_png(file, {frame->width, frame->height, 3, frame->rgb});
    end_stream(context);
    show_image(context, {{}, file});
}

/// True if the image is the first frame of a file that may be a moving picture.
bool shows_moving_picture(const AppContext& context) { return may_move(context.workspace().experiment.image.file()); }
void play_moving(AppContext& context) {
    execute(command::PlayStream{context.workspace().experiment.image.path}, context);
}

}  // namespace

void execute(const command::PlayStream& c, AppContext& context) {
    if (context.playing && is_private(c.source))
        throw Error(c.source.string() + ": is not opened by a recording, which others may have made; open it by hand");
    std::filesystem::path source = c.source;
    if (!source.has_filename()) source = source.parent_path();  // "pictures/"
    begin_stream(context, source.filename().string(), [source] { return open_frame_source(source); });
}

void begin_stream(AppContext& context, const std::string& name, Streaming::Open open) {
    if (stream_is_on(context)) end_stream(context);
    const Workspace& w = context.workspace();
    StreamShown& stream = context.state.stream;
    stream.name = name;
    stream.workspace = w.id;
    stream.before = stream.now = w.experiment.image;
    show_run(context);
    context.jobs().of<Streaming>().play(std::move(open));
}

void take_frame(AppContext& context, bool answered) {
    StreamShown& stream = context.state.stream;
    if (!stream_is_on(context)) {
        if (context.jobs().has<Streaming>()) context.jobs().of<Streaming>().stop();  // another state was opened
        return;
    }
    Streaming& job = context.jobs().of<Streaming>();
    Workspace* const w = workspace_of_stream(context);
    if (w == nullptr || w->experiment.image != stream.now) return end_stream(context);
    if (std::string failure = job.take_failure(); !failure.empty()) {
        end_stream(context);
        context.state.error = std::move(failure);
        return;
    }
    if (!answered || is_measuring(context)) return;
    std::optional<StreamFrame> frame = job.take();
    if (!frame) return;
    stream.now = {{}, std::move(frame->from), 0, std::make_shared<const Image>(std::move(frame->image))};
    w->experiment.image = stream.now;
    w->changed = true;
    ++stream.shown;
    stream.times.push_back(ImGui::GetTime());
    if (stream.times.size() > rate_over) stream.times.pop_front();
}

std::vector<CommandRow> rows_of_streams() {
    constexpr KeyContext over_dialogs{.over_dialogs = true};
    return {{"play_moving", "", {}, over_dialogs, play_moving, shows_moving_picture},
            {"stream.pause",
             "",
             {},
             over_dialogs,
             [](AppContext& h) { pause_stream(h, !h.state.stream.paused); },
             stream_is_on},
            {"stream.step", "", {}, over_dialogs, step_stream, stream_is_on},
            {"stream.keep", "", {}, over_dialogs, keep_frame, shows_a_frame},
            {"stream.stop", "", {}, over_dialogs, end_stream, stream_is_on}};
}

void stream_strip(const Frame& frame) {
    const Ui& ui = frame.ui;
    const StreamShown& stream = frame.state().stream;
    const auto add = [&](const char* id) { frame.commands().add(id); };
    const char* const pause = stream.paused ? "stream.resume" : "stream.pause";
    if (icon_button(ui, {"stream.pause", {}, ui.text(pause), {}}, stream.paused ? Icon::play : Icon::pause))
        add("stream.pause");
    ImGui::SameLine();
    if (icon_button(ui, {"stream.step", {}, ui.text("stream.step"), {}}, Icon::right)) add("stream.step");
    ImGui::SameLine();
    if (icon_button(ui, {"stream.stop", {}, ui.text("stream.stop_tip"), {}}, Icon::close)) add("stream.stop");
    ImGui::SameLine();
    if (button(ui, {"stream.keep", ui.text("stream.keep"), ui.text("stream.keep_tip"), {}, stream.shown > 0},
               {Emphasis::plain, Icon::save}))
        add("stream.keep");
    ImGui::SameLine();
    const std::string name = stream.now.path.filename().string(),
                      words =
                          stream.paused ? ui.text("stream.paused", {{"name", name}})
                          : stream.shown == 0
                              ? ui.text("stream.begins", {{"name", stream.name}})
                              : ui.text("stream.rate", {{"rate", number_text(stream.per_second())}, {"name", name}});
    if (ui.glyphs != nullptr) ui.glyphs->see(words);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, line = canvas.measure("", Font::body).y;
    const Rect place{at.x, at.y, at.x + room, at.y + ImGui::GetFrameHeight()};
    canvas.text({place.x0, place.centre().y - line / 2}, fitted(canvas, words, Font::body, room),
                {Font::body, ui.theme.palette.muted, Align::left});
    ui.probe.mark("stream", place, stream.per_second(), words);
}

}  // namespace vitrine
