#include "app/frame/presenter.h"

#include <imgui.h>

#include <cmath>

#include "app/frame/keymap.h"
#include "app/frame/layout.h"
#include "app/lecture/presenter_view.h"
#include "app/ui/fonts.h"
#include "app/workspace/command.h"
#include "core/vit/forward.h"

namespace vitrine {

bool Presenter::prepare(const Shell::Display& display) {
    const Settings& settings = shell_.state().settings;
    const float fitting =
        scale_of_window(static_cast<int>(display.width), static_cast<int>(display.height), display.least_scale);
    const float wanted = display.fixed_scale > 0 ? display.fixed_scale : fitting * settings.scale;
    const std::string words_in = settings.language + (settings.english_terms ? "+" : "");
    const bool new_fonts = theme_.font(Font::body) == nullptr || std::abs(theme_.scale - wanted) > 0.01F ||
                           words_in != words_in_ || glyphs_.pending();
    const bool new_style = new_fonts || theme_.kind != settings.theme;
    theme_.kind = settings.theme;
    theme_.palette = palette_of(theme_.kind);
    theme_.scale = wanted;
    words_in_ = words_in;
    if (new_fonts) build_fonts(theme_, shell_.text(), &glyphs_);
    if (new_style) apply_style(theme_);
    return new_fonts;
}

bool Presenter::frame() {
    const NoPassHere draws;
    fresh_ = true;
    drawn_at_ = std::time(nullptr);
    probe_.begin_frame();
    textures_.begin_frame();
    keyboard_.begin_frame();
    const AppContext& context = shell_.context();
    Drafts drafts = context.drafts;
    Commands asked;
    read_keys(context, keyboard_, typed_, asked);
    if (const auto typed = typed_.take()) shell_.notice_words(*typed);
    const int flags = fill_screen();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("presenter", nullptr, flags);
    ImGui::PopStyleVar(2);
    const Ui ui{theme_,     shell_.text(), probe_,  textures_, &keyboard_,
                &keyboard_, &glyphs_,      nullptr, false,     context.state.settings.count_from};
    presenter_view({ui, context, drafts, asked, command_table(), stops_});
    ImGui::End();
    shell_.take_in(arrival::Typed{std::move(drafts)});
    const bool anything = !asked.empty();
    for (Command& command : asked.take()) shell_.ask(std::move(command));
    return anything;
}

}  // namespace vitrine
