#include "core/text/familiarity.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "core/text/sentences.h"

namespace vitrine {

namespace {

/// Words and neighbours of drawn examples.
struct Seen {
    std::set<std::string> words;
    std::set<std::pair<std::string, std::string>> neighbours;  // "" before the first word and after the last
    std::size_t longest = 0;
};

template <class Each>
void for_neighbours(std::span<const std::string> words, const Each& each) {
    static const std::string end;
    for (std::size_t i = 0; i <= words.size(); ++i)
        each(i == 0 ? end : words[i - 1], i == words.size() ? end : words[i]);
}

const Seen& seen_in_training(TextTask task, TextLanguage to) {
    static std::mutex mutex;
    static std::map<std::pair<TextTask, TextLanguage>, Seen> all;
    const std::lock_guard lock(mutex);
    const auto [place, is_new] = all.try_emplace({task, to});
    Seen& seen = place->second;
    if (!is_new) return seen;
    for (int i = 0; i < familiar_examples; ++i) {
        const TextExample one = draw_example({task, to, 1}, TextStream::learning, static_cast<std::uint64_t>(i));
        seen.longest = std::max(seen.longest, one.source.size());
        seen.words.insert(one.source.begin(), one.source.end());
        for_neighbours(one.source, [&](const std::string& a, const std::string& b) { seen.neighbours.insert({a, b}); });
    }
    return seen;
}

template <class T>
void add_once(std::vector<T>& all, const T& one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

}  // namespace

Familiarity familiarity_of(std::span<const std::string> words, TextTask task, TextLanguage to) {
    const Seen& seen = seen_in_training(task, to);
    Familiarity found{familiar_examples, static_cast<int>(seen.longest), static_cast<int>(words.size()), {}, {}};
    for (const std::string& word : words)
        if (!seen.words.contains(word)) add_once(found.unknown, word);
    for_neighbours(words, [&](const std::string& a, const std::string& b) {
        if (b.empty() && task == TextTask::story) return;  // a story continues after the text
        const auto known = [&](const std::string& word) { return word.empty() || seen.words.contains(word); };
        if (known(a) && known(b) && !seen.neighbours.contains({a, b})) add_once(found.apart, std::pair(a, b));
    });
    return found;
}

}  // namespace vitrine
