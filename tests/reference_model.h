#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "core/tensor/ops.h"
#include "core/transformer/intervention.h"
#include "core/vit/embedding.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

/// A second implementation of the Vision Transformer, in double precision and as plain as possible, for numerical
/// differentiation.
///
/// Supports every variant that can be trained; takes dropout's masks once from the real implementation.
class ReferenceModel {
public:
    using Matrix = std::vector<std::vector<double>>;

    ReferenceModel(const Config& config, int images, std::vector<Intervention> drops = {})
        : c_(config), images_(images), drops_(std::move(drops)) {}

    /// The summed cross-entropy of a batch; `values` in the order of FlatWeights, pixels (B·C, H, W).
    double loss(const std::vector<double>& values, const FlatWeights& layout, const Tensor3& pixels,
                const std::vector<int>& labels) {
        values_ = &values;
        layout_ = &layout;
        const Weights& w = layout.weights();
        const auto n = static_cast<std::size_t>(c_.tokens());
        Matrix z = embed(w, pixels);
        if (c_.embedding_norm) z = norm(w.embedding_norm, z);
        for (int block = 1; block <= c_.blocks; ++block)
            z = encode(w.blocks[static_cast<std::size_t>(block - 1)], z, block);
        double sum = 0;
        for (int image = 0; image < images_; ++image) {
            const Matrix logits = classify(w, z, static_cast<std::size_t>(image) * n);
            double all = 0;
            for (const double l : logits[0]) all += std::exp(l);
            sum += std::log(all) - logits[0][static_cast<std::size_t>(labels[static_cast<std::size_t>(image)])];
        }
        return sum;
    }

private:
    /// Logits of the image whose tokens begin at row `first`.
    Matrix classify(const Weights& w, const Matrix& z, std::size_t first) const {
        if (!c_.norms_tokens()) return linear(w.classifier, norm(w.norm, {read(z, first)}));
        const Matrix normed = norm(w.norm, z);
        Config one = c_;
        one.readout = Readout::mean;
        const std::vector<double> mean = ReferenceModel(one, images_).read(normed, first);
        if (c_.readout == Readout::mean) return linear(w.classifier, {mean});
        const auto row_of = [&](TokenKind kind) {
            return normed[first + static_cast<std::size_t>(*c_.first_of(kind))];
        };
        std::vector<double> both = row_of(TokenKind::class_token);
        if (c_.readout == Readout::class_and_mean) {
            both.insert(both.end(), mean.begin(), mean.end());
            return linear(w.classifier, {both});
        }
        Matrix logits = linear(w.classifier, {both});
        const Matrix other = linear(w.distillation_classifier, {row_of(TokenKind::distillation)});
        for (std::size_t k = 0; k < logits[0].size(); ++k) logits[0][k] = 0.5 * (logits[0][k] + other[0][k]);
        return logits;
    }

    /// The head's input for the image whose tokens begin at row `first`.
    std::vector<double> read(const Matrix& z, std::size_t first) const {
        const auto n = static_cast<std::size_t>(c_.tokens());
        if (c_.readout == Readout::class_token)
            return z[first + static_cast<std::size_t>(*c_.first_of(TokenKind::class_token))];
        if (c_.readout == Readout::last) return z[first + n - 1];
        std::vector<double> mean(z[0].size(), 0.0);
        const auto leading = static_cast<std::size_t>(c_.leading_tokens());
        for (std::size_t token = leading; token < n; ++token)
            for (std::size_t i = 0; i < mean.size(); ++i)
                mean[i] += z[first + token][i] / static_cast<double>(n - leading);
        return mean;
    }

    double at(const Parameter& p, std::size_t i) const { return (*values_)[layout_->offset_of(p) + i]; }

    Matrix linear(const LinearWeights& w, const Matrix& x) const {
        const std::size_t outputs = w.weight.shape()[0], inputs = w.weight.shape()[1];
        Matrix y(x.size(), std::vector<double>(outputs));
        for (std::size_t r = 0; r < x.size(); ++r)
            for (std::size_t o = 0; o < outputs; ++o) {
                double sum = w.bias.empty() ? 0 : at(w.bias, o);
                for (std::size_t i = 0; i < inputs; ++i) sum += x[r][i] * at(w.weight, o * inputs + i);
                y[r][o] = sum;
            }
        return y;
    }

    Matrix norm(const LayerNormWeights& w, const Matrix& x) const {
        Matrix y = x;
        for (std::vector<double>& row : y) {
            const double size = static_cast<double>(row.size());
            const double mean = std::accumulate(row.begin(), row.end(), 0.0) / size;
            double variance = 0;
            for (const double v : row) variance += (v - mean) * (v - mean) / size;
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = at(w.gamma, i) * (row[i] - mean) /
                             std::sqrt(variance + static_cast<double>(c_.layer_norm_epsilon)) +
                         at(w.beta, i);
        }
        return y;
    }

    double activate(double x) const {
        switch (c_.activation) {
            case Activation::relu: return x > 0 ? x : 0;
            case Activation::elu: return x > 0 ? x : std::exp(x) - 1;
            default: return x * normal_cdf(x);
        }
    }

    Matrix embed(const Weights& w, const Tensor3& pixels) const {
        const Tensor2 rows = patches_as_rows(pixels, c_.channels, c_.patch_size);
        Matrix patches(rows.shape()[0], std::vector<double>(rows.shape()[1]));
        for (std::size_t r = 0; r < patches.size(); ++r)
            for (std::size_t i = 0; i < patches[r].size(); ++i) patches[r][i] = static_cast<double>(rows(r, i));
        const Matrix embedded = linear(w.patch_embedding, patches);
        const auto n = static_cast<std::size_t>(c_.tokens()), d = static_cast<std::size_t>(c_.embedding_dim);
        const auto leading = static_cast<std::size_t>(c_.leading_tokens());
        Matrix z;
        for (std::size_t image = 0; image < static_cast<std::size_t>(images_); ++image)
            for (std::size_t token = 0; token < n; ++token) {
                std::vector<double> row(d);
                for (std::size_t i = 0; i < d; ++i) {
                    row[i] = token < leading ? at(w.leading, token * d + i)
                                             : embedded[image * (n - leading) + token - leading][i];
                    if (const auto place = c_.position_row(static_cast<int>(token));
                        place && c_.positions != Positions::none)
                        row[i] += at(w.position, static_cast<std::size_t>(*place) * d + i);
                }
                z.push_back(row);
            }
        return z;
    }

    Matrix encode(const BlockWeights& w, const Matrix& z, int block) {
        const auto join = [&](const Matrix& branch, const Matrix& skip) {
            Matrix sum = branch;
            for (std::size_t r = 0; c_.skips && r < sum.size(); ++r)
                for (std::size_t i = 0; i < sum[r].size(); ++i) sum[r][i] += skip[r][i];
            return sum;
        };
        switch (c_.norm) {
            case Norm::before: {
                const Matrix first = join(attend(w, norm(w.ln1, z), block), z);
                return join(think(w, norm(w.ln2, first), block), first);
            }
            case Norm::after: {
                const Matrix first = norm(w.ln1, join(attend(w, z, block), z));
                return norm(w.ln2, join(think(w, first, block), first));
            }
            default: {
                const Matrix first = join(attend(w, z, block), z);
                return join(think(w, first, block), first);
            }
        }
    }

    Matrix think(const BlockWeights& w, const Matrix& x, int block) {
        Matrix hidden = linear(w.mlp_in, x);
        for (std::vector<double>& row : hidden)
            for (double& v : row) v = activate(v);
        drop(hidden, Site::mlp_activation, block);
        Matrix out = linear(w.mlp_out, hidden);
        drop(out, Site::mlp_out, block);
        return out;
    }

    Matrix attend(const BlockWeights& w, const Matrix& x, int block) {
        const Matrix q = linear(w.query, x), k = linear(w.key, x), v = linear(w.value, x);
        const auto n = static_cast<std::size_t>(c_.tokens()), h = static_cast<std::size_t>(c_.heads);
        const auto d = static_cast<std::size_t>(c_.head_dim());
        Matrix weights;  // (B·h·N, N), laid out like the real one
        for (std::size_t g = 0; g < static_cast<std::size_t>(images_) * h; ++g)
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t image = g / h, head = g % h;
                std::vector<double> row(n);
                double sum = 0;
                for (std::size_t j = 0; j < n; ++j) {
                    double score = 0;
                    for (std::size_t e = 0; e < d; ++e)
                        score += q[image * n + i][head * d + e] * k[image * n + j][head * d + e];
                    sum += row[j] = std::exp(score / std::sqrt(static_cast<double>(d)));
                }
                for (double& a : row) a /= sum;
                weights.push_back(row);
            }
        drop(weights, Site::attention, block);
        Matrix merged(x.size(), std::vector<double>(h * d, 0.0));
        for (std::size_t g = 0; g < static_cast<std::size_t>(images_) * h; ++g)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t e = 0; e < d; ++e)
                        merged[g / h * n + i][g % h * d + e] += weights[g * n + i][j] * v[g / h * n + j][g % h * d + e];
        Matrix out = linear(w.projection, merged);
        drop(out, Site::msa, block);
        return out;
    }

    /// Multiplies by the real implementation's dropout mask of a site.
    void drop(Matrix& x, Site site, int block) {
        if (drops_.empty()) return;
        std::vector<float>& mask = masks_[{static_cast<int>(site), block}];
        if (mask.empty()) {
            const Editor edit(drops_, {images_, c_.tokens()});
            const auto groups = static_cast<std::size_t>(images_ * c_.heads), n = static_cast<std::size_t>(c_.tokens());
            if (site == Site::attention) {
                Tensor3 ones = tensor3(groups, n, n);
                std::fill(ones.begin(), ones.end(), 1.0F);
                edit(site, block, ones);
                mask.assign(ones.begin(), ones.end());
            } else {
                Tensor2 ones = tensor2(x.size(), x[0].size());
                std::fill(ones.begin(), ones.end(), 1.0F);
                edit(site, block, ones);
                mask.assign(ones.begin(), ones.end());
            }
        }
        for (std::size_t r = 0, at = 0; r < x.size(); ++r)
            for (double& v : x[r]) v *= static_cast<double>(mask[at++]);
    }

    Config c_;
    int images_;
    std::vector<Intervention> drops_;
    std::map<std::pair<int, int>, std::vector<float>> masks_;
    const std::vector<double>* values_ = nullptr;
    const FlatWeights* layout_ = nullptr;
};

}  // namespace vitrine
