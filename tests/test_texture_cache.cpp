#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <optional>
#include <vector>

#include "app/platform/headless.h"
#include "app/ui/fonts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/equation_paths.h"
#include "app/ui/widgets/texture_cache.h"
#include "core/base/error.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

TEST(TextureCache, IsInertWithoutAContext) {
    TextureCache textures;
    const std::vector<float> values(4);
    EXPECT_EQ(textures.heat_map({values.data(), 2, 2, {}}, ThemeKind::dark, {100, 100}), 0U);
    textures.begin_frame();
    EXPECT_EQ(textures.size(), 0U);
}

/// A window of 256 × 128 drawn through EGL; tests pass over it where there is no OpenGL.
class TexturesOnScreen : public testing::Test {
protected:
    void SetUp() override {
        try {
            window_.emplace(256, 128);
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        current_.emplace(*window_);
        theme_.palette = palette_of(theme_.kind);
        build_fonts(theme_, text_);
        window_->upload_fonts();
        textures_.emplace();
        ui_.emplace(Ui{theme_, text_, probe_, *textures_});
    }
    void TearDown() override { textures_.reset(); }

    void draw(const std::function<void(Canvas&)>& figures) {
        window_->draw([&] {
            textures_->begin_frame();
            WindowCanvas canvas(ImGui::GetBackgroundDrawList(), *ui_);
            figures(canvas);
        });
        pixels_ = window_->pixels();
    }

    Color pixel(Point at) const {
        const std::size_t i = 3 * (static_cast<std::size_t>(at.y) * 256 + static_cast<std::size_t>(at.x));
        return {pixels_[i], pixels_[i + 1], pixels_[i + 2], 255};
    }

    std::optional<Headless> window_;
    std::optional<Headless::Current> current_;
    Theme theme_;
    Text text_;
    Probe probe_;
    std::optional<TextureCache> textures_;
    std::optional<Ui> ui_;
    std::vector<std::uint8_t> pixels_;
};

void expect_color(Color got, Color expected, int tolerance) {
    EXPECT_NEAR(got.r, expected.r, tolerance);
    EXPECT_NEAR(got.g, expected.g, tolerance);
    EXPECT_NEAR(got.b, expected.b, tolerance);
}

TEST_F(TexturesOnScreen, PaintEveryCellInItsColourUpToItsEdges) {
    std::vector<float> values;
    for (int i = 0; i < 8 * 16; ++i) values.push_back(std::sin(static_cast<float>(i * i)));
    for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
        const HeatMap heat = {values.data(), 8, 16, {map, -0.9F, 0.9F}};
        draw([&](Canvas& canvas) { canvas.heat_map({0, 0, 256, 128}, heat); });
        for (int row = 0; row < 8; ++row) {
            for (int column = 0; column < 16; ++column) {
                const Color expected = colour_of_cell(heat, values[16 * row + column], theme_.kind);
                for (const float inside : {0.5F, 15.5F})
                    expect_color(pixel({column * 16 + inside, row * 16 + inside}), expected, 1);
            }
        }
    }
}

TEST_F(TexturesOnScreen, LetAPictureShineThroughWeakCells) {
    const std::vector<float> values = {0, 0.25F, 1, 0.5F};
    const HeatMap heat = {values.data(), 2, 2, {}, 0.2F};
    draw([&](Canvas& canvas) {
        canvas.fill({0, 0, 256, 128}, {255, 255, 255});
        canvas.heat_map({0, 0, 256, 128}, heat);
    });
    for (int i = 0; i < 4; ++i) {
        const Color cell = colour_of_cell(heat, values[i], theme_.kind);
        const auto over_white = [&](int c) { return static_cast<std::uint8_t>(255 + (c - 255) * cell.a / 255); };
        const Point middle = {64.0F + 128 * (i % 2), 32.0F + 64 * (i / 2)};
        expect_color(pixel(middle), {over_white(cell.r), over_white(cell.g), over_white(cell.b)}, 2);
    }
}

TEST_F(TexturesOnScreen, ShowACropOfAPixelatedPictureAsSquares) {
    Image image = {4, 2, {}};
    for (int i = 0; i < 8; ++i) image.rgb.insert(image.rgb.end(), {static_cast<std::uint8_t>(30 * i), 90, 200});
    const auto shared = std::make_shared<const Image>(image);
    draw([&](Canvas& canvas) { canvas.picture({0, 0, 256, 128}, {shared, {1, 0, 3, 2}, true}); });
    expect_color(pixel({2, 2}), {30, 90, 200}, 0);
    expect_color(pixel({126, 62}), {30, 90, 200}, 0);
    expect_color(pixel({130, 62}), {60, 90, 200}, 0);
    expect_color(pixel({254, 126}), {180, 90, 200}, 0);
}

TEST_F(TexturesOnScreen, AreSharedWhileTheValuesStayAndForgottenAfterwards) {
    std::vector<float> values(4, 0.5F);
    const auto figure = [&](Canvas& canvas) { canvas.heat_map({0, 0, 64, 64}, {values.data(), 2, 2, {}}); };
    for (int i = 0; i < 3; ++i) draw(figure);
    EXPECT_EQ(textures_->size(), 1U);
    values[0] = 0.6F;
    draw(figure);
    EXPECT_EQ(textures_->size(), 2U);
    for (int i = 0; i < 20; ++i) draw(figure);
    EXPECT_EQ(textures_->size(), 1U);
}

TEST_F(TexturesOnScreen, OfAPictureGoWithThePicture) {
    auto image = std::make_shared<const Image>(Image{2, 2, std::vector<std::uint8_t>(12, 7)});
    draw([&](Canvas& canvas) { canvas.picture({0, 0, 64, 64}, {image}); });
    EXPECT_EQ(textures_->size(), 1U);
    image.reset();
    for (int i = 0; i < 3; ++i) draw([](Canvas&) {});
    EXPECT_EQ(textures_->size(), 0U);
}

TEST_F(TexturesOnScreen, ShowAnEquationPixelForPixelWhereverItStands) {
    const EquationPaths paths = parse_equation("<svg viewBox='0 0 10 10'><path d='M2 2H8V8H2Z'/></svg>", "square.svg");
    const Color colors[] = {{250, 60, 10}}, background = {20, 30, 40};
    for (const float shift : {0.0F, 0.4F}) {
        draw([&](Canvas& canvas) {
            canvas.fill({0, 0, 256, 128}, background);
            canvas.equation({16 + shift, 8 + shift}, 4, {&paths, colors});
        });
        for (const Point inside : {Point{24, 16}, Point{47, 39}}) expect_color(pixel(inside), colors[0], 0);
        for (const Point outside : {Point{23, 16}, Point{48, 39}, Point{24, 15}, Point{47, 40}})
            expect_color(pixel(outside), background, 0);
        EXPECT_EQ(textures_->size(), 1U);
    }
}

}  // namespace
}  // namespace vitrine
