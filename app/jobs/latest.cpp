#include "app/jobs/latest.h"

#include "core/base/sentence.h"

namespace vitrine {

std::string sentence_of_failure() { return sentence_of(std::current_exception()); }

}  // namespace vitrine
