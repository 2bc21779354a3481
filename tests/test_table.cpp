#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/files/safetensors.h"
#include "core/files/table.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Table, AsTextAMatrixHasItsNamesAlongBothSides) {
    const Table t{"lens", {"level", "class"}, {2, 2}, {1.5F, -2, 0.1F, 1e-9F}, {{}, {"cat", "a \"mug\", blue"}}};
    EXPECT_EQ(to_text(t, ','), "level,cat,\"a \"\"mug\"\", blue\"\n0,1.5,-2\n1,0.1,1e-09\n");
    EXPECT_EQ(to_text(t, '\t'), "level\tcat\t\"a \"\"mug\"\", blue\"\n0\t1.5\t-2\n1\t0.1\t1e-09\n");
}

TEST(Table, AsTextALabelThatASpreadsheetWouldComputeIsWords) {
    const std::vector<std::string> labels = {
        "=cmd|' /C calc'!A0", "+1+1", "-x", "@sum", " =1", "＝1", "-0.5", "cat", ""};
    const Table t{"x", {"class"}, {labels.size()}, std::vector<float>(labels.size(), 1), {labels}};
    const std::string csv = "class,x\n'=cmd|' /C calc'!A0,1\n'+1+1,1\n'-x,1\n'@sum,1\n' =1,1\n'＝1,1\n";
    EXPECT_EQ(to_text(t, ','), csv + "-0.5,1\ncat,1\n,1\n");
}

TEST(Table, AsTextAVectorIsAColumnAndMoreAxesStandInFront) {
    EXPECT_EQ(to_text({"q", {"token"}, {2}, {1, 2}, {}}, ','), "token,q\n0,1\n1,2\n");
    const Table cube{"cube", {"block", "row", "column"}, {2, 2, 1}, {1, 2, 3, 4}, {{"1", "2"}, {}, {}}};
    EXPECT_EQ(to_text(cube, ','), "block,row,0\n1,0,1\n1,1,2\n2,0,3\n2,1,4\n");
}

TEST(Table, AsTextEveryFloatComesBack) {
    const std::vector<float> values = {0.1F, 1.0F / 3, std::nextafter(1.0F, 2.0F), 1.17549435e-38F, 3.4e38F};
    const std::string text = to_text({"x", {"i"}, {values.size()}, values, {}}, ',');
    std::size_t at = text.find('\n') + 1;
    for (const float value : values) {
        EXPECT_EQ(std::stof(text.substr(text.find(',', at) + 1)), value);
        at = text.find('\n', at) + 1;
    }
    EXPECT_EQ(to_text({"x", {"i"}, {2}, {NAN, -INFINITY}, {}}, ','), "i,x\n0,\n1,-inf\n");
}

TEST(Table, AMissingNumberIsAnEmptyCellInTextAndNanInNumPysFile) {
    const Table t{"x", {"i", "j"}, {2, 2}, {1, NAN, NAN, 2}, {}};
    EXPECT_EQ(to_text(t, ','), "i,0,1\n0,1,\n1,,2\n");
    EXPECT_EQ(to_text(t, '\t'), "i\t0\t1\n0\t1\t\n1\t\t2\n");
    float second = 0;
    const std::string npy = to_npy(t);
    std::memcpy(&second, npy.data() + npy.size() - 3 * sizeof(float), sizeof second);
    EXPECT_TRUE(std::isnan(second));
}

TEST(Table, AsNpyHasNumPysHeaderAndTheVeryBytes) {
    const Table t{"x", {"a", "b", "c"}, {1, 2, 3}, {1, 2, 3, 4, 5, 6}, {}};
    const std::string npy = to_npy(t);
    ASSERT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
    const std::size_t header = static_cast<unsigned char>(npy[8]) + 256U * static_cast<unsigned char>(npy[9]);
    EXPECT_EQ((10 + header) % 64, 0U);
    EXPECT_EQ(npy[10 + header - 1], '\n');
    EXPECT_NE(npy.find("'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3, ), "), std::string::npos);
    ASSERT_EQ(npy.size(), 10 + header + 24);
    EXPECT_EQ(std::memcmp(npy.data() + 10 + header, t.values.data(), 24), 0);
}

TEST(Table, IsWrittenWholeAndRefusesAFolderThatIsNotThere) {
    const TestFolder folder;
    const Table t{"rollout", {"a", "b"}, {2, 1}, {0.25F, 0.75F}, {}};
    write_table(folder / "t.safetensors", t, TableFormat::safetensors);
    const Safetensors file = Safetensors::open(folder / "t.safetensors");
    EXPECT_EQ(file.entries().at("rollout").shape, t.shape);
    EXPECT_EQ(file.floats("rollout").get()[1], 0.75F);
    write_table(folder / "t.csv", t, TableFormat::csv);
    std::ifstream in(folder / "t.csv");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), to_text(t, ','));
    EXPECT_THROW(write_table(folder / "none" / "t.npy", t, TableFormat::npy), std::runtime_error);
}

}  // namespace
}  // namespace vitrine
