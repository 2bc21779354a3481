#include "app/jobs/text_running.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "app/library/text_library.h"
#include "app/workspace/text_result.h"
#include "core/base/clock.h"
#include "core/measures/text/verdict_head.h"
#include "core/text/sentences.h"
#include "core/text/text_forward.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "core/text/typed_words.h"

namespace vitrine {

namespace {

/// A model with its special heads, cached for the lifetime of the program: they are small.
struct Opened {
    std::shared_ptr<const TextModel> model;
    TalliedHead it_head, induction_head;
};

constexpr int looked_at = 100;  // sentences for finding a head by its behaviour

Opened open(const TextRequest& request) {
    Opened opened;
    opened.model = request.learned ? request.learned : open_text_model(bundled_text_model(request.task, request.to));
    const TextEvaluation found = evaluate(*opened.model, {.count = looked_at, .brief = true});
    if (found.it) opened.it_head = found.it->head;
    if (const auto far = found.far.find(FarKind::object); far != found.far.end())
        opened.induction_head = far->second.head;
    return opened;
}

/// The model of a request; bundled ones are opened once.
Opened opened_for(const TextRequest& request) {
    if (request.learned) return open(request);
    static std::mutex mutex;
    static std::map<std::pair<TextTask, TextLanguage>, Opened> all;
    const std::lock_guard lock(mutex);
    const std::pair key{request.task, request.to};
    if (const auto found = all.find(key); found != all.end()) return found->second;
    return all.emplace(key, open(request)).first->second;
}

const Vocabulary& vocabulary_read(const TextModel& model) {
    return model.config.has_encoder() ? model.source : model.target;
}

/// Positions available for words: special words need some, and a text to be continued needs room.
std::size_t most_words(const TextModel& model) {
    const int room = model.config.shape == TextShape::language_model ? 8 : 2;
    return static_cast<std::size_t>(std::max(1, model.config.longest - room));
}

Decoding decoding_of(const TextRequest& r, const TextModel& model) {
    Decoding how;
    how.method = r.method;
    how.width = r.width;
    how.temperature = static_cast<double>(r.temperature);
    how.top_k = r.top_k;
    how.top_p = static_cast<double>(r.top_p);
    how.seed = static_cast<std::uint64_t>(r.seed);
    if (model.config.shape == TextShape::language_model) how.longest = most_words_of_story;
    if (r.mistake) how.ending = r.mistake->ending;
    if (r.method != DecodingMethod::sample) how.top_k = 0, how.top_p = 1;
    for (const std::string& word : r.forced) {
        const int id = word == special_words[eos_id] ? eos_id : model.target.id(word);
        if (id != unknown_id) how.forced.push_back(id);
    }
    return how;
}

std::vector<Intervention> edits_of(const TextRequest& request, const TextModel& model) {
    std::vector<Intervention> edits = text_interventions(request.what_ifs, model.config);
    if (request.mistake) edits.insert(edits.end(), request.mistake->edits.begin(), request.mistake->edits.end());
    return edits;
}

/// A teacher-forced pass on the gold output: the sample's translation, or else the model's own output.
TeacherForcedText teach(const TextModel& model, const TextResult& result) {
    TeacherForcedText taught;
    std::vector<std::string> words;
    if (model.task == TextTask::story) {
        words = result.words;
    } else if (!result.request.mistake) {
        for (const TextSample& sample : text_samples(model.task, model.to))
            if (as_sentence(split_words(sample.source, source_language(model.task, model.to), model.source),
                            source_language(model.task, model.to)) == result.words)
                words = split_words(sample.expected, model.to, model.target);
    }
    taught.own = words.empty();
    if (taught.own) words = result.plain.output;
    // A story continues after its last typed word, so the word after that one is not known.
    const bool unfinished = model.task == TextTask::story;
    TextBatch batch = unfinished ? text_batch(model, std::span(words).first(words.size() - 1))
                                 : text_batch(model, result.words, words);
    batch.gold.clear();
    for (const std::string& word : words) batch.gold.push_back(model.target.id(word));
    if (!unfinished) batch.gold.push_back(eos_id);
    const std::vector<Intervention> edits = edits_of(result.request, model);
    taught.wanted = std::move(words);
    if (!unfinished) taught.wanted.emplace_back(special_words[eos_id]);
    taught.trace = text_forward(model, std::move(batch), edits);
    return taught;
}

}  // namespace

std::shared_ptr<const TextResult> run_request(const TextRequest& request, const Progress& progress) {
    const auto told = [&](double fraction) {
        if (progress) progress(fraction);
    };
    const Opened opened = opened_for(request);
    told(0.5);
    auto result = std::make_shared<TextResult>();
    const TextModel& model = *opened.model;
    result->request = request;
    result->model = opened.model;
    result->it_head = opened.it_head;
    result->induction_head = opened.induction_head;
    const TextLanguage language = source_language(request.task, request.to);
    const Vocabulary& vocabulary = vocabulary_read(model);
    std::vector<std::string> words = split_words(request.text, language, vocabulary);
    if (request.task != TextTask::story) words = as_sentence(std::move(words), language);
    if (words.size() > most_words(model)) {
        result->left_out = static_cast<int>(words.size() - most_words(model));
        words.resize(most_words(model));
    }
    result->words = words;
    if (words.empty()) return result;
    result->familiarity = familiarity_of(words, request.task, request.to);
    const std::vector<Intervention> what_ifs = edits_of(request, model);
    const Decoding how = decoding_of(request, model);
    const Clock::time_point begin = Clock::now();
    result->run = run_text(model, words, how, what_ifs);
    result->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    told(0.7);
    Decoding greedy;
    greedy.longest = how.longest;
    result->plain = run_text(model, words, greedy);
    if (model.config.shape == TextShape::classifier) {
        result->deciding_head = verdict_head(model, result->plain.trace);
        const AttentionPlace layer{Stack::encoder, Attention::self, result->deciding_head->block};
        std::vector<Intervention> without = what_ifs;
        without.push_back(remove_head_of(layer, result->deciding_head->head));
        const TextTrace trace = text_forward(model, result->run.trace.batch, without);
        result->lead_without = lead_of(trace, result->run.label);
    }
    if (request.swap.place >= 0 && request.swap.place < static_cast<int>(words.size()) && !request.swap.word.empty()) {
        std::vector<std::string> other = words;
        other[static_cast<std::size_t>(request.swap.place)] = request.swap.word;
        result->swapped = run_text(model, other, how, what_ifs);
    }
    told(0.9);
    if (model.config.has_decoder()) result->taught = teach(model, *result);
    return result;
}

std::shared_ptr<const TextResult> with_measures(const std::shared_ptr<const TextResult>& of, const Progress& progress) {
    if (of->empty() || of->has_measures()) return of;
    auto result = std::make_shared<TextResult>(*of);
    result->measures = measure_text(*of->model, of->run, edits_of(of->request, *of->model), progress);
    return result;
}

TextRunning::TextRunning(std::function<void()> on_change)
    : Latest([](Run& run) { run.publish(run_request(run.request(), run.progress())); }, std::move(on_change)) {}

TextShown TextRunning::shown(int client) const {
    const State now = latest(client);
    return {.result = now.result, .running = now.running, .seconds = now.seconds};
}

TextMeasuring::TextMeasuring(std::function<void()> on_change)
    : Latest(
          [](Run& run) {
              const std::shared_ptr<const TextResult>& of = run.request().of;
              run.publish(std::make_shared<const TextMeasured>(TextMeasured{of, with_measures(of, run.progress())}));
          },
          std::move(on_change)) {}

}  // namespace vitrine
