#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/commands/wrapped_words.h"

namespace vitrine {

/// Help with lines of at most 100 columns, or the terminal's width if that is less; all descriptions of options begin
/// in the same column and are wrapped at spaces.
class WrappedHelp : public CLI::Formatter {
public:
    explicit WrappedHelp(std::size_t width);

    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_description(const CLI::App* command) const override;
    std::string make_footer(const CLI::App* command) const override;

private:
    std::string entry(const std::string& name, const std::string& words) const;

    std::size_t width_;
};

/// Width in columns of the names in a footer's table, with the spaces around them.
inline constexpr std::size_t footer_names = 23;

/// The visible command whose name is at most two letters from a word; "" if there is none.
std::string nearest_command(const CLI::App& app, const std::string& word);

}  // namespace vitrine
