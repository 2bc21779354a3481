#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/widgets/picture.h"
#include "app/ui/widgets/svg_canvas.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

/// Every element that is opened is closed in order, and attributes stand in quotes.
bool well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return false;
        const std::string inside = xml.substr(at + 1, end - at - 1);
        if (std::ranges::count(inside, '"') % 2 != 0 || inside.find('<') != std::string::npos) return false;
        const std::string name = inside.substr(0, inside.find_first_of(" /", 1));
        if (inside[0] == '/') {
            if (open.empty() || "/" + open.back() != inside) return false;
            open.pop_back();
        } else if (inside.back() != '/') {
            open.push_back(name);
        }
    }
    return open.empty();
}

bool contains(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

const Theme theme;
constexpr Color red = {255, 0, 0};

TEST(SvgCanvas, EveryCallLeavesItsElement) {
    SvgCanvas canvas({0, 0, 200, 100}, theme);
    const Point corner[] = {{0, 0}, {10, 0}, {5, 8.5F}};
    canvas.push_clip({0, 0, 100, 100});
    canvas.fill({1, 2, 11, 22}, red, 3);
    canvas.stroke({0, 0, 10, 10}, red, 2);
    canvas.line({0, 0}, {5, 5}, red);
    canvas.polyline(corner, red);
    canvas.polygon(corner, red.with_alpha(0.5F));
    canvas.circle({5, 5}, 2, red);
    canvas.ring({5, 5}, 3, red);
    canvas.text({5, 5}, "words", {Font::body, red, Align::centre});
    canvas.pop_clip();
    const std::string svg = canvas.document();
    EXPECT_TRUE(well_formed(svg)) << svg;
    for (const char* what : {"width=\"200\" height=\"100\"", "<clipPath id=\"clip1\">", "clip-path=\"url(#clip1)\"",
                             "<rect x=\"1\" y=\"2\" width=\"10\" height=\"20\" rx=\"3\" fill=\"#ff0000\"/>",
                             "<rect x=\"1\" y=\"1\" width=\"8\" height=\"8\" fill=\"none\"", "<line ",
                             "<polyline points=\"0,0 10,0 5,8.5\"", "<polygon ", "fill-opacity=\"0.5\"", "<circle ",
                             "text-anchor=\"middle\"", ">words</text>"})
        EXPECT_TRUE(contains(svg, what)) << what << "\n" << svg;
}

TEST(SvgCanvas, EscapesWhatXmlWouldRead) {
    SvgCanvas canvas({0, 0, 10, 10}, theme);
    canvas.text({0, 0}, "a < b && \"c\" > d\x01", {});
    EXPECT_TRUE(contains(canvas.document(), ">a &lt; b &amp;&amp; &quot;c&quot; &gt; d</text>"));
    EXPECT_TRUE(well_formed(canvas.document()));
}

TEST(SvgCanvas, BytesThatAreNoUtf8BecomeALetterThatStandsForThem) {
    SvgCanvas canvas({0, 0, 10, 10}, theme);
    canvas.text({0, 0}, "caf\xE9.png", {});
    EXPECT_TRUE(contains(canvas.document(), ">caf\uFFFD.png</text>"));
    EXPECT_TRUE(well_formed(canvas.document()));
}

TEST(SvgCanvas, ClosesClipsThatAreStillOpen) {
    SvgCanvas canvas({0, 0, 10, 10}, theme);
    canvas.push_clip({0, 0, 5, 5});
    EXPECT_TRUE(well_formed(canvas.document()));
}

TEST(SvgCanvas, DrawsASmallMapAsOneRectangleACell) {
    SvgCanvas canvas({0, 0, 100, 100}, theme);
    const std::vector<float> values = {0, 0.25F, 0.5F, 0.75F, 1, 0};
    const HeatMap map = {values.data(), 2, 3, {}};
    canvas.heat_map({0, 0, 30, 20}, map);
    const std::string svg = canvas.document();
    std::size_t cells = 0;
    for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) ++cells;
    EXPECT_EQ(cells, values.size());
    const Color last = colour_of_cell(map, 1, theme.kind);
    char hex[8];
    std::snprintf(hex, sizeof hex, "#%02x%02x%02x", last.r, last.g, last.b);
    EXPECT_TRUE(
        contains(svg, "<rect x=\"10\" y=\"10\" width=\"10\" height=\"10\" fill=\"" + std::string(hex) + "\"/>"));
}

TEST(SvgCanvas, EmbedsALargeMapAndAPictureAsPng) {
    SvgCanvas canvas({0, 0, 100, 100}, theme);
    const std::vector<float> values(100 * 100, 0.5F);
    canvas.heat_map({0, 0, 30, 20}, {values.data(), 100, 100, {}});
    const auto image = std::make_shared<const Image>(Image{2, 2, std::vector<std::uint8_t>(12, 200)});
    canvas.picture({0, 0, 10, 10}, {image, {0, 0, 1, 2}, true, 0.5F, 0.0F});
    const std::string svg = canvas.document();
    EXPECT_TRUE(contains(svg, "href=\"data:image/png;base64,iVBORw0KGgo"));
    EXPECT_TRUE(contains(svg, "opacity=\"0.5\""));
    EXPECT_TRUE(well_formed(svg));
}

TEST(SvgCanvas, LeavesOutAPictureThatIsNotThere) {
    SvgCanvas canvas({0, 0, 100, 100}, theme);
    canvas.picture({0, 0, 10, 10}, {});
    EXPECT_FALSE(contains(canvas.document(), "<image"));
}

TEST(SvgCanvas, CellsOverAPictureAreSquaresOfManyPixels) {
    SvgCanvas canvas({0, 0, 100, 100}, theme);
    const float values[] = {0, 1, 2, 3};
    canvas.heat_map({0, 0, 100, 100}, {values, 2, 2, {ColourMap::sequential, 0, 3}, 0.0F});
    // The header of a PNG of 672 x 672 pixels.
    EXPECT_NE(canvas.document().find("base64,iVBORw0KGgoAAAANSUhEUgAAAqAAAAKg"), std::string::npos);
}

TEST(SvgCanvas, ALineOfTextIsOneElement) {
    SvgCanvas canvas({0, 0, 400, 100}, theme);
    const TextStyle plain{Font::body, {0, 0, 0, 255}, Align::left}, strong{Font::strong, {9, 9, 9, 255}, Align::left};
    const float blank = canvas.measure(" ", Font::body).x;
    float x = 10;
    canvas.text({x, 20}, "Heads", plain);
    x += canvas.measure("Heads", Font::body).x + blank;
    canvas.text({x, 20}, "on", plain);
    x += canvas.measure("on", Font::body).x + blank;
    canvas.text({x, 20}, "one", strong);
    canvas.text({10, 60}, "below", plain);
    const std::string svg = canvas.document();
    EXPECT_NE(svg.find(">Heads on<tspan "), std::string::npos) << svg;
    EXPECT_NE(svg.find(">one</tspan></text>"), std::string::npos) << svg;
    EXPECT_NE(svg.find(">below</text>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace vitrine
