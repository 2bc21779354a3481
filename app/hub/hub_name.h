#pragma once

#include <optional>
#include <string>

namespace vitrine {

/// A model of the hub, at one of its revisions.
struct HubName {
    std::string model;              // "owner/name"
    std::string revision = "main";  // a branch, a tag or a commit

    bool operator==(const HubName&) const = default;
    /// The name as users write it: "owner/name", and "@revision" unless that is main.
    std::string words() const { return revision == "main" ? model : model + "@" + revision; }
};

/// Parses "owner/name" or "owner/name@revision"; none for other words.
std::optional<HubName> hub_name(const std::string& words);

/// Whether a word is the 40 hexadecimal digits of a commit.
bool is_commit(const std::string& word);

}  // namespace vitrine
