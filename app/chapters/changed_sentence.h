#pragma once

#include <string>

namespace vitrine {

template <class Family>
struct Chapter;
struct Focus;
struct OfPictures;
struct Result;
using Step = Chapter<OfPictures>;

/// The key of a chapter's sentence for the computed run: "sentence_<change>" where a what-if makes the usual one
/// untrue.
std::string key_of_sentence(const Step& step, const Result& now, const Focus& focus);

}  // namespace vitrine
