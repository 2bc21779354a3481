#pragma once

namespace vitrine {

struct Config;
struct Focus;
struct Table;
class Trace;

/// The name of the numbers that Compare shows, and their table: the row of the figure, then those of the picked heads.
inline constexpr const char* compare_measure = "compare";
Table compare_table(const Config& config, const Trace& trace, const Focus& focus);

}  // namespace vitrine
