#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/text/text_model.h"
#include "tests/golden_files.h"

namespace vitrine {

/// A text Transformer of tests/golden/make_text.py with its weights, and the sentences the script used.
struct GoldenTextModel {
    static constexpr int source_words = 11, target_words = 13, classes = 3;

    explicit GoldenTextModel(const std::string& name) : file("values/" + name + ".safetensors"), flat(config_of(name)) {
        for (const NamedParameter& p : parameters_of(flat.weights())) {
            const std::span<const float> numbers = file["w." + p.name];
            std::copy(numbers.begin(), numbers.end(), flat.at(p.parameter));
        }
        model.config = config_of(name);
        model.weights = flat.weights();
    }

    static TextConfig config_of(const std::string& name) {
        TextConfig c;
        c.embedding_dim = 8;
        c.heads = 2;
        c.mlp_dim = 12;
        c.layer_norm_epsilon = 1e-5F;
        c.activation = Activation::relu;
        c.norm = Norm::before;
        c.blocks = c.decoder_blocks = 2;
        c.longest = 8;
        if (name == "text_post") {
            c.norm = Norm::after;
            c.names_it = true;
        } else if (name == "text_pre") {
            c.activation = Activation::gelu;
            c.positions = Positions::learned;
        } else if (name == "text_open") {
            c.norm = Norm::none;
            c.blocks = c.decoder_blocks = 1;
            c.causal = c.scaled = false;
            c.positions = Positions::none;
        } else if (name == "text_class") {
            c.shape = TextShape::classifier;
            c.decoder_blocks = 0;
            c.classes = classes;
        } else if (name == "text_story") {
            c.shape = TextShape::language_model;
            c.blocks = 0;
        }
        c.source_words = c.has_encoder() ? source_words : 0;
        c.target_words = c.has_decoder() ? target_words : 0;
        return c;
    }

    /// The script's first `sentences` sentences, at most three.
    TextBatch batch(std::size_t sentences = 3) const {
        const std::vector<std::vector<int>> sources = {{6, 8, 5, 2}, {9, 2}, {10, 7, 7, 5, 2}};
        const std::vector<std::vector<int>> targets = {{1, 12, 7}, {1, 5, 6, 11, 8}, {1}};
        const std::vector<std::vector<int>> next = {{12, 7, 2}, {5, 6, 11, 8, 2}, {2}};
        const std::vector<std::vector<int>> reviews = {{4, 6, 8}, {4, 9, 10, 7, 5}, {4}};
        const std::vector<int> labels = {2, 0, 1};
        TextBatch b;
        for (std::size_t i = 0; i < sentences; ++i) {
            if (model.config.has_encoder()) b.source.add(model.config.has_decoder() ? sources[i] : reviews[i]);
            if (model.config.has_decoder()) {
                b.target.add(targets[i]);
                b.gold.insert(b.gold.end(), next[i].begin(), next[i].end());
            } else {
                b.gold.push_back(labels[i]);
            }
        }
        if (!model.config.names_it) return b;
        b.it.push_back({2, 6});  // sentence 0, place 2
        if (sentences == 3) b.it.push_back({4 + 2 + 1, 10});
        return b;
    }

    GoldenFile file;
    FlatTextWeights flat;
    TextModel model;
};

}  // namespace vitrine
