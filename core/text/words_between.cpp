#include "core/text/words_between.h"

#include <algorithm>
#include <map>

namespace vitrine {

namespace {

constexpr std::uint64_t drawn_sentences = 1500;

using Found = std::map<Neighbours, std::vector<std::string>>;

Found find_words(TextTask task, TextLanguage to) {
    std::map<Neighbours, std::map<std::string, int>> counts;
    for (std::uint64_t number = 0; number < drawn_sentences; ++number) {
        const std::vector<std::string> words = draw_example({task, to}, TextStream::learning, number).source;
        for (std::size_t i = 0; i < words.size(); ++i)
            ++counts[{i > 0 ? words[i - 1] : "", i + 1 < words.size() ? words[i + 1] : ""}][words[i]];
    }
    Found found;
    for (const auto& [neighbours, all] : counts) {
        std::vector<std::pair<std::string, int>> sorted(all.begin(), all.end());
        std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, int>::second);
        for (const auto& [word, count] : sorted) found[neighbours].push_back(word);
    }
    return found;
}

}  // namespace

const std::vector<std::string>& words_between(TextTask task, TextLanguage to, const Neighbours& neighbours) {
    static std::map<std::pair<TextTask, TextLanguage>, Found> all;  // used only by the window's thread
    static const std::vector<std::string> none;
    const auto [at, fresh] = all.try_emplace({task, to});
    if (fresh) at->second = find_words(task, to);
    const auto found = at->second.find(neighbours);
    return found == at->second.end() ? none : found->second;
}

}  // namespace vitrine
