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

struct AppContext;

/// File browser for images, models, sessions or lessons, with samples and recent files.
class Browser {
public:
    Browser();
    ~Browser();
    void images(const Frame& frame, const AppContext& context);
    void models(const Frame& frame);
    void sessions(const Frame& frame);
    void lessons(const Frame& frame);
    /// Chooses a folder of images for the laboratory's measures over several of them.
    void image_folder(const Frame& frame, const AppContext& context);
    /// Chooses a folder of the user's own pictures to train on.
    void own_folder(const Frame& frame, const AppContext& context);

private:
    struct State;
    /// A dialog that lists files: its texts, its initial folder, and where the last folder is stored.
    struct FilesDialog {
        const char *id, *title, *words, *none, *tip;
        FileKind kind;
        const std::vector<std::filesystem::path>& recent;
        std::filesystem::path folder;
        std::string& remembered;
    };
    std::optional<std::filesystem::path> files(const Frame& frame, const FilesDialog& dialog);
    std::optional<std::filesystem::path> folder(const Frame& frame, const AppContext& context, const char* id,
                                                const char* words);

    std::unique_ptr<State> state_;
};

}  // namespace vitrine
