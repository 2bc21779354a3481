#include "app/hub/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/base/shared_library.h"

namespace vitrine {

namespace {

/// libcurl's functions. The library is loaded for the first request, so that the window starts without waiting for it
/// and the portable folder needs no copy.
struct Curl {
    explicit Curl(const SharedLibrary& library) {
        decltype(::curl_global_init)* begin = nullptr;
        complete = library.look_up(begin, "curl_global_init", init, "curl_easy_init", set, "curl_easy_setopt", perform,
                                   "curl_easy_perform", info, "curl_easy_getinfo", clean, "curl_easy_cleanup", words,
                                   "curl_easy_strerror", append, "curl_slist_append", drop, "curl_slist_free_all", url,
                                   "curl_url", url_set, "curl_url_set", url_get, "curl_url_get", url_clean,
                                   "curl_url_cleanup", unescape, "curl_easy_unescape", free, "curl_free");
        if (begin != nullptr) begin(CURL_GLOBAL_DEFAULT);
    }

    bool complete = false;
    decltype(::curl_easy_init)* init = nullptr;
    decltype(::curl_easy_setopt)* set = nullptr;
    decltype(::curl_easy_perform)* perform = nullptr;
    decltype(::curl_easy_getinfo)* info = nullptr;
    decltype(::curl_easy_cleanup)* clean = nullptr;
    decltype(::curl_easy_strerror)* words = nullptr;
    decltype(::curl_slist_append)* append = nullptr;
    decltype(::curl_slist_free_all)* drop = nullptr;
    decltype(::curl_url)* url = nullptr;
    decltype(::curl_url_set)* url_set = nullptr;
    decltype(::curl_url_get)* url_get = nullptr;
    decltype(::curl_url_cleanup)* url_clean = nullptr;
    decltype(::curl_easy_unescape)* unescape = nullptr;
    decltype(::curl_free)* free = nullptr;
};

/// The functions of the installed libcurl. Throws Error if there is none.
const Curl& libcurl() {
    static const std::unique_ptr<const Curl> found = [] {
        for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
            if (auto curl = std::make_unique<const Curl>(SharedLibrary(name)); curl->complete) return curl;
        return std::unique_ptr<const Curl>();
    }();
    if (!found)
        throw Error(
            "libcurl, through which models are fetched, is not installed; install the package libcurl4 (Fedora: "
            "libcurl), or copy the model's files yourself");
    return *found;
}

/// State for libcurl's callbacks.
struct Exchange {
    const HttpRequest& request;
    const Curl& curl;
    CURL* handle;
    HttpAnswer answer = {};
    std::exception_ptr thrown = {};  // an exception must not cross the library
};

std::size_t take_header(char* data, std::size_t size, std::size_t count, void* of) {
    auto& answer = static_cast<Exchange*>(of)->answer;
    const std::string_view line(data, size * count);
    if (line.starts_with("HTTP/")) answer.headers.clear();  // a proxy's answer precedes the server's
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return line.size();
    std::string name(line.substr(0, colon)), value(line.substr(colon + 1));
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto is_space = [](unsigned char c) { return c <= ' '; };
    value.erase(value.begin(), std::ranges::find_if_not(value, is_space));
    while (!value.empty() && is_space(static_cast<unsigned char>(value.back()))) value.pop_back();
    answer.headers[name] = value;
    return line.size();
}

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* of) {
    auto& exchange = *static_cast<Exchange*>(of);
    try {
        long status = 0;
        exchange.curl.info(exchange.handle, CURLINFO_RESPONSE_CODE, &status);
        exchange.answer.status = static_cast<int>(status);
        if (exchange.request.take) exchange.request.take(exchange.answer, {data, size * count});
        return size * count;
    } catch (...) {
        exchange.thrown = std::current_exception();
        return 0;
    }
}

int take_tick(void* of, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& exchange = *static_cast<Exchange*>(of);
    try {
        if (exchange.request.tick) exchange.request.tick();
        return 0;
    } catch (...) {
        exchange.thrown = std::current_exception();
        return 1;
    }
}

HttpEnd end_of(CURLcode code, int status) {
    switch (code) {
        case CURLE_OK: return HttpEnd::whole;
        case CURLE_OPERATION_TIMEDOUT: return status == 0 ? HttpEnd::unreachable : HttpEnd::slow;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CONNECT_ERROR: return HttpEnd::untrusted;
        default: return status == 0 ? HttpEnd::unreachable : HttpEnd::cut;
    }
}

}  // namespace

std::string HttpAnswer::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
}

HttpAnswer http(const HttpRequest& request) {
    const Curl& curl = libcurl();
    const std::unique_ptr<CURL, decltype(curl.clean)> handle(curl.init(), curl.clean);
    if (!handle) throw Error("libcurl gives no connection; close other windows and try again");
    Exchange exchange{request, curl, handle.get()};
    std::unique_ptr<curl_slist, decltype(curl.drop)> lines(nullptr, curl.drop);
    if (!request.token.empty()) lines.reset(curl.append(nullptr, ("Authorization: Bearer " + request.token).c_str()));
    std::array<char, CURL_ERROR_SIZE> words = {};
    const auto unescaped = [&](const std::string& part) {
        int size = 0;
        char* const plain = curl.unescape(handle.get(), part.c_str(), static_cast<int>(part.size()), &size);
        std::string copy(plain, plain == nullptr ? 0 : static_cast<std::size_t>(size));
        curl.free(plain);
        return copy;
    };
    const auto set = [&](CURLoption option, auto value) { curl.set(handle.get(), option, value); };
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_USERAGENT, "vitrine");
    set(CURLOPT_HTTPHEADER, lines.get());
    if (!request.login.empty()) {
        const std::size_t colon = std::min(request.login.find(':'), request.login.size());
        set(CURLOPT_USERNAME, unescaped(request.login.substr(0, colon)).c_str());
        if (colon < request.login.size()) set(CURLOPT_PASSWORD, unescaped(request.login.substr(colon + 1)).c_str());
    }
    set(CURLOPT_NOBODY, request.head ? 1L : 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(request.slow_for));
    set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(request.slowest));
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.slow_for));
    set(CURLOPT_ERRORBUFFER, words.data());
    set(CURLOPT_HEADERFUNCTION, &take_header);
    set(CURLOPT_HEADERDATA, &exchange);
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_WRITEDATA, &exchange);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &take_tick);
    set(CURLOPT_XFERINFODATA, &exchange);
    set(CURLOPT_BUFFERSIZE, 1L << 18);
    const std::string range = std::to_string(request.from) + "-";
    if (request.from > 0) set(CURLOPT_RANGE, range.c_str());
    const CURLcode code = curl.perform(handle.get());
    if (exchange.thrown) std::rethrow_exception(exchange.thrown);
    HttpAnswer& answer = exchange.answer;
    long status = 0;
    const char* redirect = nullptr;
    curl_off_t wait = 0;
    curl.info(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    curl.info(handle.get(), CURLINFO_REDIRECT_URL, &redirect);
    curl.info(handle.get(), CURLINFO_RETRY_AFTER, &wait);
    answer.status = static_cast<int>(status);
    if (redirect != nullptr) answer.redirect = redirect;
    answer.retry_after = static_cast<int>(std::clamp<curl_off_t>(wait, 0, 1'000'000));
    answer.end = end_of(code, answer.status);
    if (answer.end != HttpEnd::whole) answer.trouble = words[0] != '\0' ? words.data() : curl.words(code);
    return std::move(answer);
}

bool is_same_origin(const std::string& a, const std::string& b) {
    const Curl& curl = libcurl();
    const auto origin = [&](const std::string& address) -> std::optional<std::array<std::string, 3>> {
        const std::unique_ptr<CURLU, decltype(curl.url_clean)> url(curl.url(), curl.url_clean);
        if (!url || curl.url_set(url.get(), CURLUPART_URL, address.c_str(), 0) != CURLUE_OK) return {};
        std::array<std::string, 3> parts;
        constexpr std::array which = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            char* words = nullptr;
            if (curl.url_get(url.get(), which[i], &words, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
            parts[i] = words;
            curl.free(words);
            for (char& c : parts[i]) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
        return parts;
    };
    const auto first = origin(a);
    return first && first == origin(b);
}

}  // namespace vitrine
