#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace vitrine {

/// How a request ended.
enum class HttpEnd { whole, unreachable, cut, slow, untrusted };

struct HttpAnswer {
    int status = 0;                              // 0: no answer arrived
    std::map<std::string, std::string> headers;  // by their names in lower case
    std::string redirect;                        // complete target address; empty: no redirect
    int retry_after = 0;                         // seconds to wait, as the server asks; 0: none
    HttpEnd end = HttpEnd::whole;
    std::string trouble;  // libcurl's error message; empty if the answer is complete

    /// A header's value, by its name in lower case; empty if it is missing.
    std::string header(const std::string& name) const;
};

/// One request, which follows no redirect.
struct HttpRequest {
    std::string url = {};
    bool head = false;       // a HEAD request, for headers alone
    std::string token = {};  // sent as a bearer token; empty: none
    std::string login = {};  // "user:password", escaped as in an address; empty: none
    std::uint64_t from = 0;  // offset of the first byte requested
    int slowest = 1;         // least acceptable bytes a second
    int slow_for = 30;       // seconds below `slowest` after which the request ends
    /// Takes a piece of the content, with the headers; may throw.
    std::function<void(const HttpAnswer&, std::string_view)> take = {};
    /// Called several times a second; may throw, which ends the request.
    std::function<void()> tick = {};
};

/// Carries out a request with libcurl, which reads the usual variables for proxies (http_proxy, https_proxy, no_proxy).
/// Throws Error if there is no libcurl on this machine, and what `take` and `tick` throw.
HttpAnswer http(const HttpRequest& request);

/// Whether two addresses have the same scheme, host and port. Throws Error if there is no libcurl.
bool is_same_origin(const std::string& a, const std::string& b);

}  // namespace vitrine
