#include "app/hub/hub_talk.h"

#include <algorithm>
#include <thread>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

constexpr int most_redirects = 8;
constexpr int most_waits = 10;  // that a busy hub may ask for in a row

}  // namespace

std::string page_of(const HubName& name, const HubSettings& settings) { return settings.endpoint + "/" + name.model; }

HttpAnswer HubTalk::insist(HttpRequest request, const std::function<bool(HttpRequest&)>& begin) {
    int failures = 0, waits = 0;
    for (;;) {
        if (!begin(request)) return {};
        arrived_ = false;
        const HttpAnswer answer = follow(request);
        const bool good = answer.status >= 200 && answer.status < 300;
        if (good && answer.end == HttpEnd::whole) return answer;
        if (request.head && answer.status >= 300 && answer.status < 400) return answer;
        if (answer.end == HttpEnd::untrusted)
            throw Error(settings_.endpoint + ": its certificate is not trusted (" + answer.trouble +
                        "); check the address in HF_ENDPOINT and this machine's clock");
        if (answer.status == 429) {
            wait_as_asked(answer, ++waits);
            continue;
        }
        if (answer.status == 416 || (good && answer.end != HttpEnd::whole) || answer.status >= 500 ||
            answer.status == 0) {
            // A connection that broke after some bytes is not counted as a failure, since such tries make progress.
            // A slow one is.
            failures = arrived_ && answer.end != HttpEnd::slow ? 0 : failures + 1;
            if (failures >= settings_.tries) give_up(answer);
            pause(settings_.pause * (1 << std::clamp(failures - 1, 0, 5)));
            continue;
        }
        refuse(answer);
    }
}

void HubTalk::arrived(std::size_t bytes) {
    arrived_ = true;
    report.came += bytes;
}

HttpAnswer HubTalk::follow(HttpRequest request) {
    for (int hop = 0;; ++hop) {
        const bool is_own = is_same_origin(request.url, settings_.endpoint);
        request.token = is_own ? settings_.token : "";
        request.login = is_own ? settings_.login : "";
        request.slowest = settings_.slowest;
        request.slow_for = settings_.slow_for;
        request.tick = [this] { tell(); };
        HttpAnswer answer = http(request);
        const bool is_redirect = answer.status >= 300 && answer.status < 400 && !answer.redirect.empty();
        if (!is_redirect || answer.end != HttpEnd::whole) return answer;
        if (request.head && !is_same_origin(answer.redirect, settings_.endpoint)) return answer;
        if (hop >= most_redirects)
            throw Error(page_of(name_, settings_) + ": the hub's redirects do not end; try again later");
        if (request.url.starts_with("https:") && !answer.redirect.starts_with("https:"))
            throw Error(page_of(name_, settings_) +
                        ": a redirect leads from https to an address without it, and is not followed; try again "
                        "later or tell the hub");
        request.url = answer.redirect;
    }
}

void HubTalk::wait_as_asked(const HttpAnswer& answer, int waits) {
    const int seconds = std::max(answer.retry_after, 1);
    if (seconds > settings_.longest_wait.count() || waits > most_waits)
        throw Error(settings_.endpoint + ": the hub has too many requests and asks you to wait " +
                    std::to_string(seconds) + " s; try again then, or set HF_TOKEN, which is given more");
    for (report.waits = seconds; report.waits > 0; --report.waits) pause(std::chrono::seconds(1));
    report.waits = 0;
}

void HubTalk::pause(std::chrono::milliseconds longest) {
    const Clock::time_point end = Clock::now() + longest;
    do {
        tell();
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(std::chrono::milliseconds(50), longest));
    } while (Clock::now() < end);
}

void HubTalk::give_up(const HttpAnswer& answer) const {
    const std::string kept = "; what came is kept, and the next try continues there";
    if (answer.end == HttpEnd::slow)
        throw Error(page_of(name_, settings_) + ": the connection is too slow (less than " +
                    std::to_string(settings_.slowest) + " bytes a second for " + std::to_string(settings_.slow_for) +
                    " s, " + std::to_string(settings_.tries) + " times)" + kept);
    if (answer.status == 0)
        throw Error(settings_.endpoint + ": the hub cannot be reached (" + answer.trouble +
                    "); check the network and the proxy, or copy the model's files yourself");
    if (answer.end == HttpEnd::cut)
        throw Error(page_of(name_, settings_) + ": the connection breaks again and again (" + answer.trouble + ")" +
                    kept);
    throw Error(page_of(name_, settings_) + ": the hub fails (status " + std::to_string(answer.status) +
                ") again and again; try again later");
}

void HubTalk::refuse(const HttpAnswer& answer) const {
    const std::string page = page_of(name_, settings_), code = answer.header("x-error-code");
    if (code == "GatedRepo" || (code.empty() && answer.status == 403))
        throw Error(page + ": this model is given to those who have accepted its terms; accept them on its page, " +
                    "then set HF_TOKEN to a token of yours that may read");
    if (code == "RevisionNotFound")
        throw Error(page + ": this model has no revision '" + name_.revision +
                    "'; leave out what follows @, or look on its page");
    if (code == "EntryNotFound") throw Error(page + ": a file that the hub lists is not there any more; try again");
    if (answer.status == 401 && !settings_.token.empty() && code.empty())
        throw Error(page + ": the hub does not accept the token; make a new one and set HF_TOKEN to it");
    if (answer.status == 401 || answer.status == 404)
        throw Error(page +
                    ": there is no such model on the hub, or it is private; check its name, or set HF_TOKEN to "
                    "a token that may read it");
    throw Error(page + ": the hub answers with status " + std::to_string(answer.status) +
                "; check the address in HF_ENDPOINT, or try again later");
}

}  // namespace vitrine
