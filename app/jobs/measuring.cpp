#include "app/jobs/measuring.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "app/library/image_set.h"
#include "app/library/library.h"
#include "app/workspace/over_images.h"
#include "app/workspace/words_beside.h"
#include "app/workspace/words_measured.h"
#include "core/base/error.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/measures/head_similarity.h"
#include "core/measures/head_statistics.h"
#include "core/measures/importance.h"
#include "core/measures/occlusion.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/vit/forward.h"
#include "core/vit/model.h"
#include "core/vit/run_memory.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

constexpr int filters_shown = 28;  // as in the ViT paper's Fig. 7

/// Maps low … high to 0 … 255; 128 if both are equal.
std::uint8_t to_byte(float value, float low, float high) {
    const float place = high > low ? (value - low) / (high - low) : 0.5F;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(place, 0.0F, 1.0F)));
}

/// The patches' first three principal components as red, green and blue, each scaled from its minimum to its maximum.
LevelColours colours_of_level(const Trace& trace, int level, const Config& c) {
    Components components = token_components(c, trace, level);
    auto picture = std::make_shared<Image>();
    picture->width = c.grid_width();
    picture->height = c.grid_height();
    const std::size_t n = components.scores.shape()[0], kept = components.scores.shape()[1];
    picture->rgb.assign(3 * n, 128);
    for (std::size_t k = 0; k < std::min<std::size_t>(3, kept); ++k) {
        float low = components.scores(0, k), high = low;
        for (std::size_t i = 0; i < n; ++i) {
            low = std::min(low, components.scores(i, k));
            high = std::max(high, components.scores(i, k));
        }
        for (std::size_t i = 0; i < n; ++i) picture->rgb[3 * i + k] = to_byte(components.scores(i, k), low, high);
    }
    return {picture, components.explained, std::move(components.scores)};
}

/// A filter as a picture: 0 is grey, and colours are scaled by the filter's largest magnitude.
std::shared_ptr<const Image> picture_of_filter(const float* values, const Config& c) {
    auto picture = std::make_shared<Image>();
    const int side = c.patch_size, area = side * side;
    picture->width = picture->height = side;
    picture->rgb.resize(static_cast<std::size_t>(3) * static_cast<std::size_t>(area));
    float reach = 0;
    for (int i = 0; i < c.patch_dim(); ++i) reach = std::max(reach, std::abs(values[i]));
    for (int pixel = 0; pixel < area; ++pixel)
        for (int channel = 0; channel < 3; ++channel)
            picture->rgb[static_cast<std::size_t>(3 * pixel + channel)] =
                to_byte(values[std::min(channel, c.channels - 1) * area + pixel], -reach, reach);
    return picture;
}

/// The laboratory's choices that affect measurements, without those that only affect the display.
Laboratory needs_of(const Laboratory& lab) {
    Laboratory needs;
    needs.instrument = lab.instrument;
    needs.order = lab.order == HeadOrder::similarity ? lab.order : HeadOrder::block;
    needs.method = lab.method;
    needs.rollout = lab.rollout;
    needs.figure = lab.figure;
    needs.target = lab.target;
    needs.against = lab.against;
    needs.cover_size = lab.cover_size;
    needs.cover = lab.cover;
    needs.cause = lab.cause;
    needs.site = lab.site;
    needs.over = lab.over;
    needs.images = lab.images;
    needs.ranking = lab.ranking;
    if (lab.instrument == Instrument::words) needs.texts = lab.texts;
    return needs;
}

/// The image whose importance orders the heads that are pruned; null: all of them.
std::shared_ptr<const OpenImage> ranked_by(const MeasureRequest& request) {
    return request.lab.over == ImportanceScope::image ? request.of->image : nullptr;
}

/// Makes the maps of mean and deviation over the images measured so far.
void make_maps(ImportanceOver& over, const Config& c) {
    const std::vector<float> mean = over.numbers.mean(), deviation = over.numbers.deviation();
    const auto blocks = static_cast<std::size_t>(c.blocks), heads = static_cast<std::size_t>(c.heads),
               all = blocks * heads;
    const auto map = [&](const std::vector<float>& numbers, std::size_t first) {
        Tensor2 t = tensor2(blocks, heads);
        std::copy_n(numbers.data() + first, all, t.data());
        return t;
    };
    const auto row = [&](const std::vector<float>& numbers) {
        return std::vector<float>(numbers.data() + all, numbers.data() + all + blocks);
    };
    over.heads = map(mean, 0), over.heads_deviation = map(deviation, 0);
    over.mlps = row(mean), over.mlps_deviation = row(deviation);
    over.gradient = map(mean, all + blocks);
}

HeadGroups groups_of(const Trace& trace, const Progress& progress) {
    HeadGroups groups{head_divergences(trace, progress), {}, {}};
    groups.order = cluster_order(groups.divergences);
    groups.branch = cluster_branches(groups.divergences, head_groups);
    return groups;
}

/// Keeps measurements of the same images, so that they continue where they stopped; they do not depend on what-ifs.
void keep_over_images(Measured& m, const MeasureRequest& request, const Measured& before) {
    const auto same = [&](const TriedImages& images) { return images.folder == request.lab.images; };
    if (before.importance_over && same(before.importance_over->images)) m.importance_over = before.importance_over;
    if (before.pruned && same(before.pruned->images) && before.pruned->ranking == request.lab.ranking &&
        before.pruned->ranked_by == ranked_by(request))
        m.pruned = before.pruned;
}

/// The reusable part of the last measurement: everything of the same run with equal choices.
Measured kept_for(const MeasureRequest& request, const Measured* before) {
    Measured m;
    m.of = request.of;
    m.target = target_of(request.lab, *request.of);
    m.range = request.lab.rollout;
    m.covered = {request.lab.cover_size, request.lab.cover, m.target.index};
    m.patched_from = request.beside;
    m.site = request.lab.site;
    if (before == nullptr) return m;
    if (before->of->model == m.of->model) {
        m.filters = before->filters;
        m.filter_components = before->filter_components;
        m.text_tower = before->text_tower;
        keep_over_images(m, request, *before);
    }
    if (before->of != m.of) return m;
    m.statistics = before->statistics;
    m.object_share = before->object_share;
    m.groups = before->groups;
    m.lens = before->lens;
    m.ledger = before->ledger;
    m.norms = before->norms;
    m.massive = before->massive;
    m.colours = before->colours;
    m.importance = before->importance;
    m.gradient_importance = before->gradient_importance;
    m.words = before->words;  // until new ones are measured
    if (before->range == m.range) {
        m.rollout = before->rollout;
        m.rollout_readout = before->rollout_readout;
        m.perturbation = before->perturbation;
    }
    const bool same_blocks =
        before->range.first_block == m.range.first_block && before->range.last_block == m.range.last_block;
    if (same_blocks && before->target == m.target) {
        m.relevance = before->relevance;
        m.relevance_readout = before->relevance_readout;
    }
    if (before->target.index == m.target.index) m.token_lens = before->token_lens;
    if (before->covered == m.covered && before->occlusion && before->occlusion->done == before->occlusion->total)
        m.occlusion = before->occlusion;
    if (before->patched_from == m.patched_from && before->site == m.site && before->patching &&
        before->patching->done == before->patching->total)
        m.patching = before->patching;
    return m;
}

/// Number of N × N matrices in memory while rollout or relevance is measured: one for each block of the range, those of
/// one step, and for relevance three for each head of one block, for its gradients.
int maps_through_depth(const RolloutOptions& range, DepthMethod method, const Config& c) {
    const BlockRange blocks = block_range(range.first_block, range.last_block, c.blocks);
    return blocks.last - blocks.first + 3 + (method == DepthMethod::relevance ? 3 * c.heads : 0);
}

/// A measurement in progress: adds the parts an instrument needs and publishes each one when it is done.
class Measurement {
public:
    explicit Measurement(Latest<MeasureRequest, Measured>::Run& run)
        : run_(run),
          progress_(run.progress()),
          lab_(run.request().lab),
          m_(kept_for(run.request(), run.before().get())),
          model_(*m_.of->model),
          trace_(m_.of->trace),
          classifies_(model_.config.classes > 0) {
        publish();
    }

    void measure() {
        switch (lab_.instrument) {
            case Instrument::heads:
            case Instrument::compare:
            case Instrument::statistics: return heads();
            case Instrument::depth: return depth();
            case Instrument::tokens: return tokens();
            case Instrument::lens: return lens();
            case Instrument::ledger:
                if (classifies_) complete(m_.ledger, [&] { return logit_ledger(model_, trace_, what_ifs()); });
                return;
            case Instrument::occlusion: return cover();
            case Instrument::causes:
                if (classifies_) causes();
                return;
            case Instrument::words: return words();
        }
    }

private:
    const std::vector<Intervention>& what_ifs() const { return m_.of->experiment.what_ifs; }

    void publish() { run_.publish(std::make_shared<const Measured>(m_)); }

    /// Computes and publishes a part if it is missing.
    template <class Part, class Make>
    void complete(Part& part, Make make) {
        if (part) return;
        part = std::make_shared<std::decay_t<decltype(make())>>(make());
        publish();
    }

    void heads() {
        complete(m_.statistics, [&] { return head_statistics(trace_, model_.config, progress_); });
        if (!m_.object_share)
            if (const auto share_of = object_cover(*m_.of))
                complete(m_.object_share, [&] { return attention_share(trace_, *share_of); });
        if (lab_.instrument == Instrument::heads && lab_.order == HeadOrder::similarity)
            complete(m_.groups, [&] { return groups_of(trace_, progress_); });
    }

    void depth() {
        const RolloutOptions& range = m_.range;
        if (!(lab_.method == DepthMethod::rollout ? m_.rollout : m_.relevance))
            require_memory_for_matrices(model_, maps_through_depth(range, lab_.method, model_.config),
                                        "measuring through depth");
        if (lab_.method == DepthMethod::rollout) {
            complete(m_.rollout, [&] { return rollout_by_block(trace_, range, progress_); });
            complete(m_.rollout_readout,
                     [&] { return rollout_of_readout(model_.config, *trace_.head, m_.rollout->back(), range); });
        } else if (classifies_) {
            const RelevanceOf of{model_, trace_, what_ifs(), m_.target, range.first_block, range.last_block};
            complete(m_.relevance, [&] { return relevance_by_block(of, progress_); });
            complete(m_.relevance_readout, [&] { return relevance_of_readout(of, m_.relevance->back()); });
        }
    }

    void tokens() {
        if (lab_.figure == TokenFigure::filters) filters();
        if (lab_.figure == TokenFigure::norms) {
            complete(m_.norms, [&] { return token_norms(model_.config, trace_); });
            complete(m_.massive, [&] { return massive_activations(trace_); });
        }
        if (lab_.figure == TokenFigure::components)
            complete(m_.colours, [&] {
                std::vector<LevelColours> levels;
                for (int level = 0; level <= model_.config.blocks; ++level) {
                    report(progress_, static_cast<double>(level) / (model_.config.blocks + 1));
                    levels.push_back(colours_of_level(trace_, level, model_.config));
                }
                return levels;
            });
    }

    void filters() {
        if (m_.filters) return;
        m_.filter_components = std::make_shared<Components>(filter_components(model_, filters_shown));
        complete(m_.filters, [&] {
            std::vector<std::shared_ptr<const Image>> pictures;
            for (std::size_t k = 0; k < m_.filter_components->explained.size(); ++k)
                pictures.push_back(picture_of_filter(&m_.filter_components->directions(k, 0), model_.config));
            return pictures;
        });
    }

    void lens() {
        if (!classifies_) return;
        complete(m_.lens, [&] { return logit_lens(model_, trace_); });
        complete(m_.token_lens, [&] { return token_lens(model_, trace_, m_.target.index, progress_); });
    }

    void cover() {
        if (!classifies_ || m_.occlusion) return;
        const auto grow = [&](const OcclusionMap& map) {
            m_.occlusion = std::make_shared<OcclusionMap>(map);
            publish();
        };
        occlusion({model_, trace_.embedding->image, what_ifs(), m_.covered}, grow, progress_);
    }

    void causes() {
        switch (lab_.cause) {
            case CauseFigure::importance:
                if (lab_.over == ImportanceScope::images) return importance_over(progress_);
                complete(m_.importance, [&] { return importance(own_run(), Ablation::zero, progress_); });
                complete(m_.gradient_importance, [&] { return gradient_importance(own_run(), progress_); });
                return;
            case CauseFigure::pruning: return prune();
            case CauseFigure::patching: return patch();
            case CauseFigure::perturbation:
                if (!m_.perturbation)
                    require_memory_for_matrices(model_, maps_through_depth({}, DepthMethod::relevance, model_.config),
                                                "the curves of removed patches");
                complete(m_.perturbation, [&] {
                    return perturbation_curves({model_, trace_, what_ifs(), m_.range}, progress_);
                });
                return;
        }
    }

    void words() {
        if (m_.words && m_.words->typed == lab_.texts) return;
        WordsMeasured w{.typed = lab_.texts, .texts = texts_in(lab_.texts), .refused = "", .nearness = {}};
        try {
            if (!m_.text_tower && m_.of->words) m_.text_tower = m_.of->words->tower;  // null if it is refused
            if (!m_.text_tower) m_.text_tower = std::make_shared<const TextTower>(open_text_tower(model_, progress_));
            w.each_alone = m_.text_tower->bias.has_value();
            w.nearness =
                nearness_of(model_, trace_, *m_.text_tower, features_of_texts(*m_.text_tower, w.texts, progress_));
        } catch (const Error& error) {
            w.refused = error.what();
        }
        m_.words = std::make_shared<const WordsMeasured>(std::move(w));
        publish();
    }

    ImportanceOf own_run() const { return {model_, trace_, what_ifs()}; }

    /// A forward pass of one of several images, without what-ifs.
    Trace run_of(const ImageSource& source) const {
        const auto image = open_image(source, {}, m_.of->colours);
        Tensor3 pixels = preprocess(image->full, model_.preprocessing, model_.config).pixels;
        if (m_.of->baseline.budget) return forward_within(*m_.of->baseline.budget, std::move(pixels));
        return forward(model_, std::move(pixels));
    }

    /// Calls work(run, number, set, progress) for each image that was not tried yet, and publish_part() after each.
    template <class Work, class Publish>
    void for_images(TriedImages& images, const Progress& progress, Work work, Publish publish_part) {
        const ImageSet set = image_set(lab_.images, model_);
        images.folder = lab_.images;
        images.total = set.images.size();
        for (; images.tried < images.total; publish_part()) {
            const auto part = [&](double f) {
                report(progress, (static_cast<double>(images.tried) + f) / static_cast<double>(images.total));
            };
            part(0);
            try {
                const Trace run = run_of(set.images[images.tried]);
                work(run, images.tried, set, part);
            } catch (const Error& error) {
                images.unread.emplace_back(error.what());
            }
            ++images.tried;
        }
    }

    void importance_over(const Progress& progress) {
        if (m_.importance_over && m_.importance_over->images.all()) return;
        ImportanceOver over = m_.importance_over ? *m_.importance_over : ImportanceOver();
        const auto add = [&](const Trace& run, std::size_t, const ImageSet&, const Progress& part) {
            const Importance one = importance({model_, run}, Ablation::zero, part);
            const Tensor2 gradient = gradient_importance({model_, run});
            std::vector<float> row(one.heads.begin(), one.heads.end());
            row.insert(row.end(), one.mlps.begin(), one.mlps.end());
            row.insert(row.end(), gradient.begin(), gradient.end());
            over.numbers.add(row);
            make_maps(over, model_.config);
        };
        for_images(over.images, progress, add, [&] {
            m_.importance_over = std::make_shared<const ImportanceOver>(over);
            publish();
        });
    }

    /// The importance of each head (block, head), by which heads are pruned.
    Tensor2 ranks_of_heads() {
        const bool removal = lab_.ranking == HeadRanking::removal;
        const auto half = [&](double f) { report(progress_, f / 2); };
        if (lab_.over == ImportanceScope::image) {
            const ImportanceOf of{model_, m_.of->baseline};
            return removal ? importance(of, Ablation::zero, half).heads : gradient_importance(of, half);
        }
        importance_over(half);
        if (m_.importance_over->numbers.count() == 0) throw Error(m_.importance_over->images.unread.front());
        return removal ? m_.importance_over->heads : m_.importance_over->gradient;
    }

    void prune() {
        if (m_.pruned && m_.pruned->images.all()) return;
        Pruned pruned;
        if (m_.pruned) {
            pruned = *m_.pruned;
        } else {
            pruned.ranking = lab_.ranking;
            pruned.ranked_by = ranked_by(run_.request());
            pruned.order = least_important_first(ranks_of_heads());
        }
        const auto add = [&](const Trace& run, std::size_t number, const ImageSet& set, const Progress& part) {
            pruned.curve.add(choices_without({model_, run}, pruned.order, part),
                             set.classes.empty() ? std::nullopt : std::optional(set.classes[number]));
        };
        for_images(
            pruned.images, [&](double f) { report(progress_, 0.5 + f / 2); }, add,
            [&] {
                m_.pruned = std::make_shared<const Pruned>(pruned);
                publish();
            });
    }

    void patch() {
        if (m_.patching || !m_.patched_from || model_.config.classes < 2) return;
        const Trace& from = m_.patched_from->trace;
        const auto grow = [&](const PatchingMap& map) {
            m_.patching = std::make_shared<PatchingMap>(map);
            publish();
        };
        PatchingMap none;  // the result if both runs have the same answer
        none.logits = logits_to_patch(from, trace_);
        if (!none.logits.differ()) return grow(none);
        patching({model_, from, trace_, what_ifs(), m_.site}, grow, progress_);
    }

    Latest<MeasureRequest, Measured>::Run& run_;
    const Progress progress_;
    const Laboratory lab_;
    Measured m_;
    const Model& model_;
    const Trace& trace_;
    const bool classifies_;
};

}  // namespace

Measuring::Measuring(std::function<void()> on_change)
    : Latest([](auto& run) { Measurement(run).measure(); }, std::move(on_change)) {}

void Measuring::request(int workspace, const MeasureRequest& request, Asking asking) {
    if (!request.of) return forget(workspace);
    Latest::request(workspace, {request.of, needs_of(request.lab), request.beside}, asking);
}

}  // namespace vitrine
