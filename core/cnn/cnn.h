#pragma once

#include <vector>

#include "core/tensor/ops.h"
#include "core/transformer/flat_numbers.h"

// A convolutional net to compare with the Vision Transformer. It assumes what the Transformer has to learn:
// neighbouring pixels belong together, and a pattern means the same anywhere. Used by core/training/net_study.

namespace vitrine {

/// Configuration of the net: all that decides its shapes.
struct CnnConfig {
    struct Stage {
        int channels = 0;  // C'
        int stride = 1;
    };

    int image_size = 64, channels = 3;
    std::vector<Stage> stages;
    int classes = 0;
    float layer_norm_epsilon = 1e-6F;

    /// Side length of the map after a stage (from 1); of the image for 0.
    int side(int stage) const;
    /// Channels of that map.
    int channels_after(int stage) const;
};

/// About as many parameters as the standard recipe's Vision Transformer: 32, 64, 96 and 88 channels, the side halved by
/// the first three stages.
CnnConfig standard_cnn(int classes);

struct CnnStageWeights {
    LinearWeights convolution;  // (C', 9·C), a window flattened in the order (y, x, channel)
    LayerNormWeights norm;      // (C')
};

struct CnnWeights {
    std::vector<CnnStageWeights> stages;
    LinearWeights classifier;  // (classes, C')
};

/// The weights of a net, or values of the same shapes, in one contiguous buffer.
class FlatCnnWeights : public Flat<CnnWeights> {
public:
    /// All zeros.
    explicit FlatCnnWeights(const CnnConfig& config);
};

/// Parameters by name: "stages.0.convolution.weight" …, in the order of the forward pass. Muon orthogonalises the
/// convolutions after the first.
std::vector<NamedParameter> parameters_of(const CnnWeights& weights);

/// One stage's activations. Rows are places, image by image, row by row.
struct CnnStageTrace {
    Tensor2 windows;    // (B·H'·W', 9·C) window around each place, zeros beyond the edge
    Tensor2 convolved;  // (B·H'·W', C')
    LayerNormTrace ln;  // (B·H'·W', C')
    Tensor2 out;        // (B·H'·W', C')
};

struct CnnTrace {
    std::vector<CnnStageTrace> stages;
    Tensor2 pooled;  // (B, C')  mean over the places
    Tensor2 logits;  // (B, classes)
};

struct Cnn {
    CnnConfig config;
    CnnWeights weights;
};

/// Each stage: a 3 × 3 convolution with a border of zeros (windows times weights), a layer norm over the channels of
/// each place, GELU; then the mean over all places, and a linear classifier.      pixels (B·C, H, W)
CnnTrace forward(const Cnn& net, const Tensor3& pixels);

/// Backward pass. ∂f/∂logits (B, classes) -> `gradients` = ∂f/∂parameters (overwritten)
void backward(const Cnn& net, const CnnTrace& trace, const Tensor2& logit_gradient, FlatCnnWeights& gradients);

}  // namespace vitrine
