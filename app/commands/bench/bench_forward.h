#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/bench/bench_bound.h"
#include "core/tensor/tensor.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Milliseconds of one call.
double milliseconds(const std::function<void()>& work);

/// A line of `vitrine bench`: medians of interleaved runs.
struct ForwardTiming {
    std::string name;
    int threads = 0;
    int runs = 0;
    double forward_ms = 0;  // with the full trace kept
    double bound_ms = 0;    // the pass's matrix products alone, by the fastest implementation: ProductBound
    std::string bound_name;
    double ratio = 0;   // median of forward / bound, run by run
    double gflops = 0;  // of the bound
    double trace_mib = 0;
    double peak_mib = 0;           // of the process, loading included
    double image_to_trace_ms = 0;  // preprocess + forward of a sample; 0 for random models
    struct Operation {
        std::string name;
        double ms = 0;  // per pass, over all blocks
    };
    std::vector<Operation> operations;
};

/// Times passes of a prepared model, and their products alone, on synthetic pixels.
class Laps {
public:
    Laps(const Model& model, int threads);

    /// Milliseconds for a pass that keeps every tensor.
    double pass();
    /// Milliseconds for the pass's matrix products by this machine's fastest implementation, and that one's name.
    double products();
    std::string bound_name() const;
    const Trace& trace() const { return trace_; }

private:
    const Model& model_;
    Tensor3 image_;
    Tensor2 patches_;
    Trace trace_;
    std::unique_ptr<ProductBound> bound_;
};

/// Times a prepared model's forward pass against its matrix products, interleaved.
ForwardTiming time_forward(const Model& model, int threads, int runs);

}  // namespace vitrine
