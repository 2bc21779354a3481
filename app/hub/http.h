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
    int status = 0;                              // 0: none came
    std::map<std::string, std::string> headers;  // by their names in lower case
    std::string redirect;                        // where it points to, whole; empty: nowhere
    int retry_after = 0;                         // seconds; 0: none are asked for
    HttpEnd end = HttpEnd::whole;
    std::string trouble;  // in libcurl's words; empty if the answer is whole

    /// A header's value; empty if it did not come.
    std::string header(const std::string& name) const;
};

/// One request, which follows no redirect.
struct HttpRequest {
    std::string url = {};
    bool head = false;       // headers alone
    std::string token = {};  // sent as the bearer's; empty: none
    std::string login = {};  // "user:password", escaped as in an address; empty: none
    std::uint64_t from = 0;  // first byte
    int slowest = 1;         // bytes a second
    int slow_for = 30;       // seconds below that, after which the request ends
    /// Takes a piece of the content, with the headers; may throw.
    std::function<void(const HttpAnswer&, std::string_view)> take = {};
    /// Called several times a second; may throw, which ends the request.
    std::function<void()> tick = {};
};

/// Carries out a request with libcurl, which reads the usual variables for proxies (http_proxy, https_proxy, no_proxy).
/// Throws Error if there is no libcurl on this machine, and what `take` and `tick` throw.
HttpAnswer http(const HttpRequest& request);

/// Whether two addresses have one scheme, host and port.
bool is_same_origin(const std::string& a, const std::string& b);

}  // namespace vitrine
