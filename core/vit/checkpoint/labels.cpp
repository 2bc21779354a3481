#include "core/vit/checkpoint/labels.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/utf8.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/configuration.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr const char* right_labels =
    "should hold the names of the classes, one a line or as JSON: [\"fish\", \"cat\"] or {\"0\": \"fish\", \"1\": "
    "\"cat\"}";

[[noreturn]] void refuse_labels(const std::filesystem::path& path) { throw Error(path.string() + ": " + right_labels); }

/// The labels in a list of names, or in an object from numbers to names.
std::vector<std::string> labels_in(const nlohmann::json& json, const std::filesystem::path& path) {
    if (json.is_array()) {
        std::vector<std::string> labels;
        for (const nlohmann::json& name : json) {
            if (!name.is_string()) refuse_labels(path);
            labels.push_back(name.get<std::string>());
        }
        return labels;
    }
    NumberedLabels labels = numbered_labels(json);
    if (!labels.readable) refuse_labels(path);
    if (!labels.complete)
        throw Error(path.string() + ": class " + std::to_string(labels.names.size()) +
                    " has no name; number the classes from 0 on without gaps");
    return std::move(labels.names);
}

/// True if a configuration's names are placeholders: "LABEL_0", "LABEL_1" …
bool are_placeholders(const std::vector<std::string>& labels) {
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != "LABEL_" + std::to_string(i)) return false;
    return true;
}

}  // namespace

std::vector<std::string> read_labels(const std::filesystem::path& path) {
    const std::vector<std::uint8_t> bytes = read_file(path);
    const std::string text = as_utf8(std::string(bytes.begin(), bytes.end()));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) refuse_labels(path);
    if (text[first] == '[' || text[first] == '{') {
        if (nests_too_deeply(text)) refuse_labels(path);
        const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
        if (json.is_discarded()) refuse_labels(path);
        return labels_in(json, path);
    }
    std::vector<std::string> labels;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        labels.push_back(line);
    }
    while (!labels.empty() && labels.back().empty()) labels.pop_back();
    return labels;
}

void name_classes(Model& model, const OtherLabels& others) {
    Config& c = model.config;
    const auto classes = static_cast<std::size_t>(c.classes);
    if (!others.file.empty()) {
        const std::vector<std::string> labels = read_labels(others.file);
        if (classes == 0)
            throw Error(others.file.string() +
                        ": this model has no classifier, so there is nothing to name; leave "
                        "--labels out");
        if (labels.size() != classes)
            throw Error(others.file.string() + ": there are " + std::to_string(labels.size()) +
                        " names but the classifier has " + std::to_string(classes) +
                        " classes; give one name for each, in their order");
        c.labels = labels;
        return;
    }
    if (classes == 0 || classes != others.usual.size() || !are_placeholders(c.labels)) return;
    c.labels = others.usual;
    model.provenance.notes.push_back(
        "The files do not name the 1,000 classes: they are taken for ImageNet-1k's in "
        "their usual order; --labels names others.");
}

}  // namespace vitrine
