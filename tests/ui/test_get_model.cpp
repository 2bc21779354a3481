#include <stdlib.h>

#include "app/jobs/fetching.h"
#include "app/library/hub_models.h"
#include "app/rooms/room.h"
#include "tests/hub_server.h"
#include "tests/photo_models.h"
#include "tests/ui/harness.h"

// The dialog "Get a model", against a hub of our own.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr const char* tiny = "facebook/deit-tiny-patch16-224";
const std::string tiny_row = std::string("get_model.row.") + tiny;

/// A hub that the window asks, with a small model of ours under some names.
struct HubOfTheWindow {
    HubServer hub;

    explicit HubOfTheWindow(const std::vector<std::string>& models = {tiny}) {
        const fs::path small = VITRINE_SOURCE "/assets/pictograms-small";
        for (const std::string& model : models)
            for (const char* const file : {"config.json", "model.safetensors", "preprocessor_config.json"})
                hub.add(model, {{file, read(small / file)}});
        setenv("HF_ENDPOINT", hub.settings.endpoint.c_str(), 1);
        setenv("HF_HUB_CACHE", hub.settings.cache.c_str(), 1);
        setenv("HF_TOKEN", "secret", 1);
    }
    ~HubOfTheWindow() {
        for (const char* const name : {"HF_ENDPOINT", "HF_HUB_CACHE", "HF_TOKEN"}) unsetenv(name);
    }
};

void open_get_model(Harness& h) {
    h.carry_out(command::ShowDialog{"get_model"});
    h.settle();
}

TEST(GetModel, OffersSmallModelsFirstWithWordsInEveryLanguage) {
    double before = 0;
    ASSERT_GE(hub_models().size(), 10U);
    for (const HubModel& row : hub_models()) {
        EXPECT_TRUE(hub_name(row.model)) << row.model;
        EXPECT_GE(row.megabytes, before) << row.model;
        EXPECT_NEAR(row.megabytes, 4 * row.million_weights, 0.03 * row.megabytes) << row.model << ": 4 bytes a weight";
        EXPECT_FALSE(row.licence.empty()) << row.model;
        before = row.megabytes;
        for (const char* const language : {"en", "ja", "ko"})
            EXPECT_FALSE(load_text(language)("get_model.for." + row.purpose).empty()) << row.purpose;
    }
}

TEST(GetModel, AWholeVisitAsksNothingOfTheHub) {
    const HubOfTheWindow of;
    Harness h;
    for (const Room& room : rooms()) {
        h.carry_out(command::EnterRoom{std::string(room.id)});
        h.settle();
    }
    h.carry_out(command::EnterRoom{"explore"});
    for (const char* const dialog : {"start", "find", "open_model", "help", "get_model"}) {
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
    }
    for (const HubModel& row : hub_models()) {
        const Rect rect = h.item("get_model.row." + row.model).rect;
        h.input.move(rect.centre().x, rect.centre().y);
        h.frame(3);
    }
    h.tap("get_model.input");
    h.type(tiny);
    h.tap("get_model.copy");
    h.press(Key::escape);
    EXPECT_FALSE(h.app->context().jobs().has<Fetching>());
    EXPECT_TRUE(of.hub.requests().empty());
}

TEST(GetModel, TheListHasColumnsAndNoRowIsCut) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        const HubOfTheWindow of;
        Harness h({}, size);
        open_get_model(h);
        h.frame(3);
        const Rect list = h.item("get_model.list").rect;
        float edge = -1;
        for (const HubModel& row : hub_models()) {
            const auto& item = h.item("get_model.row." + row.model);
            const bool apart = item.rect.y1 <= list.y1 + 0.5F || item.rect.y0 >= list.y1 - 0.5F;
            EXPECT_TRUE(apart) << row.model << " is cut";
            const Rect weights = h.item("get_model.row." + row.model + ".weights").rect;
            EXPECT_EQ(weights.x1, edge < 0 ? weights.x1 : edge);
            edge = weights.x1;
        }
    }
}

TEST(GetModel, AnUnreachedHubIsToldInTheWindowsLanguage) {
    const HubOfTheWindow of;
    setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
    Opening opening = Harness::with_image("cat");
    opening.state.settings.language = "ja";
    Harness h(std::move(opening));
    open_get_model(h);
    h.tap(tiny_row);
    h.settle();
    h.frame(3);
    const std::string told = h.item("get_model.failure").text;
    EXPECT_TRUE(told.starts_with("http://127.0.0.1:1：Hub に接続できません")) << told;
}

TEST(GetModel, OneClickAsksAnotherFetchesAndTheModelOpens) {
    const HubOfTheWindow of;
    Harness h;
    open_get_model(h);
    EXPECT_TRUE(h.shows("get_model.without")) << "what to do where there is no network";
    h.tap(tiny_row);
    ASSERT_TRUE(h.shows("get_model.offer"));
    EXPECT_NE(h.item("get_model.offer").text.find("config.json, preprocessor_config.json, model.safetensors. 0.3 MB"),
              std::string::npos)
        << h.item("get_model.offer").text;
    for (const auto& row : of.hub.requests())
        EXPECT_TRUE(row["path"].get<std::string>().starts_with("/api/")) << "nothing is fetched yet: " << row;
    h.tap("get_model.fetch");
    h.settle();
    EXPECT_EQ(h.app->state().dialog, "");
    EXPECT_EQ(h.result().model->provenance.name, tiny);
    EXPECT_EQ(h.app->state().error, "");

    // It is there from then on, without a request.
    of.hub.forget_requests();
    h.carry_out(command::OpenModel{});
    h.settle();
    open_get_model(h);
    EXPECT_EQ(h.item(tiny_row + ".aside").value, 1);
    EXPECT_EQ(h.item(tiny_row + ".aside").text.rfind("Downloaded", 0), 0U);
    h.tap(tiny_row);
    EXPECT_EQ(h.result().model->provenance.name, tiny);
    EXPECT_TRUE(of.hub.requests().empty());
}

TEST(GetModel, AnyNameCanBeTypedAndTheKeyOpensTheDialog) {
    const HubOfTheWindow of({"plain/book"});
    Harness h;
    h.input.key(glfw_number(Key::shift), true);
    h.press(Key::m, Key::ctrl);
    h.input.key(glfw_number(Key::shift), false);
    EXPECT_EQ(h.app->state().dialog, "get_model");
    h.tap("get_model.input");
    h.type("book");
    h.tap("get_model.ask");
    EXPECT_TRUE(of.hub.requests().empty()) << "that is no name on the hub";
    h.tap("get_model.input");
    h.press(Key::a, Key::ctrl);
    h.type("plain/book@v1.0");
    h.tap("get_model.ask");
    h.tap("get_model.fetch");
    h.settle();
    EXPECT_EQ(h.result().model->provenance.name, "plain/book");
}

TEST(GetModel, AFailureIsASentenceWithWhatToDoInstead) {
    const HubOfTheWindow of({"gated/book"});
    Harness h;
    open_get_model(h);
    h.tap("get_model.input");
    h.type("gated/book");
    h.tap("get_model.ask");
    EXPECT_NE(h.item("get_model.failure").text.find("accept them on its page"), std::string::npos);
    EXPECT_EQ(h.item("get_model.failure").text.find("secret"), std::string::npos);
    EXPECT_NE(h.item("get_model.without").text.find("/gated/book/tree/main"), std::string::npos);
    EXPECT_NE(h.item("get_model.without").text.find(of.hub.settings.cache.string()), std::string::npos);
    setenv("HF_HUB_OFFLINE", "1", 1);
    of.hub.forget_requests();
    h.tap(tiny_row);
    unsetenv("HF_HUB_OFFLINE");
    EXPECT_NE(h.item("get_model.failure").text.find("HF_HUB_OFFLINE is set"), std::string::npos);
    EXPECT_TRUE(of.hub.requests().empty());
}

TEST(GetModel, TellsNoLoginOfTheEndpoint) {
    const HubOfTheWindow of({"gated/book"});
    const std::string port = of.hub.settings.endpoint.substr(of.hub.settings.endpoint.rfind(':'));
    setenv("HF_ENDPOINT", ("http://ann:s3cret@127.0.0.1" + port).c_str(), 1);
    Harness h;
    open_get_model(h);
    h.tap("get_model.input");
    h.type("gated/book");
    h.tap("get_model.ask");
    ASSERT_TRUE(h.shows("get_model.failure"));
    for (const auto& [id, item] : h.app->probe().items())
        EXPECT_EQ(item.text.find("s3cret"), std::string::npos) << id << ": " << item.text;
    h.tap("get_model.copy");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()).find("s3cret"), std::string::npos);
}

TEST(GetModel, AFetchIsCancelledAndContinuesInTheBackground) {
    const HubOfTheWindow of({"steady/book"});
    Harness h;
    const auto ask = [&] {
        h.tap("get_model.input");
        h.type("steady/book");
        h.tap("get_model.ask");
        return h.item("get_model.offer").value;
    };
    const auto begin = [&] {
        const Rect fetch = h.item("get_model.fetch").rect;
        h.input.move(fetch.centre().x, fetch.centre().y);
        h.input.button(0, true);
        h.input.button(0, false);
        h.wait_until([&] {
            return h.shows("get_model.waiting") &&
                   h.item("get_model.waiting").text.find("model.safetensors: ") != std::string::npos;
        });
    };
    open_get_model(h);
    const double whole = ask();
    begin();
    h.tap("get_model.waiting.cancel");
    EXPECT_TRUE(h.shows("get_model.without"));
    EXPECT_EQ(h.app->state().error, "");
    h.carry_out(command::ShowDialog{});
    h.frame(2);
    open_get_model(h);
    const double left = ask();
    EXPECT_LT(left, whole) << "what came is kept";
    begin();
    h.carry_out(command::ShowDialog{});
    h.wait_until([&] { return !h.app->state().notice.empty(); });
    EXPECT_NE(h.app->state().notice.find("steady/book"), std::string::npos);
    EXPECT_NE(h.result().model->provenance.name, "steady/book") << "a closed dialog opens nothing";
}

TEST(GetModel, AFetchThatEndsBehindAPhotographIsOfferedBelowIt) {
    const HubOfTheWindow of(std::vector<std::string>{});
    const TestFolder folder;
    save_photo_model(folder / "vit", 1000, 64);
    for (const char* const file : {"config.json", "model.safetensors", "preprocessor_config.json"})
        of.hub.add("steady/vit", {{file, read(folder / "vit" / file)}});
    write(folder / "photo.ppm", "P6 4 2 255\n" + std::string(24, 'x'));
    Harness h;
    h.app->open({folder / "photo.ppm"});
    h.settle();
    EXPECT_FALSE(h.shows("foreign.recent"));
    open_get_model(h);
    h.tap("get_model.input");
    h.type("steady/vit");
    h.tap("get_model.ask");
    const Rect fetch = h.item("get_model.fetch").rect;
    h.input.move(fetch.centre().x, fetch.centre().y);
    h.input.button(0, true);
    h.input.button(0, false);
    h.wait_until([&] { return h.shows("get_model.waiting"); });
    h.carry_out(command::ShowDialog{});
    h.wait_until([&] { return !h.app->state().notice.empty(); });
    h.frame(3);
    EXPECT_EQ(h.item("foreign.recent").text, "Answer with vit");
}

TEST(GetModel, IsReadableInEveryLanguageAndSize) {
    const HubOfTheWindow of;
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}})
        for (const char* const language : {"en", "ja", "ko"}) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            open_get_model(h);
            h.expect_readable(std::string("the list, ") + language);
            h.tap("get_model.row." + hub_models().front().model);
            ASSERT_TRUE(h.shows("get_model.failure")) << "this hub has no such model";
            h.expect_readable(std::string("a failure, ") + language);
            h.tap(tiny_row);
            ASSERT_TRUE(h.shows("get_model.offer"));
            h.expect_readable(std::string("an offer, ") + language);
        }
}

}  // namespace
}  // namespace vitrine
