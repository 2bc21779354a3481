#include "app/commands/text_settings.h"

#include <algorithm>
#include <string_view>

#include "app/commands/commands.h"
#include "app/library/text_library.h"
#include "app/workspace/selection.h"
#include "core/base/error.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

void check_text_settings(const std::vector<std::string>& settings, const View& view) {
    constexpr std::string_view name = "text.what_ifs=";
    if (std::ranges::none_of(settings, [&](const std::string& setting) { return setting.starts_with(name); })) return;
    const TextTask task = view.text.task_in(view.focus.text.chapter);
    const auto model = open_text_model(bundled_text_model(task, view.text.to));
    try {
        check_text_what_ifs(view.text.what_ifs, model->config);
    } catch (const Error& error) {
        throw UsageError("--set text.what_ifs: " + std::string(error.what()));
    }
}

}  // namespace vitrine
