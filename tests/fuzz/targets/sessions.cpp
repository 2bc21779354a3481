#include "app/library/library.h"
#include "app/sessions/session.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"
#include "tests/small_model.h"

namespace vitrine::fuzz {

void sessions(Bytes bytes) {
    static const std::shared_ptr<const Model> model = open_model(small_model());
    try {
        const Session session = parse_session(text_of(bytes), "session");
        const Session again = parse_session(to_json(session), "written");
        demand(again == session, "a session that is written and read is the same");
        command_line_of(session, {});
        Focus focus = session.focus;
        Selection selection;
        selection.focus = focus;
        selection.clamp_to(model->config);
        what_ifs_of(session, model->config);
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
