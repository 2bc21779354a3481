#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "app/ui/widgets/equation.h"
#include "core/base/error.h"
#include "tests/equation_inside.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const Outline& only_outline(const EquationPaths& paths) { return paths.parts.at(0).outlines.at(0); }

void expect_same(const Outline& a, const Outline& b) {
    ASSERT_EQ(a.pieces.size(), b.pieces.size());
    for (std::size_t i = 0; i < a.pieces.size(); ++i) {
        EXPECT_EQ(a.pieces[i].kind, b.pieces[i].kind);
        EXPECT_NEAR(a.pieces[i].to.x, b.pieces[i].to.x, 0.01);
        EXPECT_NEAR(a.pieces[i].to.y, b.pieces[i].to.y, 0.01);
        for (std::size_t c = 0; c < 2; ++c) {
            EXPECT_NEAR(a.pieces[i].controls[c].x, b.pieces[i].controls[c].x, 0.01);
            EXPECT_NEAR(a.pieces[i].controls[c].y, b.pieces[i].controls[c].y, 0.01);
        }
    }
}

TEST(EquationPaths, ReadEveryCommittedFileAndUseEveryKindOfMark) {
    std::set<std::string, std::less<>> used;
    for (const auto& entry : fs::directory_iterator(fs::path(VITRINE_SOURCE) / "assets/equations")) {
        if (entry.path().extension() != ".svg") continue;
        std::ifstream file(entry.path());
        const std::string svg{std::istreambuf_iterator<char>(file), {}};
        for (const EquationPart& part : parse_equation(svg, entry.path().string()).parts) {
            used.insert(part.symbol);
            EXPECT_TRUE(part.symbol.empty() || !part.box.empty()) << part.symbol << " in " << entry.path();
        }
    }
    used.erase("");
    std::set<std::string, std::less<>> known;
    for (const EquationSymbol& row : equation_symbols()) known.emplace(row.symbol);
    EXPECT_EQ(used, known);
}

TEST(EquationPaths, ReadShortCommandsAsTheLongOnesTheyStandFor) {
    expect_same(only_outline(equation_inside("<path d='M1 2H5V7Z'/>")),
                only_outline(equation_inside("<path d='M1 2L5 2L5 7L1 2'/>")));
    expect_same(only_outline(equation_inside("<path d='M1 2 5 2 5 7Z'/>")),
                only_outline(equation_inside("<path d='M1 2L5 2L5 7Z'/>")));
    expect_same(only_outline(equation_inside("<path d='M0 0Q3 0 3 3Z'/>")),
                only_outline(equation_inside("<path d='M0 0C2 0 3 1 3 3Z'/>")));
    expect_same(only_outline(equation_inside("<path d='M0 0C0 1 1 2 2 2S4 3 4 4Z'/>")),
                only_outline(equation_inside("<path d='M0 0C0 1 1 2 2 2C3 2 4 3 4 4Z'/>")));
    expect_same(only_outline(equation_inside("<path d='M-.5-1.5L.25.75Z'/>")),
                only_outline(equation_inside("<path d='M-0.5,-1.5 L0.25,0.75Z'/>")));
}

TEST(EquationPaths, CloseWhatIsLeftOpen) {
    expect_same(only_outline(equation_inside("<path d='M1 1H5V5'/>")),
                only_outline(equation_inside("<path d='M1 1H5V5Z'/>")));
}

TEST(EquationPaths, KeepEveryMarkApartAndLetTheOuterOneEncloseTheInner) {
    const EquationPaths paths = equation_inside(
        "<g id='page1'><g class='scores'><rect x='1' y='1' width='2' height='1'/><g class='q'><path d='M5 5H8V8Z'/></g>"
        "</g><g class='q'><path d='M0 9H1V10Z'/></g></g>");
    ASSERT_EQ(paths.parts.size(), 4U);
    EXPECT_EQ(paths.parts[0].symbol, "");
    EXPECT_TRUE(paths.parts[0].outlines.empty());
    EXPECT_EQ(paths.parts[1].symbol, "scores");
    EXPECT_EQ(paths.parts[1].box, (Rect{1, 1, 8, 8}));
    EXPECT_EQ(paths.parts[2].symbol, "q");
    EXPECT_EQ(paths.parts[2].box, (Rect{5, 5, 8, 8}));
    EXPECT_EQ(paths.parts[3].symbol, "q");
    EXPECT_TRUE(only_outline({{}, {paths.parts[1]}}).is_rule);
}

TEST(EquationPaths, RefuseWhatTheyDoNotKnowAndNameTheFile) {
    for (const char* const inside :
         {"<path d='m1 1l2 2z'/>", "<path d='M0 0A5 5 0 0 1 9 9Z'/>", "<path d='L1 1'/>", "<path d='1 1'/>",
          "<path d='M1'/>", "<path d='M1 nan'/>", "<path d=''/>", "<path/>", "<path d='M0 0' transform='scale(2)'/>",
          "<path d='M0 0' style='fill:red'/>", "<circle r='3'/>", "<use href='#a'/>", "<g class='q'>", "</g>", "words",
          "<rect x='1' y='1' width='1'/>", "<g class=q></g>", "<path d='M0 0'"}) {
        try {
            equation_inside(inside);
            ADD_FAILURE() << inside << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("some.svg"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("./dev equations"), std::string::npos) << error.what();
        }
    }
    for (const char* const svg : {"", "<svg></svg>", "<svg viewBox='0 0'></svg>", "<path d='M0 0H1V1Z'/>"})
        EXPECT_THROW(parse_equation(svg, "some.svg"), Error) << svg;
}

TEST(EquationPaths, WrittenAsAPathReadTheSame) {
    const Outline outline = only_outline(equation_inside("<path d='M1.25 2H5.5C6 2 7 3 7-4.5Z'/>"));
    expect_same(only_outline(equation_inside("<path d='" + path_data(outline, {0, 0}, 1) + "'/>")), outline);
    const Outline moved = only_outline(equation_inside("<path d='" + path_data(outline, {10, 20}, 2) + "'/>"));
    EXPECT_NEAR(moved.box.x0, 10 + 2 * outline.box.x0, 0.01);
    EXPECT_NEAR(moved.box.y1, 20 + 2 * outline.box.y1, 0.01);
}

}  // namespace
}  // namespace vitrine
