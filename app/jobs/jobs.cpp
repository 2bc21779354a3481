#include "app/jobs/jobs.h"

#include "app/jobs/learning.h"

namespace vitrine {

Learning<Pictures>& Jobs::learning() { return of<Learning<Pictures>>(); }
Learning<Texts>& Jobs::text_learning() { return of<Learning<Texts>>(); }
bool Jobs::has_learning() const { return has<Learning<Pictures>>(); }
bool Jobs::has_text_learning() const { return has<Learning<Texts>>(); }

}  // namespace vitrine
