#include "app/frame/language.h"

#include "app/library/claim_figures.h"
#include "app/platform/embedded.h"
#include "app/ui/terms.h"
#include "embedded/assets.h"

namespace vitrine {

Text words_of(const std::string& language, bool english_terms) {
    Text text = load_text(language);
    text.change([](const std::string&, const std::string& words) { return with_claim_figures(words); });
    if (!english_terms || language == "en") return text;
    const std::string terms_file = "terms.json";
    const std::vector<Term> terms = parse_terms(embedded(assets(), terms_file).text(), terms_file);
    const Gloss gloss{text("terms.gloss"), text("terms.particles")};
    text.change([&](const std::string& key, const std::string& words) {
        return is_prose(key) ? with_english(words, terms, language, gloss) : words;
    });
    return text;
}

}  // namespace vitrine
