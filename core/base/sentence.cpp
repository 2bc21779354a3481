#include "core/base/sentence.h"

#include <filesystem>
#include <new>

#include "core/base/error.h"

namespace vitrine {

std::string sentence_of(const std::exception_ptr& reason) {
    try {
        std::rethrow_exception(reason);
    } catch (const Error& error) {
        return error.what();
    } catch (const std::bad_alloc&) {
        return "there is not enough memory for this; use a smaller image or model";
    } catch (const std::filesystem::filesystem_error& error) {
        const std::string place = error.path1().empty() ? "a file" : error.path1().string();
        return Error(place + ": cannot be reached (" + error.code().message() + "); check the name").what();
    } catch (const std::exception& error) {
        return Error("this failed inside Vitrine (" + std::string(error.what()) +
                     "); try something else, and report what led here")
            .what();
    } catch (...) {
        return "this failed inside Vitrine for a reason without words; try something else, and report what led here";
    }
}

}  // namespace vitrine
