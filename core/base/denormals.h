#pragma once

namespace vitrine {

/// While it lives, the thread that made it takes numbers below 1e-38 for 0, read or computed: an optimiser's moments of
/// words that are seldom seen decay into such, and a processor works on them many times slower. Where the processor has
/// no such switch, nothing.
class FlushDenormals {
public:
    FlushDenormals();
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned long long before_ = 0;
};

}  // namespace vitrine
