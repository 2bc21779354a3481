#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/text_settings.h"
#include "app/exports/describe.h"
#include "app/exports/manifest.h"
#include "app/exports/numbers.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "app/library/samples.h"
#include "app/platform/printable.h"
#include "app/workspace/focus_words.h"
#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/sentence.h"
#include "core/base/team.h"
#include "core/files/safetensors.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/catalogue.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

using Json = Manifest::Json;

constexpr std::size_t longest_request = 16 << 20;  // bytes

/// An answer: a line of JSON, and the bytes of NPY that follow it.
struct Answer {
    Json line = Json::object();
    std::string bytes;
};

/// Answers requests about one model. Caches the last image and its run without what-ifs.
class Server {
public:
    explicit Server(const ServeOptions& o)
        : source_(o.model.source()),
          runs_(o.model.runs(open_model(source_), run_and_what_if)),
          colours_(o.model.colours()) {}

    Answer answer(const Json& request) {
        if (!request.is_object()) throw Error("a request is a JSON object, such as {\"request\": \"info\"}");
        const std::string word = text_of(request, "request", "");
        if (word == "info") return info(request);
        if (word == "trace" || word == "measure") return trace(request);
        throw Error("\"request\": \"" + word + "\" is none of info, trace and measure");
    }

private:
    static void check_keys(const Json& request, std::initializer_list<const char*> known) {
        for (const auto& [key, value] : request.items())
            if (std::ranges::find(known, key) == known.end())
                throw Error("\"" + key + "\": is not a key of this request; docs/formats.md lists them");
    }

    static std::string text_of(const Json& request, const char* key, const std::string& otherwise) {
        const Json value = request.value(key, Json(otherwise));
        if (!value.is_string()) throw Error(std::string("\"") + key + "\": is not text");
        return value.get<std::string>();
    }

    static std::vector<std::string> words_of(const Json& request, const char* key) {
        const Json value = request.value(key, Json::array());
        if (!value.is_array() || !std::ranges::all_of(value, [](const Json& v) { return v.is_string(); }))
            throw Error(std::string("\"") + key + "\": is not a list of words");
        return value.get<std::vector<std::string>>();
    }

    static int count_of(const Json& request, const char* key, int otherwise) {
        const Json value = request.value(key, Json(otherwise));
        if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() > 1e6)
            throw Error(std::string("\"") + key + "\": is not a whole number from 0 to 1000000");
        return value.get<int>();
    }

    Answer info(const Json& request) const {
        check_keys(request, {"request", "id"});
        Answer a;
        a.line["model"] = provenance_of(*runs_.model);
        a.line["labels"] = runs_.model->config.labels;
        a.line["measures"] = Json::array();
        for (const MeasureEntry& e : measure_catalogue())
            if (runs_.model->config.classes > 0 || !e.needs_classes)
                a.line["measures"].push_back({{"name", e.name}, {"shape", e.shape}, {"words", e.words}});
        return a;
    }

    /// Opens the image that a word names, unless it is open already and unchanged on disk.
    void open(const std::string& word) {
        if (word.empty()) throw Error("\"image\": name a file or a drawn sample such as cat");
        if (image_ && word_ == word && !changed_on_disk(*image_)) return;
        image_ = nullptr;
        baseline_.reset();
        image_ = open_image(with_set(image_source(word), pictures_of(*runs_.model).scenes), {}, colours_);
        word_ = word;
    }

    const Trace& baseline() {
        if (!baseline_)
            baseline_ = runs_.run(preprocess(image_->full, runs_.model->preprocessing, runs_.model->config).pixels);
        return *baseline_;
    }

    /// Adds a table to an answer as an array.
    static void add_array(Answer& a, const Table& table) {
        const std::string npy = to_npy(table);
        Json row = row_of(table, "");
        row.erase("file");
        row["bytes"] = npy.size();
        a.line["arrays"].push_back(std::move(row));
        a.bytes += npy;
    }

    Answer trace(const Json& request) {
        check_keys(request, {"request", "id", "image", "what_if", "what", "set", "top"});
        const std::vector<std::string> names = words_of(request, "what"), words = words_of(request, "what_if");
        const int top = count_of(request, "top", 5);
        Focus focus;
        TextExperiment text;
        take_settings(words_of(request, "set"), {focus, text});
        check_settings(words_of(request, "set"), {focus, text}, runs_.model->config);
        check_text_settings(words_of(request, "set"), {focus, text});
        std::vector<Intervention> what_ifs = parse_what_ifs(words, runs_.model->config);
        fill_in_means(what_ifs, *runs_.model, colours_, means_);
        open(text_of(request, "image", ""));
        const MeasuredPass pass{baseline(), runs_.what_if(baseline(), what_ifs)};
        const MeasureExport what{runs_, {}, focus, text, what_ifs, names, "npy", {}, guard_of(false, {})};
        for (const std::string& name : names) {
            if (!is_measure(name, pass.trace))
                throw Error("\"what\": " + name + " is not a measure or a tensor of this model");
            check_measure(name, runs_.model->config);
        }
        Answer a;
        a.line["image"] = facts_of(*image_);
        a.line["what_if"] = words;
        a.line["top"] = Json::array();
        for (const Prediction& p : top_predictions(*pass.trace.head, top))
            a.line["top"].push_back({{"index", p.index},
                                     {"label", runs_.model->config.label(p.index)},
                                     {"logit", p.logit},
                                     {"probability", p.probability}});
        a.line["class"] = class_of(what, pass.trace);
        if (Json change = change_by(what, pass); !change.is_null()) a.line["change"] = std::move(change);
        a.line["arrays"] = Json::array();
        for (const std::string& name : names) add_array(a, table_of(what, pass, name, {}));
        return a;
    }

    ModelSource source_;
    Runs runs_;
    Colours colours_;
    std::string word_;
    std::shared_ptr<const OpenImage> image_;
    std::optional<Trace> baseline_;
    MeanPatches means_;
};

/// The answer to a line of the input; an error is an answer, too.
Answer answer_to(Server& server, const std::string& line) {
    Json request, id;
    std::string failure;
    try {
        if (line.size() > longest_request) throw Error("a request has at most 16 MiB");
        if (!nests_too_deeply(line)) request = Json::parse(line, nullptr, false);
        if (request.is_discarded() || request.is_null()) throw Error("this line is not JSON");
        if (request.is_object()) id = request.value("id", Json());
        Answer a = server.answer(request);
        Json whole = {{"ok", true}};
        if (!id.is_null()) whole["id"] = id;
        whole.update(a.line);
        whole["bytes"] = a.bytes.size();
        return {std::move(whole), std::move(a.bytes)};
    } catch (const Error& error) {
        failure = error.what();
    } catch (...) {
        failure = sentence_of(std::current_exception());
    }
    Json whole = {{"ok", false}};
    if (!id.is_null()) whole["id"] = id;
    whole["error"] = failure;
    whole["bytes"] = 0;
    return {std::move(whole), ""};
}

}  // namespace

int serve_command(const ServeOptions& o) {
    if (!o.stdio) throw UsageError("serve: give --stdio; requests are read from the standard input");
    if (o.threads > 0) set_thread_count(o.threads);
    Server server(o);
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Answer a = answer_to(server, line);
        const std::string words = printable_json(a.line.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
        std::fwrite(words.data(), 1, words.size(), stdout);
        std::fwrite(a.bytes.data(), 1, a.bytes.size(), stdout);
        if (std::fflush(stdout) != 0) return 1;  // the reader is gone
    }
    return 0;
}

}  // namespace vitrine
