#include "core/words/sentence_pieces.h"

#include "core/base/error.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void sentence_pieces(Bytes bytes) {
    try {
        const SentencePieces pieces(bytes, "file");
        for (const char* const text : {"A dog, two cats", "ﬁne Ａpple ½ 犬", "", "\xFF\xFE a"})
            for (const int number : pieces.encode(text))
                demand(number >= 0 && number < pieces.size(), "a piece is one of the model's");
        demand(pieces.end() >= 0 && pieces.end() < pieces.size(), "the end of a text is one of the model's pieces");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
