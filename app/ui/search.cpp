#include "app/ui/search.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vitrine {

namespace {

constexpr std::size_t least_to_mistype = 4;  // letters; shorter words are one typo away from too many others

/// Decodes the letter at `at` and advances; invalid UTF-8 becomes U+FFFD.
char32_t next_letter(std::string_view utf8, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
    const unsigned first = byte(at++);
    if (first < 0x80) return first;
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    char32_t letter = first & (0x3FU >> more);
    for (std::size_t i = 0; i < more; ++i) {
        if (at >= utf8.size() || (byte(at) & 0xC0U) != 0x80U) return 0xFFFD;
        letter = letter << 6 | (byte(at++) & 0x3FU);
    }
    return letter;
}

bool is_between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

/// Latin letters without diacritics, so that "Jegou" finds Jégou.
char32_t without_mark(char32_t c) {
    constexpr std::u32string_view marked = U"àáâãäåçèéêëìíîïñòóôõöøùúûüýÿł", plain = U"aaaaaaceeeeiiiinoooooouuuuyyl";
    const std::size_t at = marked.find(c);
    return at == std::u32string_view::npos ? c : plain[at];
}

char32_t folded_letter(char32_t c) {
    if (is_between(c, U'A', U'Z')) return c + 32;
    if (is_between(c, 0xFF01, 0xFF5E)) return folded_letter(c - 0xFEE0);  // full width
    if (is_between(c, 0x30A1, 0x30F6)) return c - 0x60;                   // katakana
    if (is_between(c, 0xC0, 0xDE) && c != 0xD7) return without_mark(c + 32);
    if (c == 0x141) return U'l';
    if (is_between(c, 0x391, 0x3A9)) return c + 32;  // Greek
    return without_mark(c);
}

bool is_letter_or_digit(char32_t c) {
    if (c < 0x80) return is_between(c, U'a', U'z') || is_between(c, U'0', U'9');
    if (is_between(c, 0x2000, 0x206F) || is_between(c, 0x3000, 0x3004) || is_between(c, 0x3008, 0x3020)) return false;
    return c != 0xB7 && c != 0x30FB && c != 0xFFFD && c != 0xD7;  // middle dots, ×
}

/// True for Chinese, Japanese and Korean letters: a word may begin at any of them.
bool runs_on(char32_t c) { return c >= 0x2E80; }

std::vector<std::u32string_view> words_of(std::u32string_view phrase) {
    std::vector<std::u32string_view> words;
    for (std::size_t at = 0; at < phrase.size();) {
        const std::size_t end = std::min(phrase.size(), phrase.find(U' ', at));
        if (end > at) words.push_back(phrase.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

/// Kinds of letters between which a Japanese phrase, written without spaces, is cut into words.
enum class Script { other, kanji, hiragana, katakana };

Script script_of(char32_t c) {
    if (is_between(c, 0x3041, 0x309F)) return Script::hiragana;
    if (is_between(c, 0x30A1, 0x30FF)) return Script::katakana;
    return is_between(c, 0x3400, 0x9FFF) ? Script::kanji : Script::other;
}

/// The typed text with a space wherever the script changes, without the endings and particles left in between (one or
/// two hiragana): "注意が流れる図" becomes "注意 流 図".
std::string cut_by_script(std::string_view utf8) {
    std::string cut, run;
    Script script = Script::other;
    std::size_t letters = 0;
    const auto end_run = [&] {
        if (script != Script::hiragana || letters > 2) cut += run + ' ';
        run.clear();
        letters = 0;
    };
    for (std::size_t at = 0; at < utf8.size(); ++letters) {
        const std::size_t begin = at;
        const char32_t c = next_letter(utf8, at);
        const Script here = c == U'ー' ? script : script_of(c);  // a long vowel belongs to either kana
        if (here != script) end_run();
        script = here;
        run += utf8.substr(begin, at - begin);
    }
    end_run();
    return cut;
}

/// A word without its ending (English, at least four letters stay) or particle (Korean): "flows" is "flow", "층을" is
/// "층".
std::u32string_view without_ending(std::u32string_view word) {
    for (const std::u32string_view ending : {U"ing", U"ed", U"es", U"s"})
        if (word.size() >= ending.size() + 4 && word.ends_with(ending))
            return word.substr(0, word.size() - ending.size());
    for (const std::u32string_view particle : {U"에서", U"으로", U"까지", U"마다", U"은", U"는", U"이", U"가", U"을",
                                               U"를", U"의", U"에", U"로", U"와", U"과", U"도"})
        if (word.size() > particle.size() && word.ends_with(particle))
            return word.substr(0, word.size() - particle.size());
    return word;
}

double weight_of(SearchField field) {
    switch (field) {
        case SearchField::name: return 1;
        case SearchField::synonym: return 0.95;
        case SearchField::other_name: return 0.98;
        case SearchField::kind: return 0.35;
        case SearchField::words: return 0.3;
    }
    return 0;
}

bool is_space(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == 0xA0 || c == 0x3000; }

/// True for a single Latin letter or digit, which begins too many words to stand for one of them.
bool is_single(std::u32string_view word) { return word.size() == 1 && !runs_on(word.front()); }

/// How well a term of several words matches a phrase with the same sequence, 0 … 1: "n-1" does not match "n 12".
double fit_of_whole(std::u32string_view term, std::u32string_view phrase) {
    const std::vector<std::u32string_view> words = words_of(term);
    double best = 0;
    for (std::size_t at = phrase.find(term); at != std::u32string_view::npos; at = phrase.find(term, at + 1)) {
        const std::size_t end = at + term.size();
        const bool begins = at == 0 || phrase[at - 1] == U' ', ends = end == phrase.size() || phrase[end] == U' ';
        if ((!begins && is_single(words.front())) || (!ends && is_single(words.back()))) continue;
        best = std::max(best, begins && ends ? 1.0 : 0.7);
    }
    return best;
}

/// How well a typed word, unchanged, matches a word of a phrase, 0 … 1.
double fit_as_typed(std::u32string_view typed, std::u32string_view word) {
    if (word == typed) return 1;
    if (word.starts_with(typed))
        return 0.7 + 0.2 * static_cast<double>(typed.size()) / static_cast<double>(word.size());
    if (const std::size_t at = word.find(typed); at != std::u32string_view::npos) {
        if (runs_on(word[at])) return 0.65;
        if (typed.size() > 1) return 0.4;
    }
    return 0;
}

/// The same, also without the typed word's ending, and with one typing mistake if `mistyped`.
double fit(std::u32string_view typed, std::u32string_view word, bool mistyped) {
    if (const double as_typed = fit_as_typed(typed, word); as_typed > 0) return as_typed;
    const std::u32string_view stem = without_ending(typed);
    if (stem.size() < typed.size())
        if (const double of_stem = fit_as_typed(stem, word); of_stem > 0.4) return 0.9 * of_stem;
    if (!mistyped || typed.size() < least_to_mistype) return 0;
    if (one_edit_apart(typed, word)) return 0.3;
    for (const std::size_t length : {typed.size() - 1, typed.size(), typed.size() + 1})
        if (length < word.size() && one_edit_apart(typed, word.substr(0, length))) return 0.2;
    return 0;
}

}  // namespace

std::u32string folded(std::string_view utf8) {
    std::u32string words;
    for (std::size_t at = 0; at < utf8.size();) {
        const char32_t c = folded_letter(next_letter(utf8, at));
        if (is_letter_or_digit(c))
            words += c;
        else if (!words.empty() && words.back() != U' ')
            words += U' ';
    }
    while (!words.empty() && words.back() == U' ') words.pop_back();
    return words;
}

bool one_edit_apart(std::u32string_view a, std::u32string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() > 1) return false;
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
    const auto at = static_cast<std::size_t>(in_a - a.begin());
    if (at == a.size()) return true;
    if (a.size() < b.size()) return a.substr(at) == b.substr(at + 1);
    if (a.substr(at + 1) == b.substr(at + 1)) return true;
    const bool swapped = at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at];
    return swapped && a.substr(at + 2) == b.substr(at + 2);
}

SearchIndex::Entry& SearchIndex::entry_of(std::size_t entry) {
    if (entries_.size() <= entry) entries_.resize(entry + 1);
    return entries_[entry];
}

void SearchIndex::add(std::size_t entry, std::string_view phrase, SearchField field) {
    Entry& to = entry_of(entry);
    if (std::u32string words = folded(phrase); !words.empty()) to.phrases.push_back({std::move(words), field});
}

void SearchIndex::weigh(std::size_t entry, double weight) { entry_of(entry).weight = weight; }

std::vector<std::size_t> SearchIndex::find(std::string_view typed) const {
    const std::u32string all = folded(typed);
    std::vector<Found> found = with_most(known_terms(typed));
    for (Found& f : found) {  // the typed text is a whole phrase or its beginning
        double whole = 0;
        for (const Phrase& phrase : entries_[f.entry].phrases)
            if (phrase.field != SearchField::words && phrase.field != SearchField::kind && !all.empty() &&
                phrase.words.starts_with(all))
                whole = std::max(whole, weight_of(phrase.field) * (phrase.words.size() == all.size() ? 1.0 : 0.4));
        f.score = (f.score + whole) * entries_[f.entry].weight;
    }
    std::ranges::stable_sort(found, std::greater(), &Found::score);
    std::vector<std::size_t> entries;
    for (const Found& f : found) entries.push_back(f.entry);
    return entries;
}

/// The typed text cut into terms at its spaces.
std::vector<SearchIndex::Term> SearchIndex::terms_of(std::string_view typed) {
    std::vector<Term> terms;
    std::size_t begin = 0;
    const auto end_term = [&](std::size_t end) {
        if (std::u32string words = folded(typed.substr(begin, end - begin)); !words.empty())
            terms.push_back({std::move(words)});
    };
    for (std::size_t at = 0; at < typed.size();) {
        const std::size_t here = at;
        if (!is_space(next_letter(typed, at))) continue;
        end_term(here);
        begin = at;
    }
    end_term(typed.size());
    return terms;
}

/// The typed terms. A term with punctuation that no entry has as a whole is split into its words, without single
/// letters.
std::vector<SearchIndex::Term> SearchIndex::known_terms(std::string_view typed) const {
    std::vector<Term> typed_terms = terms_of(cut_by_script(typed)), terms;
    if (typed_terms.empty()) typed_terms = terms_of(typed);
    if (!typed_terms.empty()) typed_terms.back().last = true;
    for (Term& term : typed_terms) {
        const std::vector<std::u32string_view> words = words_of(term.words);
        const std::size_t before = terms.size();
        if (words.size() > 1 && std::ranges::all_of(fits_of(term), [](double fit) { return fit == 0; }))
            for (const std::u32string_view word : words)
                if (!is_single(word)) terms.push_back({std::u32string(word), term.last && word == words.back()});
        if (terms.size() == before) terms.push_back(std::move(term));
    }
    return terms;
}

double SearchIndex::fit_in(const Entry& entry, const Term& term, bool mistyped) const {
    double best = 0;
    const bool several = term.words.find(U' ') != std::u32string::npos;
    for (const Phrase& phrase : entry.phrases) {
        const double weight = weight_of(phrase.field);
        if (several) {
            best = std::max(best, weight * fit_of_whole(term.words, phrase.words));
            continue;
        }
        for (const std::u32string_view there : words_of(phrase.words))
            if (!is_single(term.words) || term.last || there == term.words)
                best = std::max(best, weight * fit(term.words, there, mistyped));
    }
    return best;
}

std::vector<double> SearchIndex::fits_of(const Term& term) const {
    std::vector<double> fits;
    for (const bool mistyped : {false, true}) {
        fits.clear();
        for (const Entry& entry : entries_) fits.push_back(fit_in(entry, term, mistyped));
        if (std::ranges::any_of(fits, [](double fit) { return fit > 0; })) break;
    }
    return fits;
}

std::vector<SearchIndex::Found> SearchIndex::with_most(const std::vector<Term>& terms) const {
    std::vector<double> scores(entries_.size(), 0);
    std::vector<std::size_t> matched(entries_.size(), 0), longer(entries_.size(), 0);  // typed terms in an entry
    std::size_t all_longer = 0;
    double known = 0;  // sum of the rarities of all terms that any entry has
    for (const Term& term : terms) {
        const bool single = is_single(term.words);
        all_longer += single ? 0 : 1;
        const std::vector<double> fits = fits_of(term);
        const auto holders = static_cast<double>(std::ranges::count_if(fits, [](double fit) { return fit > 0; }));
        if (holders == 0) continue;
        const double rarity = std::log(static_cast<double>(entries_.size() + 1) / holders);
        known += rarity;
        for (std::size_t i = 0; i < fits.size(); ++i) {
            scores[i] += rarity * fits[i];
            if (fits[i] == 0) continue;
            ++matched[i];
            longer[i] += single ? 0 : 1;
        }
    }
    // Entries with all terms; else with all but single letters; else, as for half-remembered text, with most of them.
    const bool all = std::ranges::count(matched, terms.size()) > 0;
    const bool most = !all && all_longer > 0 && std::ranges::count(longer, all_longer) > 0;
    std::vector<Found> found;
    const double best = scores.empty() ? 0 : *std::ranges::max_element(scores);
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (all ? matched[i] == terms.size() : most ? longer[i] == all_longer : best > 0 && scores[i] >= best / 2)
            found.push_back({known > 0 ? scores[i] / known : 0, i});
    return found;
}

}  // namespace vitrine
