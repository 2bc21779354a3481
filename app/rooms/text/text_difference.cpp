#include "app/rooms/text/text_difference.h"

#include <algorithm>
#include <cmath>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/text_config.h"
#include "core/text/text_model.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

namespace {

using Numbers = std::vector<float>;

/// True if a chapter is about the words of the encoder.
bool is_about_source(const TextResult& now, TextChapter chapter) {
    const bool reads = attention_of_chapter(chapter) == TextAttention::encoder || chapter == TextChapter::tokens ||
                       chapter == TextChapter::embedding;
    return now.model->config.has_encoder() && (reads || !now.model->config.has_decoder());
}

/// The vector of the chapter's word in view, before the blocks or after the last one.
std::vector<float> vector_in_view(const TextLooked& run, bool embedded) {
    const TextTrace& trace = run.now.run.trace;
    if (is_about_source(run.now, run.selection.focus.text.chapter))
        return numbers_of(trace.encoder.z(embedded ? 0 : trace.encoder.blocks()),
                          source_in_view(run.now, run.selection));
    return numbers_of(trace.decoder.z(embedded ? 0 : trace.decoder.blocks()), target_in_view(run.now, run.selection));
}

std::string feature_name(const Ui& ui, int i) { return ui.text("difference.feature", {{"feature", ui.ordinal(i)}}); }

void compare_stream(const TextPair& p, Comparison& all, bool embedded) {
    const char* const id = embedded ? "difference.text_embedded" : "difference.text_stream";
    add_both(p, all, {.id = id, .title = p.ui.text(id), .name = [&ui = p.ui](int i) { return feature_name(ui, i); }},
             [&](const TextLooked& run) { return vector_in_view(run, embedded); });
}

/// Scores before the softmax; hidden pairs, −∞ in both, differ by 0.
void compare_scores(const TextPair& p, Comparison& all, TextAttention kind) {
    const TextSides sides = sides_of(p.a.now, p.a.now.run, kind);
    add_both(p, all, compared_words(p.ui, "difference.text_scores", sides.queries, sides.keys),
             [&](const TextLooked& run) {
                 const TextLook& look = run.selection.focus.text;
                 const auto t = attention_of(run.now.run, kind, block_in(run.now, kind, look));
                 Numbers own;
                 if (t == nullptr || sides_of(run.now, run.now.run, kind).queries.size() != sides.queries.size())
                     return own;
                 const std::size_t size = t->scores.shape()[1] * t->scores.shape()[2];
                 const auto head = static_cast<std::size_t>(std::max(0, head_in(run.now, look)));
                 own.assign(t->scores.data() + head * size, t->scores.data() + (head + 1) * size);
                 for (float& score : own)
                     if (std::isinf(score)) score = 0;
                 return own;
             });
}

/// The numbers that a chapter compares.
Comparison compare_chapter(const TextPair& p) {
    Comparison all;
    const TextChapter chapter = p.a.selection.focus.text.chapter;
    const auto kind = attention_of_chapter(chapter);
    if (kind) compare_attention(p, all, *kind);
    if (kind && chapter == TextChapter::mask)
        compare_scores(p, all, *kind);
    else if (chapter == TextChapter::tokens || chapter == TextChapter::embedding)
        compare_stream(p, all, true);
    else
        compare_stream(p, all, false);
    if (!kind) compare_logits(p, all);
    return all;
}

/// Draws both outputs, and the three most probable words or classes of the row in view.
void draw_outputs(const TextPair& p, Canvas& canvas, Rect rect) {
    float y = rect.y0;
    for (const TextLooked* const run : {&p.a, &p.b}) {
        const TextResult& now = run->now;
        const Tensor2& said = now.run.trace.generator->probabilities;
        const Numbers row = numbers_of(said, speaking_row(now, run->selection));
        std::vector<int> best(row.size());
        for (std::size_t i = 0; i < best.size(); ++i) best[i] = static_cast<int>(i);
        const std::size_t count = std::min<std::size_t>(3, best.size());
        std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                                  [&](int i) { return row[static_cast<std::size_t>(i)]; });
        std::string words = (run == &p.a ? "A: " : "B: ") + output_text(p.ui, now, now.run) + "\n";
        for (std::size_t i = 0; i < count; ++i)
            words += (i > 0 ? " · " : "") + output_name(p.ui, now, best[i]) + " " +
                     probability_text(static_cast<double>(row[static_cast<std::size_t>(best[i])]));
        y += rich_text(canvas, p.ui, {rect.x0, y, rect.x1, rect.y1},
                       {words, Font::caption, p.ui.theme.palette.text, Align::left}) +
             p.ui.theme.px(8);
    }
    p.ui.probe.mark("difference.answers", {rect.x0, rect.y0, rect.x1, y});
}

}  // namespace

void add_both(const TextPair& pair, Comparison& all, ComparedNumbers what,
              const std::function<std::vector<float>(const TextLooked& run)>& read) {
    what.a = read(pair.a);
    what.b = read(pair.b);
    all.add(std::move(what), pair.ui.text("difference.text.shapes"));
}

bool same_vocabulary(const TextPair& p) {
    const auto &a = p.a.now.model, &b = p.b.now.model;
    return a == b || (a->target == b->target && a->labels == b->labels);
}

ComparedNumbers compared_words(const Ui& ui, const std::string& id, const TextTokens& rows, const TextTokens& columns) {
    const int count = columns.size();
    return {.id = id,
            .title = ui.text(id),
            .name =
                [rows, columns, count](int i) {
                    return rows.words[static_cast<std::size_t>(i / count)] + " → " +
                           columns.words[static_cast<std::size_t>(i % count)];
                },
            .cells = {rows.size(), count}};
}

void compare_attention(const TextPair& p, Comparison& all, TextAttention kind) {
    const TextSides sides = sides_of(p.a.now, p.a.now.run, kind);
    add_both(p, all, compared_words(p.ui, "difference.text_attention", sides.queries, sides.keys),
             [&](const TextLooked& run) {
                 const TextLook& look = run.selection.focus.text;
                 const auto t = attention_of(run.now.run, kind, block_in(run.now, kind, look));
                 if (t == nullptr || sides_of(run.now, run.now.run, kind).queries.size() != sides.queries.size())
                     return Numbers();
                 return map_of(*t, head_in(run.now, look)).weights;
             });
}

void compare_logits(const TextPair& p, Comparison& all) {
    const TextResult& now = p.a.now;
    const bool words = now.model->config.has_decoder();
    add_both(p, all,
             {.id = "difference.text_logits",
              .title = p.ui.text(words ? "difference.text_logits" : "difference.text_class_logits"),
              .name = [&ui = p.ui, &now](int i) { return output_name(ui, now, i); }},
             [&](const TextLooked& run) {
                 return same_vocabulary(p)
                            ? numbers_of(run.now.run.trace.generator->logits, speaking_row(run.now, run.selection))
                            : Numbers();
             });
}

void draw_text_difference(const TextPair& p, Canvas& canvas, Rect area) {
    const TextLook& look = p.a.selection.focus.text;
    Comparison what;
    if (p.a.now.model->task != p.b.now.model->task || p.a.now.model->config.shape != p.b.now.model->config.shape)
        what.why = p.ui.text("difference.text.shapes");
    else if (look.lab.open)
        what = instrument_of(look).compared(p);
    else
        what = compare_chapter(p);
    draw_comparison(p.ui, canvas, area, what, [&](Rect rest) { draw_outputs(p, canvas, rest); });
}

}  // namespace vitrine
