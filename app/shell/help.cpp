#include "app/shell/help.h"

#include <imgui.h>

#include <algorithm>

#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

struct Line {
    std::string words;  // the text's key
    std::vector<std::string> keys;
};

/// The commands that have a key, those with the same words together and each key once; then the keys that move among
/// the controls.
std::vector<Line> lines(const CommandTable& table) {
    std::vector<Line> all;
    for (const CommandRow& row : table.rows()) {
        if (row.keys.empty()) continue;
        auto line = std::find_if(all.begin(), all.end(), [&](const Line& l) { return l.words == row.help; });
        if (line == all.end()) line = all.insert(all.end(), Line{row.help, {}});
        for (const Chord& chord : row.keys)
            if (const std::string key = chord_words(chord); std::ranges::find(line->keys, key) == line->keys.end())
                line->keys.push_back(key);
    }
    all.push_back({"help.focus", {"Tab", "Shift Tab"}});
    all.push_back({"help.zone", {"F6"}});
    return all;
}

/// "← →", "0 … 9".
std::string keys_in_words(const std::vector<std::string>& keys) {
    constexpr std::size_t most = 6;
    if (keys.size() > most) return keys.front() + " … " + keys.back();
    std::string words;
    for (const std::string& key : keys) words += (words.empty() ? "" : "  ") + key;
    return words;
}

}  // namespace

void help_dialog(const Frame& frame, const House&) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    begin_dialog(ui, {"dialog.help", ui.text("help.title"), 1520, 1000}, frame.commands());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<Line> all = lines(frame.desk.table);
    const std::size_t down = (all.size() + 1) / 2;
    const float column = ImGui::GetContentRegionAvail().x / 2, line = theme.px(31), keys_width = theme.px(310);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float x = at.x + static_cast<float>(i / down) * column,
                    y = at.y + theme.px(12) + static_cast<float>(i % down) * line;
        const std::string keys = keys_in_words(all[i].keys);
        canvas.text({x + keys_width, y}, keys, {Font::strong, theme.palette.accent, Align::right});
        const std::string& words = ui.text(all[i].words);
        canvas.text({x + keys_width + theme.px(20), y},
                    fitted(canvas, words, Font::body, column - keys_width - theme.px(30)),
                    {Font::body, theme.palette.text, Align::left});
        ui.probe.mark(all[i].words, {x, y, x + column, y + line}, 0, keys);
    }
    ImGui::Dummy({1, line * static_cast<float>(down) + theme.px(24)});
    paragraph(ui, ui.text("help.mouse"));
    end_dialog();
}

}  // namespace vitrine
