#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/workspace/recent.h"

namespace vitrine {

/// A folder's images, models, sessions or lessons, our own samples, and what was opened before, to choose from.
class Browser {
public:
    Browser();
    ~Browser();
    void images(const Frame& frame);
    void models(const Frame& frame);
    void sessions(const Frame& frame);
    void lessons(const Frame& frame);

    /// Whether thumbnails are still being made.
    bool busy() const;

private:
    struct State;
    /// A dialog that lists files; its texts, where it looks, and what takes the folder where one looked.
    struct FilesDialog {
        const char *id, *title, *words, *none, *tip;
        FileKind kind;
        const std::vector<std::filesystem::path>& recent;
        std::filesystem::path folder;
        std::string& remembered;
    };
    std::optional<std::filesystem::path> files(const Frame& frame, const FilesDialog& dialog);

    std::unique_ptr<State> state_;
};

}  // namespace vitrine
