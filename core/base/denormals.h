#pragma once

namespace vitrine {

/// While this object lives, the thread that created it treats denormal numbers (below 1e-38) as 0, both operands and
/// results. An optimiser's moments of rare words decay to such numbers, which make a processor many times slower. Does
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
