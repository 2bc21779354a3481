#include "app/exports/stop_pictures.h"

#include <string>
#include <utility>

#include "app/exports/export_commands.h"
#include "app/exports/screen.h"
#include "app/frame/shell.h"
#include "app/jobs/jobs.h"
#include "app/rooms/room_parts.h"
#include "core/base/error.h"
#include "core/files/image.h"

namespace vitrine {

namespace {

constexpr int hall_width = 1280, hall_height = 720;  // pixels of the drawn window, as on a small projector
constexpr int shrunk = 2;                            // factor by which width and height are reduced

/// The picture reduced by `shrunk`: each pixel is the mean of a square.
Image small_picture(const DrawnPart& part) {
    Image image{part.width / shrunk, part.height / shrunk, {}};
    image.rgb.reserve(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            for (int channel = 0; channel < 3; ++channel) {
                int sum = 0;
                for (int i = 0; i < shrunk * shrunk; ++i) {
                    const int row = y * shrunk + i / shrunk, column = x * shrunk + i % shrunk;
                    sum += part.bytes[static_cast<std::size_t>((row * part.width + column) * part.channels + channel)];
                }
                image.rgb.push_back(static_cast<std::uint8_t>(sum / (shrunk * shrunk)));
            }
    return image;
}

bool shows_training(const AppContext& hall) { return answers_of(hall.state.room).work.learning != nullptr; }

bool plays_recording(const AppContext& hall) {
    return shows_training(hall) && hall.state.learning.recorded && hall.state.learning.playing;
}

/// Whether another window can draw the audience's picture. Only theirs has the models in training, but every window has
/// the recordings.
bool can_be_drawn(const AppContext& hall) {
    const bool recorded = shows_training(hall) && hall.state.learning.recorded;
    return recorded || answers_of(hall.state.room).taking.only_here == nullptr;
}

/// Whether the audience's picture is at rest: nothing moves, is being computed or waits for the run of its stop.
bool rests(const AppContext& hall) {
    const Workspace& now = hall.workspace();
    return !plays_recording(hall) && now.shown.result && now.shown.activity.stage == Stage::idle && !now.roles.any() &&
           !now.text.running && !now.looking && !now.motion.playing && hall.state.lecture.slide == 1.0F;
}

/// Whether a window that was asked for the next stop, or chapter, has reached it; false at the last one.
bool has_advanced(const AppContext& drawn, const AppContext& hall) {
    return drawn.state.lecture.stop != hall.state.lecture.stop || !(drawn.focus() == hall.focus());
}

/// The audience's view, to be drawn in another window.
Opening opening_of_hall(const AppContext& hall) {
    Opening opening = opening_in_view(hall);
    const ThemeKind theme = opening.state.settings.theme;
    opening.state.settings = hall.state.settings;
    opening.state.settings.theme = theme;
    opening.state.settings.motion = false;
    Lecture& lecture = opening.state.lecture = hall.state.lecture;
    lecture.pointer = Pointer::arrow;
    lecture.black = lecture.notes = lecture.peek = lecture.told = false;
    opening.state.full_screen = true;  // without the button for it
    opening.state.learning.played = hall.state.learning.played;
    opening.state.learning.playing = false;
    lecture.editing.clear();
    lecture.before.reset();
    lecture.unwritten.clear();
    return opening;
}

}  // namespace

/// The state that the pictures depend on.
struct StopPictures::Seen {
    std::string lesson, room, language;
    int stop = 0, count_from = 1;
    bool english_terms = false;
    ThemeKind theme = {};
    Colours colours = {};
    Alone alone = {};
    float time = 1;
    bool recorded = false;
    float played = 0;  // of a recording
    Focus focus;
    TextExperiment texts;
    std::shared_ptr<const Result> result;

    bool operator==(const Seen&) const = default;
    /// Whether pictures drawn in that state may be shown until their stops are drawn again.
    bool looks_like(const Seen& then) const {
        return lesson == then.lesson && language == then.language && theme == then.theme &&
               english_terms == then.english_terms && count_from == then.count_from;
    }

    static Seen of(const AppContext& hall) {
        const Lecture& lecture = hall.state.lecture;
        const Settings& settings = hall.state.settings;
        const Workspace& now = hall.workspace();
        return {lecture.lesson ? lecture.lesson->source : std::string(),
                hall.state.room,
                settings.language,
                lecture.at(hall.focus().step),
                settings.count_from,
                settings.english_terms,
                hall.theme.kind,
                settings.colours,
                lecture.alone,
                now.motion.time,
                hall.state.learning.recorded,
                hall.state.learning.played,
                hall.focus(),
                now.text_experiment,
                now.shown.result};
    }
};

StopPictures::StopPictures(std::function<void()> wake) : wake_(std::move(wake)) {}

StopPictures::~StopPictures() = default;

bool StopPictures::step(const Shell& shell) {
    const AppContext& hall = shell.context();
    if (!hall.state.lecture.on || !hall.state.settings.presenter) {
        screen_.reset();
        seen_.reset();
        views_ = {};
        drawn_.clear();
        turn_ = Turn::done;
        return false;
    }
    if (Seen now = Seen::of(hall); !seen_ || !(now == *seen_)) {
        if (seen_ && !now.looks_like(*seen_)) drawn_.clear();
        if (!seen_ || now.stop != seen_->stop || now.lesson != seen_->lesson) {
            const auto last = [&](int stop) {
                const auto found = drawn_.find(stop);
                return found == drawn_.end() ? nullptr : found->second;
            };
            views_ = {last(now.stop), last(now.stop + 1)};
        }
        if (seen_ && now.alone != seen_->alone) views_.here = nullptr;  // the audience no longer sees the old part
        seen_ = std::make_unique<const Seen>(std::move(now));
        turn_ = Turn::waits;
        views_.drawing = true;
    }
    if (turn_ == Turn::done || !rests(hall)) return false;
    try {
        if (turn_ == Turn::waits) begin(hall);
        if (screen_->step()) take(hall);
    } catch (const Error&) {  // the audience's window shows the error
        screen_.reset();
        end();
    }
    return true;
}

bool StopPictures::busy() const {
    return turn_ != Turn::done && (!screen_ || !screen_->shell().context().jobs().busy());
}

void StopPictures::begin(const AppContext& hall) {
    Opening opening = opening_of_hall(hall);
    turn_ = Turn::here;
    if (!screen_) {
        screen_ = std::make_unique<Screen>(Drawing{.width = hall_width, .height = hall_height}, wake_);
        opening.state.lecture.lesson.reset();  // or the first run would return to the stop's own view
        turn_ = Turn::opens;
    }
    screen_->show(std::move(opening));
}

/// Takes a complete picture and begins the next one.
void StopPictures::take(const AppContext& hall) {
    const auto picture = [&] { return std::make_shared<const Image>(small_picture(screen_->part("window"))); };
    if (turn_ == Turn::opens) {
        turn_ = Turn::here;
        return screen_->show(opening_of_hall(hall));
    }
    if (turn_ == Turn::next) {
        if (has_advanced(screen_->shell().context(), hall)) views_.next = drawn_[seen_->stop + 1] = picture();
        return end();
    }
    if (can_be_drawn(hall))
        views_.here = drawn_[seen_->stop] = picture();
    else  // the picture drawn earlier, as the next stop, is not the audience's view
        views_.here = drawn_[seen_->stop] = nullptr;
    turn_ = Turn::next;
    screen_->shell().ask(command::Do{"lecture.next_stop"});
    screen_->again();
}

void StopPictures::end() {
    turn_ = Turn::done;
    views_.drawing = false;
}

}  // namespace vitrine
