#include "app/hub/hub_fetch.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>

#include "app/hub/http.h"
#include "app/hub/hub_cache.h"
#include "app/hub/hub_talk.h"
#include "app/platform/file_lock.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/sha1.h"
#include "core/base/sha256.h"
#include "core/vit/checkpoint/hub_folder.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_words = 16U << 20;                 // bytes of the hub's list of files
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;  // of a file

constexpr const char* files_beside_weights[] = {"config.json",
                                                "preprocessor_config.json",
                                                "processor_config.json",
                                                "tokenizer.json",
                                                "tokenizer_config.json",
                                                "special_tokens_map.json",
                                                "vocab.json",
                                                "merges.txt",
                                                "vocab.txt",
                                                "spiece.model",
                                                "sentencepiece.bpe.model",
                                                "open_clip_config.json"};

std::string blob_url(const HubListing& listing, const std::string& file, const HubSettings& settings) {
    return page_of(listing.name, settings) + "/resolve/" + listing.commit + "/" + file;
}

/// True for "model-00001-of-00002.safetensors" with front "model" and ending ".safetensors".
bool is_shard_of(const std::string& name, const std::string& front, const std::string& ending) {
    return name.starts_with(front + "-") && name.ends_with(ending) && name.find("-of-") != std::string::npos;
}

/// Whether a name from the server is safe as the name of a local file.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name.front() != '.' && name.size() < 200 && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
    });
}

bool is_etag(const std::string& word) {
    return (word.size() == 40 || word.size() == 64) && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// An ETag without its quotes and its prefix W/, which marks a weak one.
std::string plain_etag(std::string words) {
    if (words.starts_with("W/")) words.erase(0, 2);
    std::erase(words, '"');
    return words;
}

/// The content of a small answer. Throws Error if it has more than `most_words` bytes.
std::string words_at(HubTalk& talk, const std::string& url) {
    std::string words;
    HttpRequest request{.url = url};
    request.take = [&](const HttpAnswer& answer, std::string_view piece) {
        if (answer.status != 200) return;
        if (words.size() + piece.size() > most_words)
            throw Error(url + ": this answer is longer than any list of files; check the address in HF_ENDPOINT");
        words += piece;
    };
    talk.insist(request, [&](HttpRequest&) {
        words.clear();
        return true;
    });
    return words;
}

/// Requests the size and ETag of a file if the hub's list lacks them.
void complete_by_head(HubTalk& talk, HubFile& file, const std::string& url) {
    const HttpAnswer answer = talk.insist({.url = url, .head = true}, [](HttpRequest&) { return true; });
    const std::string linked = plain_etag(answer.header("x-linked-etag")), size = answer.header("x-linked-size");
    file.etag = linked.empty() ? plain_etag(answer.header("etag")) : linked;
    file.bytes = std::strtoull((size.empty() ? answer.header("content-length") : size).c_str(), nullptr, 10);
}

/// Size of a file in bytes; 0 if there is none.
std::uint64_t size_or_zero(const fs::path& file) {
    std::error_code none;
    const auto bytes = fs::is_regular_file(file, none) ? fs::file_size(file, none) : 0;
    return none ? 0 : bytes;
}

/// Paths in the cache for a listing's files.
struct CachePlaces {
    fs::path root, blobs, snapshot, locks;

    CachePlaces(const HubListing& listing, const fs::path& cache)
        : root(cache / folder_name_of(listing.name.model)),
          blobs(root / "blobs"),
          snapshot(root / "snapshots" / listing.commit),
          locks(cache / ".locks" / folder_name_of(listing.name.model)) {}

    fs::path part(const HubFile& file) const { return blobs / (file.etag + ".incomplete"); }
    /// Whether the cache has the file, as a blob or, if the cache was copied without links, as a file of its own.
    bool has(const HubFile& file) const {
        std::error_code none;
        return fs::exists(blobs / file.etag, none) ||
               (fs::is_regular_file(snapshot / file.name, none) && size_or_zero(snapshot / file.name) == file.bytes);
    }
    std::uint64_t present(const HubFile& file) const {
        return has(file) ? file.bytes : std::min(size_or_zero(part(file)), file.bytes);
    }
};

[[noreturn]] void refuse_to_write(const fs::path& where, const std::error_code& why) {
    const bool full = why == std::errc::no_space_on_device;
    throw Error(where.string() + ": " +
                (full ? "the disk is full; make room, or set HF_HUB_CACHE to a folder on another disk"
                      : "the hub's cache cannot be written here (" + why.message() +
                            "); change its permissions, or set HF_HUB_CACHE to another folder"));
}

void make_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) refuse_to_write(folder, error);
}

/// Whether a complete file has the hash that is its ETag.
bool is_confirmed(const fs::path& file, const std::string& etag) {
    return (etag.size() == 64 ? sha256_of_file(file) : git_blob_of_file(file)) == etag;
}

/// A file to append to; `anew`: emptied first.
class GrowingFile {
public:
    GrowingFile(const fs::path& path, bool anew) : path_(path) {
        errno = 0;
        out_.open(path, anew ? std::ios::binary | std::ios::trunc : std::ios::binary | std::ios::app);
        check();
    }
    void write(std::string_view piece) {
        errno = 0;
        out_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        out_.flush();  // so that the bytes stay if the process is killed
        check();
    }

private:
    void check() const {
        if (!out_) refuse_to_write(path_, {errno != 0 ? errno : EIO, std::generic_category()});
    }

    fs::path path_;
    std::ofstream out_;
};

/// Fetches the missing bytes of a file into `part`, its .incomplete file, which then has the complete length.
void fetch_rest(HubTalk& talk, const HubFile& file, const std::string& url, const fs::path& part) {
    std::optional<GrowingFile> out;
    std::uint64_t have = 0;
    const std::uint64_t before = talk.report.done;
    HttpRequest request{.url = url};
    request.take = [&](const HttpAnswer& answer, std::string_view piece) {
        if (answer.status != 200 && answer.status != 206) return;
        if (!out) {
            if (answer.status == 200) have = 0;  // the server ignored the range, so it sends all bytes
            out.emplace(part, answer.status == 200);
        }
        if (have + piece.size() > file.bytes)
            throw Error(url + ": more bytes come than the hub says that this file has; try again later");
        out->write(piece);
        have += piece.size();
        talk.report.done = before + have;
        talk.arrived(piece.size());
    };
    talk.insist(request, [&](HttpRequest& next) {
        out.reset();
        have = size_or_zero(part);
        if (have > file.bytes) {
            std::error_code gone;
            fs::remove(part, gone);
            have = 0;
        }
        talk.report.done = before + have;
        next.from = have;
        return have < file.bytes;
    });
    if (file.bytes == 0) out.emplace(part, true);
}

/// Waits for and takes the lock that the hub's own tools take while they fetch a file.
FileLock lock_of(HubTalk& talk, const fs::path& file) {
    for (;;) {
        if (auto lock = FileLock::take(file)) return std::move(*lock);
        if (errno != EWOULDBLOCK) refuse_to_write(file, {errno, std::generic_category()});
        talk.report.waits_for_other = true;
        talk.tell();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

/// Fetches one blob, checks its hash, and renames it to its final name in blobs/.
void fetch_blob(HubTalk& talk, const HubFile& file, const std::string& url, const CachePlaces& places) {
    const FileLock lock = lock_of(talk, places.locks / (file.etag + ".lock"));
    talk.report.waits_for_other = false;
    if (places.has(file)) return;
    const fs::path part = places.part(file);
    const std::uint64_t before = talk.report.done;
    for (bool again = size_or_zero(part) > 0;; again = false) {
        talk.report.done = before;
        fetch_rest(talk, file, url, part);
        if (size_or_zero(part) == file.bytes && is_confirmed(part, file.etag)) break;
        std::error_code gone;
        fs::remove(part, gone);
        // Bytes left by an earlier fetch may be wrong, so the file is fetched again; a file fetched in one piece is
        // not.
        if (!again)
            throw Error(url +
                        ": the bytes that came are not those that the hub names (their checksum differs), and "
                        "were thrown away; try again later or from another network");
    }
    flush_to_disk(part);  // so that a file named by its ETag is complete even after a power cut
    std::error_code error;
    fs::rename(part, places.blobs / file.etag, error);
    if (error) refuse_to_write(places.blobs / file.etag, error);
    talk.report.done = before;
}

/// Links a blob into the snapshot; the link is relative, so that the cache may be moved.
void link_blob(const HubFile& file, const CachePlaces& places) {
    const fs::path link = places.snapshot / file.name, target = fs::path("../../blobs") / file.etag;
    std::error_code error, none;
    if (fs::exists(places.blobs / file.etag, none)) {
        if (fs::is_symlink(link, none) && fs::read_symlink(link, none) == target) return;
        if (fs::is_symlink(link, none)) fs::remove(link, none);
        if (fs::exists(link, none)) return;
        fs::create_symlink(target, link, error);
        if (error && !fs::exists(link, none)) refuse_to_write(link, error);
    }
}

}  // namespace

std::vector<std::string> needed_files(const std::string& model, const std::vector<std::string>& names) {
    const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    std::vector<std::string> needed;
    for (const char* const name : files_beside_weights)
        if (has(name)) needed.emplace_back(name);
    for (const auto& [front, ending] :
         {std::pair<std::string, std::string>{"model", ".safetensors"}, {"pytorch_model", ".bin"}}) {
        if (has(front + ending)) {
            needed.push_back(front + ending);
            return needed;
        }
        if (!has(front + ending + ".index.json")) continue;
        needed.push_back(front + ending + ".index.json");
        for (const std::string& name : names)
            if (is_shard_of(name, front, ending)) needed.push_back(name);
        return needed;
    }
    std::vector<std::string> others;
    for (const std::string& name : names)
        if (is_plain_name(name) && name.ends_with(".safetensors")) others.push_back(name);
    if (others.size() != 1)
        throw Error(model +
                    ": this model has no weights that Vitrine reads (model.safetensors or pytorch_model.bin); choose "
                    "one of a Vision Transformer");
    needed.push_back(others.front());
    return needed;
}

HubAnswer read_hub_answer(const std::string& words, const std::string& address) {
    const auto json = nlohmann::json::parse(words, nullptr, false);
    HubAnswer answer;
    try {
        answer.commit = json.at("sha").get<std::string>();
        for (const auto& row : json.at("siblings")) {
            HubFile file{row.at("rfilename").get<std::string>(), 0, ""};
            if (!is_plain_name(file.name)) continue;  // files in folders are not part of the model
            if (row.contains("lfs") && row["lfs"].is_object()) {
                file.etag = row["lfs"].value("sha256", "");
                file.bytes = row["lfs"].value("size", std::uint64_t{0});
            } else if (row.contains("size") && row.contains("blobId")) {
                file.etag = row["blobId"].get<std::string>();
                file.bytes = row["size"].get<std::uint64_t>();
            }
            if (file.bytes > most_bytes) answer.commit.clear();
            if (!is_etag(file.etag)) file.etag.clear();
            answer.files.push_back(std::move(file));
        }
    } catch (const nlohmann::json::exception&) {
        answer.commit.clear();
    }
    if (!is_commit(answer.commit))
        throw Error(address +
                    ": the answer is not a list of a model's files as the hub gives it; check the address in "
                    "HF_ENDPOINT");
    return answer;
}

std::string page_of_files(const HubName& name, const HubSettings& settings) {
    return page_of(name, settings) + "/tree/" + name.revision;
}

HubListing ask_hub(const HubName& name, const HubSettings& settings, const HubProgress& progress) {
    refuse_offline(settings);
    HubTalk talk(name, settings, progress);
    std::string revision;
    for (const char c : name.revision) revision += c == '/' ? std::string("%2F") : std::string(1, c);
    const std::string url = settings.endpoint + "/api/models/" + name.model + "/revision/" + revision + "?blobs=true";
    const HubAnswer answer = read_hub_answer(words_at(talk, url), url);
    HubListing listing{name, answer.commit, {}, 0, 0};
    std::vector<std::string> names;
    for (const HubFile& file : answer.files) names.push_back(file.name);
    const CachePlaces places(listing, settings.cache);
    for (const std::string& needed : needed_files(page_of(name, settings), names)) {
        HubFile file = *std::ranges::find(answer.files, needed, &HubFile::name);
        if (file.etag.empty()) complete_by_head(talk, file, blob_url(listing, file.name, settings));
        if (!is_etag(file.etag))
            throw Error(blob_url(listing, file.name, settings) +
                        ": the hub gives no checksum of this file, so it is not fetched; check the address in "
                        "HF_ENDPOINT");
        listing.bytes += file.bytes;
        listing.missing += file.bytes - places.present(file);
        listing.files.push_back(std::move(file));
    }
    return listing;
}

fs::path fetch_from_hub(const HubListing& listing, const HubSettings& settings, const HubProgress& progress) {
    refuse_offline(settings);
    const CachePlaces places(listing, settings.cache);
    for (const fs::path& folder : {places.blobs, places.snapshot, places.locks}) make_folders(folder);
    std::uint64_t present = 0;
    for (const HubFile& file : listing.files) present += places.present(file);
    std::error_code unknown;
    const fs::space_info space = fs::space(places.blobs, unknown);
    if (!unknown && space.available < listing.bytes - present)
        refuse_to_write(places.blobs, std::make_error_code(std::errc::no_space_on_device));
    const Clock::time_point start = Clock::now();
    const HubProgress timed = [&](const HubReport& report) {
        if (!progress) return;
        HubReport full = report;
        const double seconds = seconds_since(start);
        const std::uint64_t missing = listing.bytes - present;
        if (seconds > 1 && report.came > 0)
            full.seconds_left = seconds * static_cast<double>(missing - std::min(missing, report.came)) /
                                static_cast<double>(report.came);
        progress(full);
    };
    HubTalk talk(listing.name, settings, timed);
    talk.report.total = listing.bytes;
    for (const HubFile& file : listing.files) {
        talk.report.file = file.name;
        talk.tell();
        const std::uint64_t before = talk.report.done;
        if (!places.has(file)) fetch_blob(talk, file, blob_url(listing, file.name, settings), places);
        link_blob(file, places);
        talk.report.done = before + file.bytes;
    }
    talk.tell();
    if (listing.name.revision != listing.commit) {
        const fs::path ref = places.root / "refs" / listing.name.revision;
        make_folders(ref.parent_path());
        replace_file(ref, listing.commit);
    }
    return places.snapshot;
}

HubListing ask_hub(const HubName& name, const HubProgress& progress) { return ask_hub(name, hub_settings(), progress); }

fs::path fetch_from_hub(const HubListing& listing, const HubProgress& progress) {
    return fetch_from_hub(listing, hub_settings(), progress);
}

}  // namespace vitrine
