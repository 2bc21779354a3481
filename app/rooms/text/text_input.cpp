#include <imgui.h>

#include <algorithm>

#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/text_field.h"
#include "app/workspace/command.h"
#include "app/workspace/selection.h"
#include "core/files/image.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"

namespace vitrine {

namespace {

constexpr int most_completions = 6;
constexpr float whole_lines = 3;  // lines of text that fit below the one being typed without a higher field

/// The vocabulary for typed text, cached.
const Vocabulary& typed_vocabulary(TextTask task, TextLanguage to) {
    static std::map<std::pair<TextTask, TextLanguage>, Vocabulary> all;
    const auto key = std::pair(task, task == TextTask::translate ? to : TextLanguage::japanese);
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    return all.emplace(key, source_vocabulary(task, to)).first->second;
}

/// Byte offset of the last, unfinished word: after the last space; in Japanese the last word, if it is unknown.
std::size_t unfinished_from(const std::string& typed, TextTask task, TextLanguage to) {
    if (source_language(task, to) == TextLanguage::english) {
        const std::size_t blank = typed.find_last_of(' ');
        return blank == std::string::npos ? 0 : blank + 1;
    }
    const std::vector<std::string> words = split_words(typed, TextLanguage::japanese, typed_vocabulary(task, to));
    if (words.empty() || typed_vocabulary(task, to).knows(words.back())) return typed.size();
    return typed.ends_with(words.back()) ? typed.size() - words.back().size() : typed.size();
}

/// The largest number of bytes, up to `most`, that does not split a UTF-8 character.
std::size_t whole_letters(const std::string& words, std::size_t most) {
    while (most > 0 && (static_cast<unsigned char>(words[most]) & 0xC0U) == 0x80U) --most;
    return most;
}

void choose_task(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextDraft draft = frame.text();
    std::vector<Control> tasks;
    int chosen = 0;
    for (const Named<TextTask>& row : text_task_names) {
        const std::string id = "text.task." + std::string(row.name);
        if (row.value == draft.task()) chosen = static_cast<int>(tasks.size());
        tasks.push_back({id, ui.text(id), ui.text(id + "_tip"), {}});
    }
    if (segmented(ui, tasks, chosen)) draft.choose(text_task_names[chosen].value, draft.experiment.to);
    if (draft.task() != TextTask::translate) return;
    std::vector<Control> directions;
    int direction = 0;
    constexpr TextLanguage languages[] = {TextLanguage::japanese, TextLanguage::english};
    for (const TextLanguage language : languages) {
        const std::string id = "text.to." + std::string(name_of(language));
        if (language == draft.experiment.to) direction = static_cast<int>(directions.size());
        directions.push_back({id, ui.text(id), ui.text(id + "_tip"), {}});
    }
    if (segmented(ui, directions, direction)) draft.choose(TextTask::translate, languages[direction]);
}

/// The input field, in which a longer text wraps; every change is read at once.
void type_text(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextDraft draft = frame.text();
    auto& typed = frame.panel.drafts.sentence;
    std::string& from = frame.panel.drafts.sentence_from;
    if (from != draft.text()) {  // the text was changed elsewhere
        typed.fill('\0');
        draft.text().copy(typed.data(), typed.size() - 1);
        from = draft.text();
    }
    const float padding = 4 * ImGui::GetStyle().FramePadding.y;  // of the typed line and of those below it
    const float height = (1 + whole_lines) * ImGui::GetTextLineHeight() + padding;
    std::string words = typed.data();
    ImGui::PushID(name_in(text_place_names, draft.place()));
    if (text_field(ui, "text.input", words, {height, ui.text("text.hint"), true, true})) {
        if (words.size() >= typed.size()) words.resize(whole_letters(words, typed.size() - 1));
        typed.fill('\0');
        words.copy(typed.data(), words.size());
        draft.read(words);
        from = draft.text();
    }
    ImGui::PopID();
}

/// Completions of the last word, as many as fit in one line.
void offer_completions(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextDraft draft = frame.text();
    const float top = ImGui::GetCursorPosY(), line = ui.theme.px(34);
    const TextTask task = draft.task();
    const std::vector<std::string> words = completions_of(draft.text(), task, draft.experiment.to, most_completions);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    int place = 0;
    for (const std::string& word : words) {
        const float width = canvas.measure(word, Font::body).x + ui.theme.px(30);
        if (place > 0 && ImGui::GetCursorScreenPos().x + width > right) break;
        if (button(ui, {"text.completion." + std::to_string(place), word, ui.text("text.completion_tip"), {}}))
            draft.read(completed(draft.text(), word, task, draft.experiment.to));
        ImGui::SameLine(0, ui.theme.px(6));
        ++place;
    }
    ImGui::NewLine();
    ImGui::SetCursorPosY(top + line + ui.theme.px(4));
}

void walk_samples(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextDraft draft = frame.text();
    const std::vector<TextSample> samples = text_samples(draft.task(), draft.experiment.to);
    int here = -1;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i].source == draft.text()) here = static_cast<int>(i);
    if (icon_button(ui, {"text.sample.previous", {}, ui.text("text.sample_tip"), frame.key_of("text.sample.previous")},
                    Icon::left, Emphasis::plain))
        show_sample(draft, -1);
    ImGui::SameLine(0, ui.theme.px(6));
    if (icon_button(ui, {"text.sample.next", {}, ui.text("text.sample_tip"), frame.key_of("text.sample.next")},
                    Icon::right, Emphasis::plain))
        show_sample(draft, 1);
    ImGui::SameLine(0, ui.theme.px(8));
    const std::string words = ui.text("text.samples", {{"place", here < 0 ? "–" : std::to_string(here + 1)},
                                                       {"count", std::to_string(samples.size())}});
    if (button(ui, {"text.samples", words, ui.text("text.samples_tip"), {}}))
        frame.commands().add(command::ShowDialog{"text_samples"});
    ImGui::SameLine(0, ui.theme.px(8));
    if (icon_button(ui, {"text.draw", {}, ui.text("text.draw_tip"), frame.key_of("text.draw")}, Icon::plus,
                    Emphasis::plain))
        draw_sentence(draft);
}

}  // namespace

std::vector<std::string> completions_of(const std::string& typed, TextTask task, TextLanguage to, int count) {
    const std::string last = typed.substr(unfinished_from(typed, task, to));
    if (last.empty()) return {};
    std::vector<std::string> words = typed_vocabulary(task, to).completions(last, count + 1);
    std::erase(words, last);
    if (static_cast<int>(words.size()) > count) words.resize(static_cast<std::size_t>(count));
    return words;
}

std::string completed(const std::string& typed, const std::string& word, TextTask task, TextLanguage to) {
    const bool english = source_language(task, to) == TextLanguage::english;
    return typed.substr(0, unfinished_from(typed, task, to)) + word + (english ? " " : "");
}

void show_sample(const TextDraft& draft, int by) {
    const std::vector<TextSample> samples = text_samples(draft.task(), draft.experiment.to);
    if (samples.empty()) return;
    const auto count = static_cast<int>(samples.size());
    int here = by > 0 ? -1 : 0;
    for (int i = 0; i < count; ++i)
        if (samples[static_cast<std::size_t>(i)].source == draft.text()) here = i;
    draft.read(samples[static_cast<std::size_t>((here + by + count) % count)].source);
}

void draw_sentence(const TextDraft& draft) {
    const TextTask task = draft.task();
    const TextExample example =
        draw_example({task, draft.experiment.to, 1}, TextStream::fresh, static_cast<std::uint64_t>(draft.look.drawn));
    ++draft.look.drawn;
    draft.read(join_words(example.source, source_language(task, draft.experiment.to)));
}

void text_input(const Frame& frame) {
    choose_task(frame);
    type_text(frame);
    offer_completions(frame);
    walk_samples(frame);
}

}  // namespace vitrine
