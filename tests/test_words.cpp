#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "core/words/contrast.h"
#include "core/words/letters.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"

// Words beside images: tokens, text towers and nearness of CLIP and SigLIP, against tests/golden/make_words.py.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path words_folder = golden_folder / "words";

std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json golden_tokens() {
    std::ifstream in(words_folder / "tokens.json");
    return nlohmann::json::parse(in);
}

Tokeniser tokeniser_of(const std::string& kind) {
    if (kind == "siglip") return Tokeniser(SentencePieces::of_folder(words_folder / kind));
    return Tokeniser(BytePairs::of_folder(words_folder / kind));
}

void expect_golden_tokens(const std::string& kind, const Tokeniser& tokeniser) {
    const nlohmann::json golden = golden_tokens();
    for (std::size_t i = 0; i < golden["texts"].size(); ++i) {
        const std::string text = golden["texts"][i];
        const TowerTokens tokens = tokeniser(text, golden["context"][kind]);
        EXPECT_EQ(tokens.numbers, golden[kind][i].get<std::vector<int>>()) << kind << ": " << text;
        EXPECT_EQ(tokens.pieces.size(), tokens.numbers.size());
        EXPECT_EQ(tokens.read, static_cast<int>(tokens.numbers.size()) - 1);
    }
}

TEST(Words, BytePairsAgreeWithAnIndependentEncoderFromAllFilesThatHubsHave) {
    expect_golden_tokens("clip", tokeniser_of("clip"));
    expect_golden_tokens("clip", Tokeniser(BytePairs::of_folder(words_folder / "tokenizer_lines")));
    expect_golden_tokens("clip", Tokeniser(BytePairs::of_folder(words_folder / "tokenizer_pairs")));
}

TEST(Words, PiecesAgreeWithSentencePiece) { expect_golden_tokens("siglip", tokeniser_of("siglip")); }

TEST(Words, PairsOverAWholeTextAgreeWithAnIndependentEncoder) {
    const Tokeniser tokeniser = Tokeniser::of_folder(words_folder / "siglip2", false);
    const nlohmann::json golden = golden_tokens();
    std::vector<std::string> texts = golden["texts"];
    for (const std::string more : golden["more"]) texts.push_back(more);
    ASSERT_EQ(golden["siglip2"].size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const TowerTokens tokens = tokeniser(texts[i], golden["context"]["siglip2"]);
        EXPECT_EQ(tokens.numbers, golden["siglip2"][i].get<std::vector<int>>()) << texts[i];
        EXPECT_EQ(tokens.read, static_cast<int>(tokens.numbers.size()) - 1) << "the last token is read";
    }
    const TowerTokens bytes = tokeniser("\xF0\x9F\x90\x95", 8);
    EXPECT_EQ(bytes.pieces[0], "<0xF0>") << "a letter without a piece is its bytes";
    EXPECT_EQ(bytes.pieces[4], "<eos>");
    EXPECT_EQ(bytes.pieces[7], "<pad>");
    EXPECT_EQ(tokeniser(std::string(16000, 'a'), 8).numbers.size(), 8U) << "in little time";
}

TEST(Words, PartsOfATokenizerThatVitrineDoesNotReadAreRefusedInASentence) {
    const std::string file = content_of(words_folder / "siglip2/tokenizer.json");
    const auto said = [](const std::string& content) -> std::string {
        const TestFolder folder;
        std::ofstream(folder / "tokenizer.json", std::ios::binary) << content;
        try {
            const Tokeniser read = Tokeniser::of_folder(folder.path(), false);
            for (const int number : read("A dog, a ﬁne Ａpple 犬 ½<eos>", 12).numbers) EXPECT_LT(number, read.size());
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    ASSERT_EQ(said(file), "");
    const auto changed = [&](const std::vector<std::string>& path, const nlohmann::json& value) {
        nlohmann::json json = nlohmann::json::parse(file);
        nlohmann::json* at = &json;
        for (const std::string& key : path) at = &(*at)[key];
        *at = value;
        return said(json.dump());
    };
    EXPECT_EQ(changed({"normalizer"}, nullptr), "");
    EXPECT_EQ(changed({"pre_tokenizer"}, nullptr), "");
    EXPECT_EQ(changed({"post_processor"}, nullptr), "");
    EXPECT_NE(changed({"model", "type"}, "Unigram").find("\"model.type\" is \"Unigram\""), std::string::npos);
    EXPECT_NE(changed({"model", "byte_fallback"}, false).find("byte_fallback"), std::string::npos);
    EXPECT_NE(changed({"model", "end_of_word_suffix"}, "</w>").find("end_of_word_suffix"), std::string::npos);
    EXPECT_NE(changed({"normalizer", "type"}, "NFKC").find("\"NFKC\""), std::string::npos);
    EXPECT_NE(changed({"pre_tokenizer", "type"}, "ByteLevel").find("\"ByteLevel\""), std::string::npos);
    EXPECT_NE(changed({"post_processor", "type"}, "ByteLevel").find("post_processor"), std::string::npos);
    EXPECT_NE(changed({"model", "vocab"}, nlohmann::json::object()).find("has no number"), std::string::npos);
    EXPECT_NE(changed({"model", "merges"}, {7}).find("not a pair of pieces"), std::string::npos);
    EXPECT_NE(changed({"added_tokens"}, {{{"content", ""}, {"id", 1}}}).find("is empty"), std::string::npos);
    EXPECT_NE(changed({"added_tokens"}, {{{"content", "x"}, {"id", -1}}}).find("whole number"), std::string::npos);
    for (std::size_t i = 0; i < file.size(); i += 11) {  // no byte makes it crash, opened or not
        std::string broken = file;
        broken[i] = static_cast<char>(broken[i] ^ 0x05);
        said(broken);
    }
}

TEST(Words, ATextThatIsTooLongIsCutAndSaysSo) {
    for (const std::string kind : {"clip", "siglip"}) {
        const Tokeniser tokeniser = tokeniser_of(kind);
        const TowerTokens whole = tokeniser("a dog", 12), cut = tokeniser("a dog and a cat and a dog and a cat", 5);
        EXPECT_FALSE(whole.cut);
        EXPECT_TRUE(cut.cut);
        EXPECT_EQ(cut.numbers.size(), 5U);
        EXPECT_EQ(cut.numbers.back(), whole.numbers.back()) << "the end's token stays";
        EXPECT_THROW(tokeniser(std::string(20000, 'a'), 12), Error);
    }
}

TEST(Words, LettersHaveTheClassesOfUnicode) {
    EXPECT_TRUE(is_letter_of_script(U'a') && is_letter_of_script(U'é') && is_letter_of_script(U'犬'));
    EXPECT_FALSE(is_letter_of_script(U'1') || is_letter_of_script(U'!') || is_letter_of_script(0x1F415));
    EXPECT_TRUE(is_number_of_script(U'7') && is_number_of_script(U'½') && is_number_of_script(0x2167));
    EXPECT_EQ(small_letter(U'Å'), U'å');
    EXPECT_EQ(small_letter(U'Ж'), U'ж');
    EXPECT_EQ(small_letter(0x0100), char32_t{0x0101});
    EXPECT_EQ(small_letter(0x0101), char32_t{0x0101});
    EXPECT_EQ(small_letter(U'犬'), U'犬');
    EXPECT_TRUE(is_white(U'\t') && is_white(0x3000));
    EXPECT_FALSE(is_white(0x200B));
    EXPECT_EQ(in_small_letters(U"AİÉ"), U"ai\u0307é");
}

TEST(Words, AccentsAndPartsOfSyllablesAreComposedAsUnicodeWritesThem) {
    // Left and right as Python's unicodedata.normalize("NFC", …) has them.
    EXPECT_EQ(composed(U"e\u0301 a\u030A o\u0323\u0302 x\u0301 \u0301"), U"é å ộ x\u0301 \u0301");
    EXPECT_EQ(composed(U"\u03B1\u0301 \u0438\u0306"), U"ά й");
    EXPECT_EQ(composed(U"\u1112\u1161\u11AB\u1100\u1173\u11AF \uAC00\u11A8 \u1161"), U"한글 각 \u1161");
    const Tokeniser clip = tokeniser_of("clip"), siglip = tokeniser_of("siglip");
    EXPECT_EQ(clip("cafe\u0301", 12).numbers, clip("caf\u00E9", 12).numbers);
    EXPECT_NE(siglip("cafe\u0301", 12).numbers, siglip("caf\u00E9", 12).numbers) << "SigLIP composes nothing";
}

/// What opening a tokeniser of a folder with these files says; "" if it opens.
std::string refusal_of_words(const std::string& kind, const std::map<std::string, std::string>& files) {
    const TestFolder folder;
    for (const auto& [name, content] : files) std::ofstream(folder / name, std::ios::binary) << content;
    try {
        if (kind == "siglip")
            SentencePieces::of_folder(folder.path());
        else
            BytePairs::of_folder(folder.path());
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Words, HostileVocabulariesAreRefusedInASentence) {
    const std::string vocabulary = content_of(words_folder / "clip/vocab.json"),
                      merges = content_of(words_folder / "clip/merges.txt");
    ASSERT_EQ(refusal_of_words("clip", {{"vocab.json", vocabulary}, {"merges.txt", merges}}), "");
    const std::vector<std::pair<std::map<std::string, std::string>, std::string>> cases = {
        {{}, "words need vocab.json and merges.txt, or tokenizer.json"},
        {{{"vocab.json", vocabulary}}, "words need vocab.json and merges.txt"},
        {{{"vocab.json", "[1]"}, {"merges.txt", merges}}, "this is not a JSON object"},
        {{{"vocab.json", "{\"a\": -1}"}, {"merges.txt", merges}}, "is not a whole number from 0 on"},
        {{{"vocab.json", "{\"a\": 1e300}"}, {"merges.txt", merges}}, "is not a whole number from 0 on"},
        {{{"vocab.json", "{\"a\": 1}"}, {"merges.txt", merges}}, "has no number in its vocabulary"},
        {{{"vocab.json", vocabulary}, {"merges.txt", "abc\n"}}, "\"abc\" is not a pair of pieces"},
        {{{"vocab.json", vocabulary}, {"merges.txt", "a b c\n"}}, "is not a pair of pieces"},
        {{{"vocab.json", vocabulary}, {"merges.txt", "qq zz\n"}}, "\"qqzz\" has no number"},
        {{{"tokenizer.json", std::string(1000, '[')}}, "nests more deeply"},
        {{{"tokenizer.json", "{\"model\": 3}"}}, "not a byte-pair encoding"},
        {{{"tokenizer.json", "{\"model\": {\"vocab\": [], \"merges\": []}}"}}, "its vocabulary is not a JSON object"},
        {{{"tokenizer.json", "{\"model\": {\"vocab\": {}, \"merges\": [7]}}"}}, "is not a pair of pieces"},
    };
    for (const auto& [files, words] : cases) {
        const std::string said = refusal_of_words("clip", files);
        EXPECT_NE(said.find(words), std::string::npos) << words << ": " << said;
    }
}

TEST(Words, HostileSentencePieceModelsAreRefusedInASentenceWhateverByteIsWrong) {
    const std::string good = content_of(words_folder / "siglip/spiece.model");
    ASSERT_EQ(refusal_of_words("siglip", {{"spiece.model", good}}), "");
    ASSERT_EQ(refusal_of_words("siglip", {{"tokenizer.model", good}}), "");
    EXPECT_NE(refusal_of_words("siglip", {}).find("spiece.model or tokenizer.model"), std::string::npos);
    EXPECT_NE(refusal_of_words("siglip", {{"spiece.model", ""}}).find("lacks pieces"), std::string::npos);
    EXPECT_NE(refusal_of_words("siglip", {{"spiece.model", good.substr(0, 100)}}).find("not a whole"),
              std::string::npos);
    const std::string pairs("\x12\x02\x18\x02", 4), bytes("\x12\x03\x98\x02\x01", 5);
    EXPECT_NE(refusal_of_words("siglip", {{"spiece.model", good + pairs}}).find("is not a unigram model"),
              std::string::npos);
    EXPECT_NE(refusal_of_words("siglip", {{"spiece.model", good + bytes}}).find("unknown letters as bytes"),
              std::string::npos);
    for (std::size_t i = 0; i < good.size(); ++i) {  // no byte makes it crash, opened or not
        std::string broken = good;
        broken[i] = static_cast<char>(broken[i] ^ 0x81);
        try {
            const SentencePieces pieces({reinterpret_cast<const std::uint8_t*>(broken.data()), broken.size()}, "model");
            for (const int number : pieces.encode("A dog, a ﬁne Ａpple 犬 ½")) EXPECT_LT(number, pieces.size());
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).rfind("model: ", 0), 0U) << error.what();
        }
    }
}

Model opened_words_model(const std::string& kind) { return load_model(words_folder / kind); }

TEST(Words, TheContrastiveLossIsFiniteAtAnyTemperature) {
    Tensor2 cosines = tensor2(2, 2);
    cosines(0, 0) = cosines(1, 1) = -1;  // each image and its own text point in opposite directions
    cosines(0, 1) = cosines(1, 0) = 1;
    const Contrast c = contrast_of(cosines, {.scale = 1000});
    EXPECT_DOUBLE_EQ(c.loss, 2000);
}

TEST(Words, EveryActivationOfATextTowerAgreesWithPyTorch) {
    for (const std::string kind : {"clip", "siglip"}) {
        const TextTower tower = open_text_tower(opened_words_model(kind));
        EXPECT_EQ(tower.causal, kind == "clip");
        EXPECT_EQ(tower.config.blocks, 2);
        GoldenFile golden("words/expected/" + kind + ".safetensors");
        const std::vector<std::string> texts = golden_tokens()["texts"];
        for (const std::size_t text : {0, 2, 5}) {
            const TowerTrace t = run_text_tower(tower, (*tower.read)(texts[text], tower.context));
            const auto expect_alike = [&](const std::string& name, const auto& tensor) {
                const std::span<const float> expected = golden[std::to_string(text) + "." + name];
                ASSERT_EQ(expected.size(), tensor.size()) << kind << " " << name;
                EXPECT_LT(difference(tensor.data(), expected.data(), expected.size()), 1e-4) << kind << " " << name;
            };
            expect_alike("z.0", t.z(0));
            for (int block = 1; block <= t.blocks(); ++block) {
                const std::string front = "block." + std::to_string(block) + ".";
                const auto b = t.block(block);
                expect_alike(front + "q", b->q);
                expect_alike(front + "attention", b->attention);
                expect_alike(front + "msa", b->msa);
                expect_alike(front + "residual", b->residual);
                expect_alike(front + "hidden", b->mlp.hidden);
                expect_alike(front + "mlp", b->mlp.out);
                expect_alike(front + "z", *b->z);
            }
            expect_alike("norm", t.norm.out);
            expect_alike("features", t.features);
        }
        const Tensor2 features = features_of_texts(tower, texts);
        const std::span<const float> expected = golden["features"];
        ASSERT_EQ(expected.size(), features.size());
        EXPECT_LT(difference(features.data(), expected.data(), expected.size()), 1e-4) << kind;
    }
}

TEST(Words, NearnessOfTheImageAndOfEachPatchAgreesWithThePapers) {
    for (const std::string kind : {"clip", "siglip"}) {
        const Model model = opened_words_model(kind);
        const TextTower tower = open_text_tower(model);
        GoldenFile golden("words/expected/" + kind + ".safetensors");
        Tensor3 image = tensor3(3, 32, 32);
        std::copy_n(golden["image"].data(), image.size(), image.data());
        const Nearness n =
            nearness_of(model, forward(model, image), tower, features_of_texts(tower, golden_tokens()["texts"]));
        const auto expect_alike = [&](const char* name, const float* got, std::size_t count) {
            ASSERT_EQ(golden[name].size(), count) << kind << " " << name;
            EXPECT_LT(difference(got, golden[name].data(), count), 1e-4) << kind << " " << name;
        };
        expect_alike("cosine", n.cosine.data(), n.cosine.size());
        expect_alike("logit", n.logit.data(), n.logit.size());
        expect_alike("probability", n.probability.data(), n.probability.size());
        expect_alike("patches", n.patches.data(), n.patches.size());
    }
}

TEST(Words, TowersInOpenClipsNamesAgreeWithPyTorch) {
    for (const std::string kind : {"clip", "siglip"}) {
        const TestFolder folder;
        fs::copy_file(words_folder / ("open_" + kind) / "model.safetensors", folder / "model.safetensors");
        for (const char* const file : {"vocab.json", "merges.txt", "spiece.model"})
            if (fs::exists(words_folder / kind / file)) fs::copy_file(words_folder / kind / file, folder / file);
        // Heads of 64 numbers where nothing says how many there are; those of the test are smaller.
        std::ofstream(folder / "config.json")
            << R"({"num_attention_heads": 4, "text_config": {"num_attention_heads": 3}})";
        const Model model = load_model(folder.path());
        const TextTower tower = open_text_tower(model), same = open_text_tower(opened_words_model(kind));
        EXPECT_EQ(tower.causal, kind == "clip");
        EXPECT_EQ(tower.scale, same.scale);
        EXPECT_EQ(tower.bias, same.bias);
        EXPECT_EQ(tower.config.activation, Activation::gelu);
        GoldenFile golden("words/expected/open_" + kind + ".safetensors");
        const Tensor2 features = features_of_texts(tower, golden_tokens()["texts"]);
        ASSERT_EQ(golden["features"].size(), features.size());
        EXPECT_LT(difference(features.data(), golden["features"].data(), features.size()), 1e-4) << kind;
    }
}

TEST(Words, ATowerThatReadsAClassTokenIsRefused) {
    const TestFolder folder;
    std::string whole = content_of(words_folder / "open_siglip/model.safetensors");
    const std::string taken = "\"text.ln_final.bias\"", given = "\"text.cls_emb\"      ";
    ASSERT_EQ(taken.size(), given.size());
    whole.replace(whole.find(taken), taken.size(), given);
    std::ofstream(folder / "model.safetensors", std::ios::binary) << whole;
    std::ofstream(folder / "config.json") << R"({"num_attention_heads": 4})";
    try {
        open_text_tower(load_model(folder.path()));
        ADD_FAILURE() << "it is read as SigLIP's";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("class token"), std::string::npos) << error.what();
    }
}

TEST(Words, LossesOfBatchesAgreeWithPyTorch) {
    for (const std::string kind : {"clip", "siglip"}) {
        GoldenFile golden("words/expected/" + kind + ".safetensors");
        const auto tensor_of = [&](const char* name) {
            Tensor2 t = tensor2(5, golden[name].size() / 5);
            std::copy_n(golden[name].data(), t.size(), t.data());
            return t;
        };
        const Tensor2 cosines = cosines_between(tensor_of("contrast.images"), tensor_of("contrast.texts"));
        const Contrast c = contrast_of(cosines, scale_of(open_text_tower(opened_words_model(kind))));
        const auto expect_alike = [&](const char* name, const Tensor2& got) {
            ASSERT_EQ(golden[name].size(), got.size()) << kind << " " << name;
            EXPECT_LT(difference(got.data(), golden[name].data(), got.size()), 1e-4) << kind << " " << name;
        };
        expect_alike("contrast.logits", c.logits);
        expect_alike("contrast.by_image", c.by_image);
        if (kind == "clip") expect_alike("contrast.by_text", c.by_text);
        EXPECT_EQ(c.by_text.size() == 0, kind == "siglip");
        EXPECT_NEAR(c.loss, static_cast<double>(golden["contrast.loss"][0]), 1e-5) << kind;
    }
}

TEST(Words, TheLossOfEqualCosinesIsThatOfAGuessAtAnyTemperature) {
    Tensor2 cosines = tensor2(4, 4);
    cosines.fill(0.3F);
    for (const float scale : {0.01F, 14.0F, 1e4F}) {
        const Contrast c = contrast_of(cosines, {scale, {}});
        EXPECT_NEAR(c.loss, std::log(4.0), 1e-6);
        EXPECT_NEAR(c.by_image(2, 1), 0.25, 1e-6);
        EXPECT_NEAR(c.by_text(2, 1), 0.25, 1e-6);
    }
    for (std::size_t i = 0; i < 4; ++i) cosines(i, i) = 1;
    EXPECT_NEAR(contrast_of(cosines, {1e5F, {}}).loss, 0, 1e-6) << "sure and correct";
    EXPECT_TRUE(std::isfinite(contrast_of(cosines, {1e30F, -1e30F}).loss)) << "no overflow";
}

TEST(Words, NoTokenOfClipSeesALaterOneAndEverySiglipTokenSeesAll) {
    for (const std::string kind : {"clip", "siglip"}) {
        const TextTower tower = open_text_tower(opened_words_model(kind));
        const TowerTrace t = run_text_tower(tower, (*tower.read)("a dog on a sofa", tower.context));
        EXPECT_EQ(t.block(1)->attention(0, 0, 1) == 0, kind == "clip");
    }
}

TEST(Words, AModelWithoutATextTowerOrTokeniserIsRefusedInASentence) {
    const auto said = [](const Model& model) -> std::string {
        try {
            open_text_tower(model);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(said(load_model(golden_folder / "families/hf_clip_vision")).find("has no text tower"), std::string::npos);
    EXPECT_NE(said(Model{}).find("has no text tower"), std::string::npos);
    const TestFolder folder;
    for (const char* const file : {"config.json", "model.safetensors"})
        fs::copy_file(words_folder / "clip" / file, folder / file);
    EXPECT_NE(said(load_model(folder.path())).find("words need vocab.json"), std::string::npos);
    fs::copy_file(words_folder / "clip/vocab.json", folder / "vocab.json");
    fs::copy_file(words_folder / "clip/merges.txt", folder / "merges.txt");
    EXPECT_EQ(said(load_model(folder.path())), "");
    nlohmann::json config = nlohmann::json::parse(content_of(folder / "config.json"));
    config["text_config"]["num_attention_heads"] = 7;
    std::ofstream(folder / "config.json") << config;
    EXPECT_NE(said(load_model(folder.path())).find("should divide the width 24"), std::string::npos);
    EXPECT_NE(said(load_model(golden_folder / "families/hf_clip")), "") << "two tensors are no tower";
}

TEST(Words, ATextTowerThatLacksATensorIsRefusedWithItsName) {
    const TestFolder folder;
    for (const char* const file : {"config.json", "vocab.json", "merges.txt"})
        fs::copy_file(words_folder / "clip" / file, folder / file);
    const std::string whole = content_of(words_folder / "clip/model.safetensors");
    for (const std::string name : {"text_model.final_layer_norm.weight", "text_projection.weight", "logit_scale",
                                   "text_model.encoder.layers.1.mlp.fc2.bias"}) {
        std::string broken = whole;
        const std::size_t at = broken.find('"' + name + '"');
        ASSERT_NE(at, std::string::npos) << name;
        broken[at + 1] = 'z';
        std::ofstream(folder / "model.safetensors", std::ios::binary) << broken;
        try {
            open_text_tower(load_model(folder.path()));
            ADD_FAILURE() << name << " is missing and nothing says so";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find('"' + name + "\" is missing"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace vitrine
