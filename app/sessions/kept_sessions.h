#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/state.h"

namespace vitrine {

class Text;

/// What a session file holds, for lists of them; only its name and time where it cannot be read.
KeptSession kept_session(const std::filesystem::path& file);
std::vector<KeptSession> kept_sessions(const std::vector<std::filesystem::path>& files);

/// As many letters of a text as name it, "…" behind them where it goes on.
std::string beginning_of(const std::string& text, std::size_t letters);

/// "cat · Attention · 2026-11-22 14:02"; today the time alone. Its file's name where it cannot be read.
std::string words_of(const Text& text, const KeptSession& session);

/// What models had learned that nobody had saved and that went with the window; empty where nothing did.
std::string lost_words(const Text& text, const KeptSession& session);

/// What a list of sessions says: the name that the user gave the file, then what it holds; of a rescued one only that.
struct SessionWords {
    std::string name, aside;
};
SessionWords named_words_of(const Text& text, const KeptSession& session);

/// Offers what windows that were killed have left in the folder, where there is any that was not offered yet: on the
/// start page where that is shown, else in a dialog; whether there was. What a recent session's file holds too is not
/// offered, and goes.
bool offer_what_was_left(State& state, const std::filesystem::path& folder);

/// Where a window that is closed leaves what was open, beside the settings.
std::filesystem::path last_session_file(const std::filesystem::path& folder);

}  // namespace vitrine
