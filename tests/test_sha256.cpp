#include <fstream>
#include <vector>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

// The examples of FIPS 180-2, appendix B, and of the empty word.

TEST(Sha256, IsThatOfTheStandardsExamples) {
    EXPECT_EQ(sha256(std::string()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(std::string("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheBytesCome) {
    std::vector<std::uint8_t> bytes(1000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
    for (const std::size_t length : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 128U, 1000U}) {
        const std::span<const std::uint8_t> whole = std::span(bytes).first(length);
        for (const std::size_t step : {1U, 7U, 63U, 64U, 65U}) {
            Sha256 hash;
            for (std::size_t at = 0; at < length; at += step) hash.add(whole.subspan(at, std::min(step, length - at)));
            EXPECT_EQ(hash.digits(), sha256(whole)) << length << " in steps of " << step;
        }
    }
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
    const TestFolder folder;
    const std::string words(3'000'001, 'x');
    std::ofstream(folder / "file") << words;
    EXPECT_EQ(sha256_of_file(folder / "file"), sha256(words));
    EXPECT_THROW(sha256_of_file(folder / "none"), Error);
    EXPECT_THROW(sha256_of_file(folder.path()), Error);
}

}  // namespace
}  // namespace vitrine
