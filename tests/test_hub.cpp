#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <future>
#include <set>

#include "app/hub/hub_cache.h"
#include "app/hub/hub_fetch.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/sha1.h"
#include "core/base/sha256.h"
#include "core/vit/checkpoint/hub_folder.h"
#include "tests/hub_server.h"
#include "tests/program.h"

// Models from the hub, against a hub of our own on the loopback.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

fs::path fetch(const HubServer& hub, const std::string& words, const HubProgress& progress = {}) {
    return fetch_from_hub(ask_hub(*hub_name(words), hub.settings, progress), hub.settings, progress);
}

/// The sentence with which a fetch fails, which holds these words; nothing may then be half there.
void expect_hub_refusal(const HubServer& hub, const std::string& words, const std::string& part) {
    try {
        fetch(hub, words);
        ADD_FAILURE() << words << " was fetched";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << words << ": " << error.what();
        for (const char* const secret : {"secret", "s3cret"})
            EXPECT_EQ(std::string(error.what()).find(secret), std::string::npos) << error.what();
    }
    EXPECT_FALSE(cached_snapshot(*hub_name(words), hub.settings.cache)) << words;
    EXPECT_FALSE(fs::exists(hub.settings.cache / folder_name_of(hub_name(words)->model) / "refs")) << words;
}

std::set<std::string> names_in_folder(const fs::path& folder) {
    std::set<std::string> names;
    if (fs::exists(folder))
        for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

/// Whether each blob's content is what its name says.
void expect_blobs_are_whole(const fs::path& cache) {
    for (const auto& entry : fs::recursive_directory_iterator(cache)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().parent_path().filename() != "blobs" || name.ends_with(".incomplete")) continue;
        EXPECT_EQ(name.size() == 64 ? sha256_of_file(entry.path()) : git_blob_of_file(entry.path()), name);
    }
}

TEST(Sha1, NamesContentAsGitDoes) {
    const TestFolder own;
    write(own / "hello", "hello\n");
    write(own / "nothing", "");
    EXPECT_EQ(git_blob_of_file(own / "hello"), "ce013625030ba8dba906f756967f9e9ca394464a");
    EXPECT_EQ(git_blob_of_file(own / "nothing"), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    Sha1 million;  // FIPS 180, the third example
    const std::vector<std::uint8_t> letters(1000, 'a');
    for (int i = 0; i < 1000; ++i) million.add(letters);
    EXPECT_EQ(million.digits(), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(HubName, IsOwnerAndNameAndPerhapsARevision) {
    EXPECT_EQ(hub_name("facebook/deit-tiny-patch16-224"), (HubName{"facebook/deit-tiny-patch16-224", "main"}));
    EXPECT_EQ(hub_name("timm/vit_tiny.augreg@refs/pr/1"), (HubName{"timm/vit_tiny.augreg", "refs/pr/1"}));
    EXPECT_EQ(hub_name("a/b@v1.0")->words(), "a/b@v1.0");
    EXPECT_EQ(hub_name("a/b@main")->words(), "a/b");
    for (const char* const words : {"", "a", "a/", "/b", "a/b/c", "a/b@", "../b", "a/..", "a--b/c", "a b/c", "a/b@../c",
                                    "a/b@-x", "a/b@x//y", "a/b?c", "~/b", "a/.b", "./b"})
        EXPECT_FALSE(hub_name(words)) << words;
}

TEST(HubFiles, AreThoseThatVitrineReadsWithSafetensorsFirst) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(needed_files("m", {"README.md", "config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5"}),
              (Names{"config.json", "model.safetensors"}));
    EXPECT_EQ(needed_files("m", {"pytorch_model.bin", "preprocessor_config.json", "config.json", "merges.txt"}),
              (Names{"config.json", "preprocessor_config.json", "merges.txt", "pytorch_model.bin"}));
    EXPECT_EQ(needed_files("m", {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                                 "model.safetensors.index.json", "pytorch_model.bin"}),
              (Names{"model.safetensors.index.json", "model-00001-of-00002.safetensors",
                     "model-00002-of-00002.safetensors"}));
    EXPECT_EQ(needed_files("m", {"open_clip_config.json", "open_clip_model.safetensors"}),
              (Names{"open_clip_config.json", "open_clip_model.safetensors"}));
    EXPECT_THROW(needed_files("m", {"config.json", "tf_model.h5"}), Error);
    EXPECT_THROW(needed_files("m", {"unet.safetensors", "vae.safetensors"}), Error);
}

TEST(Hub, BringsAModelInTheLayoutThatOtherToolsRead) {
    HubServer hub;
    hub.settings.token = "secret";
    hub.add("plain/m");
    const HubListing listing = ask_hub({"plain/m"}, hub.settings);
    ASSERT_EQ(listing.files.size(), 2U);
    EXPECT_EQ(listing.missing, listing.bytes);
    EXPECT_EQ(listing.bytes, listing.files[0].bytes + 50'000);
    std::vector<HubReport> reports;
    const fs::path snapshot = fetch_from_hub(listing, hub.settings, [&](const HubReport& r) { reports.push_back(r); });

    const fs::path root = hub.settings.cache / "models--plain--m";
    EXPECT_EQ(snapshot, root / "snapshots" / listing.commit);
    EXPECT_EQ(read(root / "refs/main"), listing.commit);
    EXPECT_EQ(fs::read_symlink(snapshot / "model.safetensors"), fs::path("../../blobs") / sha256(HubServer::weights()));
    EXPECT_EQ(read(snapshot / "model.safetensors"), HubServer::weights());
    EXPECT_EQ(read(snapshot / "config.json"), "{\"of\": \"plain/m\"}");
    EXPECT_EQ(names_in_folder(snapshot), (std::set<std::string>{"config.json", "model.safetensors"}));
    EXPECT_EQ(names_in_folder(root / "blobs").size(), 2U) << "nothing incomplete is left";
    EXPECT_EQ(names_in_folder(hub.settings.cache / ".locks/models--plain--m").size(), 2U);
    expect_blobs_are_whole(hub.settings.cache);
    EXPECT_EQ(reports.back().done, listing.bytes);
    EXPECT_EQ(reports.back().came, listing.bytes);
    EXPECT_TRUE(std::ranges::is_sorted(reports, {}, &HubReport::done));

    // The token reaches the hub's own host, and not where it redirects to.
    std::set<std::string> at_hub, at_store;
    for (const auto& row : hub.requests()) (row["at"] == "hub" ? at_hub : at_store).insert(row["token"]);
    EXPECT_EQ(at_hub, (std::set<std::string>{"Bearer secret"}));
    EXPECT_EQ(at_store, (std::set<std::string>{""}));

    // What is there is used without another download.
    hub.forget_requests();
    EXPECT_EQ(ask_hub({"plain/m"}, hub.settings).missing, 0U);
    EXPECT_EQ(fetch(hub, "plain/m"), snapshot);
    for (const auto& row : hub.requests())
        EXPECT_EQ(row["path"].get<std::string>().find("/resolve/"), std::string::npos);
    const std::vector<CachedModel> cached = cached_models(hub.settings.cache);
    ASSERT_EQ(cached.size(), 1U);
    EXPECT_EQ(cached[0].words(), "plain/m");
    EXPECT_EQ(cached[0].bytes, listing.bytes);
    EXPECT_EQ(cached[0].files, 2);
}

TEST(Hub, ARevisionIsABranchATagOrACommit) {
    HubServer hub;
    hub.add("plain/m");
    const fs::path tagged = fetch(hub, "plain/m@v1.0");
    const std::string commit = tagged.filename().string();
    EXPECT_FALSE(cached_snapshot({"plain/m"}, hub.settings.cache)) << "main was not asked for";
    EXPECT_EQ(cached_snapshot({"plain/m", "v1.0"}, hub.settings.cache), tagged);
    EXPECT_EQ(cached_snapshot({"plain/m", commit}, hub.settings.cache), tagged);
    EXPECT_EQ(fetch(hub, "plain/m@" + commit), tagged);
    EXPECT_EQ(cached_models(hub.settings.cache)[0].words(), "plain/m@v1.0");
    EXPECT_FALSE(fs::exists(hub.settings.cache / "models--plain--m/refs" / commit));
    // A new commit shares what did not change.
    hub.add("plain/m", {{"config.json", "{\"newer\": 1}"}});
    EXPECT_EQ(ask_hub({"plain/m"}, hub.settings).missing, 12U);
    EXPECT_NE(fetch(hub, "plain/m"), tagged);
    EXPECT_EQ(cached_models(hub.settings.cache).size(), 2U);
}

TEST(Hub, ContinuesAfterCutsWaitsAsAskedAndTriesAgain) {
    HubServer hub;
    for (const char* const model : {"cut/m", "busy/m", "ill/m", "no-range/m", "mirror/m"}) {
        hub.add(model);
        int longest_wait = 0;
        const fs::path snapshot =
            fetch(hub, model, [&](const HubReport& r) { longest_wait = std::max(longest_wait, r.waits); });
        EXPECT_EQ(read(snapshot / "model.safetensors"), HubServer::weights()) << model;
        EXPECT_EQ(longest_wait, model == std::string("busy/m") ? 1 : 0) << "it says that it waits: " << model;
    }
    expect_blobs_are_whole(hub.settings.cache);
    std::set<std::string> ranges;
    for (const auto& row : hub.requests())
        if (row["path"] == "/cut/m/model.safetensors?signed") ranges.insert(row["range"]);
    EXPECT_TRUE(ranges.contains("bytes=25000-")) << "it asks for the rest alone";
    EXPECT_EQ(std::ranges::count_if(hub.requests(), [](const auto& row) { return row["method"] == "HEAD"; }), 2)
        << "of a hub that lists no sizes they are asked, without leaving its host";
}

TEST(Hub, WhatAnEarlierFetchLeftIsContinuedOrIfItIsWrongThrownAway) {
    HubServer hub;
    const std::string whole = HubServer::weights();
    for (const char* const model : {"plain/m", "no-range/m", "plain/wrong-half"}) {
        hub.add(model);
        const fs::path blobs = hub.settings.cache / folder_name_of(model) / "blobs";
        const fs::path part = blobs / (sha256(whole) + ".incomplete");
        fs::create_directories(blobs);
        write(part, model == std::string("plain/wrong-half") ? std::string(20'000, 'x') : whole.substr(0, 20'000));
        hub.forget_requests();
        EXPECT_EQ(ask_hub({model}, hub.settings).missing, 30'000 + std::string(model).size() + 10);
        EXPECT_EQ(read(fetch(hub, model) / "model.safetensors"), whole) << model;
        EXPECT_FALSE(fs::exists(part)) << model;
        const auto asked = hub.requests();
        EXPECT_TRUE(std::ranges::any_of(asked, [](const auto& row) { return row["range"] == "bytes=20000-"; }))
            << model;
    }
}

TEST(Hub, RefusesInOneSentenceAndLeavesNothingHalf) {
    HubServer hub;
    hub.settings.token = "secret";
    for (const char* const model : {"gated/m", "moved/m", "fault/m", "full-hall/m", "wrong/m", "grows/m", "trickle/m",
                                    "dead/m", "odd/m", "plain/m"})
        hub.add(model);
    hub.add("plain/of-tensorflow", {{"tf_model.h5", HubServer::weights()}, {"config.json", "{}"}});
    expect_hub_refusal(hub, "gated/m", "accept them on its page");
    expect_hub_refusal(hub, "plain/none", "there is no such model on the hub, or it is private");
    expect_hub_refusal(hub, "plain/m@v2.0", "has no revision 'v2.0'");
    expect_hub_refusal(hub, "fault/m", "status 503");
    expect_hub_refusal(hub, "full-hall/m", "asks you to wait 3600 s");
    expect_hub_refusal(hub, "wrong/m", "checksum differs");
    expect_hub_refusal(hub, "grows/m", "more bytes come than the hub says");
    expect_hub_refusal(hub, "dead/m", "the connection breaks again and again");
    expect_hub_refusal(hub, "trickle/m", "the connection is too slow");
    expect_hub_refusal(hub, "odd/m", "is not a list of a model's files");
    expect_hub_refusal(hub, "circle/m", "redirects do not end");
    expect_hub_refusal(hub, "plain/of-tensorflow", "no weights that Vitrine reads");
    hub.settings.offline = true;
    expect_hub_refusal(hub, "plain/m", "HF_HUB_OFFLINE is set");
    hub.settings.offline = false;
    hub.settings.endpoint = "http://127.0.0.1:1";
    expect_hub_refusal(hub, "plain/m", "the hub cannot be reached");
}

TEST(Hub, ATokenOpensWhatIsGatedAlsoUnderItsNewNameOnTheSameHost) {
    HubServer hub;
    hub.settings.token = "let-me-in";
    hub.add("gated/m");
    EXPECT_EQ(read(fetch(hub, "gated/m") / "model.safetensors"), HubServer::weights());
    EXPECT_EQ(read(fetch(hub, "moved/m") / "model.safetensors"), HubServer::weights());
    for (const auto& row : hub.requests()) EXPECT_EQ(row["token"], row["at"] == "hub" ? "Bearer let-me-in" : "") << row;
}

TEST(Hub, AFullDiskAndAFolderThatCannotBeWrittenAreSaidOnce) {
    HubServer hub;
    hub.add("plain/m");
    const fs::path blobs = hub.settings.cache / "models--plain--m/blobs";
    fs::create_directories(blobs);
    fs::create_symlink("/dev/full", blobs / (sha256(HubServer::weights()) + ".incomplete"));
    expect_hub_refusal(hub, "plain/m", "the disk is full; make room");
    write(hub.folder() / "a-file", "");
    hub.settings.cache = hub.folder() / "a-file/hub";
    expect_hub_refusal(hub, "plain/m", "the hub's cache cannot be written here");
}

TEST(Hub, IsCancelledWithinAReportAndContinuesWhereItWas) {
    HubServer hub;
    hub.add("steady/m", {{"model.safetensors", HubServer::weights(400'000)}});
    EXPECT_THROW(fetch(hub, "steady/m",
                       [](const HubReport& r) {
                           if (r.done > 50'000) throw Cancelled();
                       }),
                 Cancelled);
    const std::uint64_t missing = ask_hub({"steady/m"}, hub.settings).missing;
    EXPECT_LT(missing, 360'000U);
    EXPECT_GT(missing, 0U);
    std::uint64_t came = 0;
    fetch(hub, "steady/m", [&](const HubReport& r) { came = r.came; });
    EXPECT_EQ(came, missing);
    expect_blobs_are_whole(hub.settings.cache);
}

TEST(HubCommand, FetchesListsAndNamesModelsWithoutARequest) {
    HubServer hub;
    hub.settings.token = "secret";
    for (const char* const file : {"config.json", "model.safetensors", "preprocessor_config.json"})
        hub.add("plain/book", {{file, read(fs::path(VITRINE_SOURCE "/assets/pictograms-small") / file)}});
    const std::string with = hub.environment();
    const Outcome missing = run("trace cat --model plain/book", with);
    EXPECT_EQ(missing.status, 1);
    EXPECT_NE(missing.err.find("vitrine fetch plain/book"), std::string::npos) << missing.err;
    EXPECT_TRUE(hub.requests().empty()) << "a model's name asks nothing of the hub";

    const Outcome offline = run("fetch plain/book", with + "HF_HUB_OFFLINE=1 ");
    EXPECT_EQ(offline.status, 1);
    EXPECT_NE(offline.err.find("HF_HUB_OFFLINE is set"), std::string::npos) << offline.err;
    EXPECT_TRUE(hub.requests().empty());
    EXPECT_EQ(run("fetch book", with).status, 2) << "no name on the hub";
    EXPECT_NE(run("info --cached", with).out.find("no models in " + hub.settings.cache.string()), std::string::npos);

    const Outcome fetched = run("fetch plain/book --json", with);
    ASSERT_EQ(fetched.status, 0) << fetched.err;
    const auto told = nlohmann::json::parse(fetched.out);
    EXPECT_EQ(told["bytes"], told["fetched"]);
    EXPECT_EQ(told["files"].size(), 3U);
    EXPECT_EQ(fetched.err, "") << "no progress where nobody sees it";

    hub.forget_requests();
    const Outcome here = run("trace cat --json --model plain/book", with),
                  bundled = run("trace cat --json -m pictograms-small");
    ASSERT_EQ(here.status, 0) << here.err;
    EXPECT_EQ(nlohmann::json::parse(here.out)["top"], nlohmann::json::parse(bundled.out)["top"]);
    EXPECT_EQ(run("info plain/book", with).out.rfind("plain/book (", 0), 0U) << "it has its name on the hub";
    EXPECT_EQ(run("info --cached", with).out.rfind("plain/book  3 files", 0), 0U);
    const auto list = nlohmann::json::parse(run("info --cached --json", with).out);
    EXPECT_EQ(list["models"][0]["commit"], told["commit"]);
    EXPECT_TRUE(hub.requests().empty());

    const Outcome some = run("fetch plain/none plain/book", with);
    EXPECT_EQ(some.status, 1);
    EXPECT_NE(some.err.find("(1 of 2 models were fetched)"), std::string::npos) << some.err;
    EXPECT_EQ(some.err.find("secret"), std::string::npos);
}

TEST(HubSettings, KeepTheLoginOutOfTheAddress) {
    const std::pair<const char*, std::pair<const char*, const char*>> rows[] = {
        {"https://ann:s3cret@hub.example/", {"https://hub.example", "ann:s3cret"}},
        {"https://hub.example:8080/models//", {"https://hub.example:8080/models", ""}},
        {"http://ann@hub.example", {"http://hub.example", "ann"}},
        {"https://ann:s3/cr@t@hub.example", {"https://hub.example", "ann:s3/cr@t"}},
        {"ann:s3cret@hub.example", {"hub.example", "ann:s3cret"}}};
    for (const auto& [given, wanted] : rows) {
        setenv("HF_ENDPOINT", given, 1);
        const HubSettings settings = hub_settings();
        EXPECT_EQ(settings.endpoint, wanted.first);
        EXPECT_EQ(settings.login, wanted.second) << given;
    }
    unsetenv("HF_ENDPOINT");
}

TEST(HubCommand, ALoginInTheAddressIsSentToThatHostAloneAndToldNowhere) {
    HubServer hub;
    for (const char* const model : {"plain/m", "gated/m", "odd/m", "wrong/m", "fault/m", "mirror/m", "no-range/m"})
        hub.add(model);
    const std::string address = hub.settings.endpoint.substr(hub.settings.endpoint.find("//") + 2);
    const auto tell_nothing = [&](const std::string& words, const std::string& at) {
        const Outcome o = run(words, hub.environment() + "HF_ENDPOINT=http://ann:s3cr%40t@" + at + " ");
        for (const char* const part : {"s3cr", "ann:", "YW5uOnMzY3JAdA"})
            EXPECT_EQ((o.out + o.err).find(part), std::string::npos) << words << ": " << o.out << o.err;
        return o;
    };
    EXPECT_EQ(tell_nothing("fetch plain/m --json", address).status, 0);
    for (const auto& row : hub.requests())
        EXPECT_EQ(row["token"], row["at"] == "hub" ? "Basic YW5uOnMzY3JAdA==" : "") << row;
    EXPECT_EQ(tell_nothing("fetch mirror/m no-range/m", address).status, 0);
    tell_nothing("info --cached", address);
    tell_nothing("info --machine", address);
    for (const char* const model : {"gated/m", "odd/m", "wrong/m", "plain/none", "plain/m@v2.0", "circle/m"}) {
        const Outcome failed = tell_nothing(std::string("fetch ") + model, address);
        EXPECT_EQ(failed.status, 1);
        EXPECT_NE(failed.err.find(address), std::string::npos) << "the address itself is told: " << failed.err;
    }
    hub.settings.login = "ann:s3cret";
    for (const char* const endpoint : {"http://127.0.0.1:1", "http://no-such-host.invalid"}) {
        hub.settings.endpoint = endpoint;
        expect_hub_refusal(hub, "plain/other", "the hub cannot be reached");
    }
}

TEST(HubCommand, GoesThroughTheProxyThatTheEnvironmentNames) {
    HubServer hub;
    hub.settings.token = "secret";
    const std::string proxy = "env -u no_proxy -u NO_PROXY http_proxy=" + hub.settings.endpoint + " ";
    const Outcome o = run("fetch plain/m", hub.environment() + "HF_ENDPOINT=http://hub.example timeout 1 " + proxy);
    EXPECT_NE(o.status, 0);
    ASSERT_FALSE(hub.requests().empty());
    EXPECT_EQ(hub.requests()[0]["path"], "http://hub.example/api/models/plain/m/revision/main?blobs=true");
}

TEST(HubCommand, AFetchKilledFiftyTimesEndsWhole) {
    HubServer hub;
    hub.add("steady/m", {{"model.safetensors", HubServer::weights(3'000'000)}, {"config.json", "{}"}});
    const fs::path root = hub.settings.cache / "models--steady--m";
    for (int kill = 0; kill < 50; ++kill) {
        run("fetch steady/m", hub.environment() + "timeout -s KILL 0.0" + std::to_string(40 + kill) + " ");
        if (fs::exists(root / "refs/main")) {
            EXPECT_TRUE(cached_snapshot({"steady/m"}, hub.settings.cache));
        }
        if (fs::exists(root)) expect_blobs_are_whole(hub.settings.cache);
    }
    const Outcome last = run("fetch steady/m --json", hub.environment());
    ASSERT_EQ(last.status, 0) << last.err;
    expect_blobs_are_whole(hub.settings.cache);
    const auto snapshot = cached_snapshot({"steady/m"}, hub.settings.cache);
    ASSERT_TRUE(snapshot);
    EXPECT_EQ(sha256_of_file(*snapshot / "model.safetensors"), sha256(HubServer::weights(3'000'000)));
    EXPECT_EQ(names_in_folder(root / "blobs").size(), 2U) << "nothing incomplete is left";
}

TEST(HubCommand, TwoThatFetchOneModelBringItOnce) {
    HubServer hub;
    hub.add("steady/m", {{"model.safetensors", HubServer::weights(400'000)}});
    const std::string out = (hub.folder() / "out").string(), with = hub.environment() + VITRINE_PROGRAM;
    const std::string both =
        with + " fetch steady/m --json >" + out + "1 & " + with + " fetch steady/m --json >" + out + "2; wait $!";
    ASSERT_EQ(std::system(("bash -c '" + both + "'").c_str()), 0);
    const auto first = nlohmann::json::parse(read(out + "1")), second = nlohmann::json::parse(read(out + "2"));
    EXPECT_EQ(first["folder"], second["folder"]);
    EXPECT_EQ(first["fetched"].get<int>() + second["fetched"].get<int>(), 400'000);
    expect_blobs_are_whole(hub.settings.cache);
}

}  // namespace
}  // namespace vitrine
