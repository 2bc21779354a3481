// two_windows SCREENSHOT FOLDER
//
// Opens two windows on a wide X screen, draws in both, closes them in either order, and looks at screenshots: each has
// its own ImGui, fonts and textures, and goes on without the other. SCREENSHOT is the program of that name; FOLDER is
// for its pictures.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/platform/window.h"
#include "app/ui/fonts.h"
#include "app/ui/text.h"
#include "app/ui/widgets/texture_cache.h"
#include "core/base/error.h"

using namespace vitrine;

namespace {

constexpr int width = 800, height = 500, second_x = 850;
constexpr int enough_frames = 5;
std::string screenshot_program, folder;

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "two_windows: %s\n", what.c_str());
    std::exit(1);
}

/// How many colours a window's part of the screen shows: 1 where nothing was drawn.
int colours_at(int x, const std::string& name) {
    const std::string line = screenshot_program + " '" + folder + "/" + name + ".png' " + std::to_string(x) + " 0 " +
                             std::to_string(x + width) + " " + std::to_string(height);
    FILE* const out = popen(line.c_str(), "r");
    int colours = 0;
    if (out == nullptr || std::fscanf(out, "%d", &colours) != 1 || pclose(out) != 0) fail("no screenshot: " + line);
    return colours;
}

void expect_drawn(int x, const std::string& name) {
    const int colours = colours_at(x, name);
    if (colours < 100) fail(name + " shows " + std::to_string(colours) + " colours");
}

/// A window with a line of text and a heat map that changes with every frame.
class Pane {
public:
    explicit Pane(int x) : window({x, 0, width, height, false}), x_(x) {
        theme_.palette = palette_of(theme_.kind);
        if (glfwGetWindowAttrib(glfwGetCurrentContext(), GLFW_AUTO_ICONIFY) != GLFW_FALSE)
            fail("full screen would go when the focus leaves");
    }

    /// `after` runs at the end of each frame.
    Window::Hooks hooks(std::function<void()> after) {
        Window::Hooks hooks;
        hooks.before_frame = [this] {
            if (frames > 0) return;
            build_fonts(theme_, text_);
            window.upload_fonts();
        };
        hooks.frame = [this, after = std::move(after)] {
            draw();
            ++frames;
            after();
        };
        hooks.busy = [] { return true; };
        hooks.dropped = [](const auto&) {};
        return hooks;
    }

    void expect_to_be_seen(const std::string& name) const { expect_drawn(x_, name); }

    Window window;
    int frames = 0;

private:
    void draw() {
        if (ImGui::GetIO().DisplaySize.x != width) fail("a frame has another window's size");
        std::vector<float> values(400);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + frames) / 500.0F;
        ColourScale scale;
        scale.high = 1;
        textures_.begin_frame();
        const unsigned map = textures_.heat_map({values.data(), 20, 20, scale}, theme_.kind, {400, 400});
        if (map == 0) fail("there is no texture");
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        list.AddImage(texture_id(map), {50, 80}, {450, 480});
        list.AddText(theme_.font(Font::title), 30, {50, 20}, IM_COL32_WHITE, "Attention is drawn here");
    }

    int x_;
    Theme theme_;
    Text text_ = Text::parse("{}", "none");
    TextureCache textures_;
};

/// The window that runs is closed first; the other one takes over.
void close_the_first() {
    auto first = std::make_unique<Pane>(0);
    Pane second(second_x);
    second.window.show(second.hooks([] {}));
    first->window.run(first->hooks([&] {
        if (first->frames >= enough_frames && second.frames >= enough_frames) first->window.close();
    }));
    first->expect_to_be_seen("first");
    second.expect_to_be_seen("second");
    first.reset();
    const int before = second.frames;
    second.window.run(second.hooks([&] {
        if (second.frames == before + enough_frames) second.window.close();
    }));
    second.expect_to_be_seen("second-alone");
}

/// The other one is closed and removed while the first draws, and opened again.
void close_the_second() {
    Pane first(0);
    auto second = std::make_unique<Pane>(second_x);
    second->window.show(second->hooks([] {}));
    int rounds = 0, closed_at = 0;
    first.window.run(first.hooks([&] {
        if (second && second->frames >= enough_frames) {
            if (rounds == 2) return first.window.close();
            second->window.close();
            if (second->window.is_open()) fail("a window that was closed says that it is open");
            second.reset();
            closed_at = first.frames;
            ++rounds;
        } else if (!second && first.frames == closed_at + enough_frames) {
            second = std::make_unique<Pane>(second_x);
            second->window.show(second->hooks([] {}));
        }
    }));
    first.expect_to_be_seen("first-again");
    second->expect_to_be_seen("second-again");
}

/// A window that its user has closed is hidden, and comes back when it is shown again.
void show_again() {
    Pane first(0), second(second_x);
    const Window::Hooks hooks = second.hooks([] {});
    second.window.show(hooks);
    int hidden_at = 0;
    first.window.run(first.hooks([&] {
        if (hidden_at == 0 && second.frames == enough_frames) {
            second.window.close();
            hidden_at = first.frames;
        } else if (hidden_at != 0 && first.frames == hidden_at + enough_frames) {
            if (second.frames != enough_frames) fail("a hidden window draws");
            if (colours_at(second_x, "hidden") != 1) fail("a window that was closed is seen");
            second.window.show(hooks);
        } else if (second.frames == 2 * enough_frames) {
            first.window.close();
        }
    }));
    second.expect_to_be_seen("shown-again");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: two_windows SCREENSHOT FOLDER");
    screenshot_program = argv[1];
    folder = argv[2];
    try {
        close_the_first();
        close_the_second();
        show_again();
    } catch (const Error& error) {
        fail(error.what());
    }
    std::puts("two_windows: drawn, closed in either order, shown again");
    return 0;
}
