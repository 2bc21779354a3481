#include "app/workspace/settings.h"

#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void settings(Bytes bytes) {
    const std::string_view text = text_of(bytes);
    const Settings got = parse_settings(text).value_or(Settings());
    demand(parse_settings(to_json(got)) == got, "settings that are written and read are the same");
    Settings changed;
    change_settings(changed, {{"theme", std::string(text)}, {"folded", std::string(text)}, {"x", std::string(text)}});
    Settings replayed = changed;
    change_settings(replayed, changed_settings(Settings(), changed));
    demand(replayed == changed, "changes that are done twice change nothing more");
}

}  // namespace vitrine::fuzz
