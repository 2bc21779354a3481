#pragma once

namespace vitrine {

/// While this object lives, the thread that made it treats numbers below 1e-38 as 0, both inputs and results. An
/// optimiser's moments of rare words decay into such numbers, and a processor is many times slower with them. Does
/// nothing on processors without this mode.
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
