#include <algorithm>

#include "app/hub/hub_fetch.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void hub_answers(Bytes bytes) {
    try {
        const HubAnswer answer = read_hub_answer(std::string(text_of(bytes)), "http://127.0.0.1/api");
        demand(answer.commit.size() == 40, "a commit has 40 digits");
        std::vector<std::string> names;
        std::uint64_t total = 0;
        for (const HubFile& file : answer.files) {
            demand(file.name.find('/') == std::string::npos && file.name.front() != '.', "a name leads to no folder");
            demand(file.etag.empty() || file.etag.size() == 40 || file.etag.size() == 64, "a checksum is one");
            demand(total + file.bytes >= total, "sizes can be added");
            total += file.bytes;
            names.push_back(file.name);
        }
        for (const std::string& name : needed_files("owner/name", names))
            demand(std::ranges::find(names, name) != names.end(), "only what is listed is needed");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
