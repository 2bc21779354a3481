#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/state.h"

namespace vitrine {

class Text;

/// Summary of a session file for lists; only name and time if it cannot be read.
KeptSession kept_session(const std::filesystem::path& file);
std::vector<KeptSession> kept_sessions(const std::vector<std::filesystem::path>& files);

/// The first `letters` characters of a UTF-8 text, followed by "…" if it is longer.
std::string beginning_of(const std::string& text, std::size_t letters);

/// "cat · Attention · 2026-11-22 14:02"; for today only the time. The file's name if it cannot be read. `words_of`
/// shortens a typed text.
std::string whole_words_of(const Text& text, const KeptSession& session);
std::string words_of(const Text& text, const KeptSession& session);

/// The training that was lost with a killed window; empty if there was none.
std::string lost_training(const Text& text, const KeptSession& session);

/// The message about unsaved training: the examples after which it continues, and what was lost; empty if there was
/// none.
std::string training_notice(const Text& text, const KeptSession& session);

/// An entry in a list of sessions: the file's name as given by the user, then its content; only the content for a
/// recovered one.
struct SessionWords {
    std::string name, aside;
};
SessionWords named_words_of(const Text& text, const KeptSession& session);

/// Offers new sessions left in the folder by killed windows: on the start page if it is shown, else in a dialog; true
/// if there were any. Those that equal a recent session's file are deleted instead.
bool offer_recovery(State& state, const std::filesystem::path& folder);

/// The file for the session of a closed window, next to the settings.
std::filesystem::path last_session_file(const std::filesystem::path& folder);

}  // namespace vitrine
