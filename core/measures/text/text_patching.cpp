#include "core/measures/text/text_patching.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/team.h"
#include "core/text/text_forward.h"

namespace vitrine {

namespace {

using Rows = std::shared_ptr<const std::vector<float>>;

Rows one_row(const Tensor2& x, int row) {
    const float* const first = x.data() + static_cast<std::size_t>(row) * x.shape()[1];
    return std::make_shared<const std::vector<float>>(first, first + x.shape()[1]);
}

Rows one_head(const Tensor3& x, int head) {
    const std::size_t size = x.shape()[1] * x.shape()[2];
    const float* const first = x.data() + static_cast<std::size_t>(head) * size;
    return std::make_shared<const std::vector<float>>(first, first + size);
}

/// The intervention that patches in a block's activations at a site, of the word or head `part`.
template <class Block>
Intervention text_patch(const Block& block, const AttentionTrace& attention, PatchSite site, Where where, int part) {
    const bool head = is_by_head(site);
    (head ? where.head : where.token) = part;
    if (head || site == PatchSite::attention) where.attention = Attention::self;
    switch (site) {
        case PatchSite::stream: return {Site::stream, where, Replace{one_row(*block.z, part)}};
        case PatchSite::attention: return {Site::msa, where, Replace{one_row(attention.msa, part)}};
        case PatchSite::mlp: return {Site::mlp_out, where, Replace{one_row(block.mlp.out, part)}};
        case PatchSite::head: break;
    }
    return {Site::heads, where, Replace{one_head(attention.heads, part)}};
}

Intervention text_patch(const TextTrace& from, Stack stack, PatchSite site, int block, int part) {
    const Where where{.block = block, .stack = stack};
    if (stack == Stack::encoder) {
        const auto own = from.encoder.block(block);
        return text_patch(*own, *own, site, where, part);
    }
    const auto own = from.decoder.block(block);
    return text_patch(*own, own->self, site, where, part);
}

/// The most probable answer of a row.
int answer_of(const TextTrace& trace, std::size_t row) {
    const Tensor2& logits = trace.generator->logits;
    const float* const first = &logits(row, 0);
    return static_cast<int>(std::max_element(first, first + logits.shape()[1]) - first);
}

double margin_in(const TextTrace& trace, const TextPatchingMap& map) {
    const Tensor2& logits = trace.generator->logits;
    const auto row = static_cast<std::size_t>(map.row);
    return static_cast<double>(logits(row, static_cast<std::size_t>(map.logits.chosen))) -
           static_cast<double>(logits(row, static_cast<std::size_t>(map.logits.other)));
}

/// The number of tokens that can be patched: of the source, or of a language model's text.
std::size_t words_given(const TextTrace& trace, Stack stack) {
    return stack == Stack::encoder ? trace.batch->source.ids.size() : trace.batch->target.ids.size();
}

/// Finds the row where the answers differ. Rows that have read different words of the output are not compared.
void find_row(const TextPatchingOf& of, TextPatchingMap& map) {
    const std::size_t rows = std::min(of.from.generator->logits.shape()[0], of.into.generator->logits.shape()[0]);
    const bool reads_output = map.stack == Stack::encoder && of.model.config.has_decoder();
    const std::vector<int>&a = of.from.batch->target.ids, &b = of.into.batch->target.ids;
    for (std::size_t row = 0; row < rows; ++row) {
        if (reads_output && a[row] != b[row]) break;
        if (!reads_output && of.model.config.has_decoder() && row + 1 < rows)
            continue;  // the answer is predicted at the prompt's last word
        map.row = static_cast<int>(row);
        map.logits.chosen = answer_of(of.from, row);
        map.logits.other = answer_of(of.into, row);
        if (map.logits.chosen != map.logits.other) return;
    }
}

}  // namespace

TextTrace text_to_patch(const TextModel& model, const TextRun& run) {
    if (model.config.has_encoder()) return run.trace;
    const std::vector<int>& read = run.trace.batch->target.ids;  // [BOS], the text, the words produced
    const auto given = static_cast<std::ptrdiff_t>(std::min(read.size(), run.input.size() + 1));
    TextBatch batch;
    batch.target.add({read.begin(), read.begin() + given});
    return text_forward(model, std::move(batch));
}

TextPatchingMap text_patching(const TextPatchingOf& of, const Progress& progress) {
    const TextConfig& c = of.model.config;
    TextPatchingMap map;
    map.stack = c.has_encoder() ? Stack::encoder : Stack::decoder;
    const std::size_t words = words_given(of.into, map.stack);
    if (words_given(of.from, map.stack) != words)
        throw Error("patching: the texts have " + std::to_string(words_given(of.from, map.stack)) + " and " +
                    std::to_string(words) + " positions, which do not correspond; give texts with as many words");
    find_row(of, map);
    map.logits.clean = margin_in(of.from, map);
    map.logits.plain = margin_in(of.into, map);
    if (map.logits.chosen == map.logits.other || !map.logits.differ())
        throw Error(
            "patching: both texts have nearly the same answer, so nothing can come back; patch from a text with "
            "another answer");
    const int blocks = map.stack == Stack::encoder ? c.blocks : c.decoder_blocks;
    const int parts = is_by_head(of.site) ? c.heads : static_cast<int>(words);
    map.returned = tensor2(static_cast<std::size_t>(blocks), static_cast<std::size_t>(parts));
    for (int block = 1; block <= blocks; ++block) {
        report(progress, static_cast<double>(block - 1) / blocks);
        parallel_for(static_cast<std::size_t>(parts), thread_count(), [&](std::size_t part) {
            std::vector<Intervention> edits(of.what_ifs.begin(), of.what_ifs.end());
            edits.push_back(text_patch(of.from, map.stack, of.site, block, static_cast<int>(part)));
            map.returned(static_cast<std::size_t>(block - 1), part) =
                static_cast<float>((margin_in(text_what_if(of.model, of.into, edits), map) - map.logits.plain) /
                                   (map.logits.clean - map.logits.plain));
        });
    }
    return map;
}

}  // namespace vitrine
