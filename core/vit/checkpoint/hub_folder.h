#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

// A model's folder in the hub's cache, models--OWNER--NAME, as the hub's own tools lay it out: snapshots/COMMIT hold
// the files, refs/REVISION the name of a commit.

/// "models--owner--name".
std::string folder_name_of(const std::string& model);

/// "owner/name" of "models--owner--name"; "" for any other folder.
std::string model_of_folder_name(const std::string& folder);

/// The commit that a file of refs/ names, without white space after it; empty if it names none.
std::string commit_in(const std::filesystem::path& file);

}  // namespace vitrine
