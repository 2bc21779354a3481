#include "core/vit/checkpoint/wrapped_names.h"

#include <algorithm>
#include <set>

#include "core/files/pytorch/state_dict.h"

namespace vitrine {

namespace {

/// Some tensors of another file, under their own names.
class SomeTensors : public TensorFile {
public:
    SomeTensors(std::shared_ptr<const TensorFile> file, const std::set<std::string>& kept,
                std::vector<std::string> notes)
        : TensorFile(file->name(), file->container()), file_(std::move(file)) {
        for (const auto& [name, entry] : file_->entries())
            if (kept.contains(name)) entries_.emplace(name, entry);
        notes_ = file_->notes();
        notes_.insert(notes_.end(), notes.begin(), notes.end());
    }
    std::shared_ptr<const float> floats(const std::string& tensor) const override { return file_->floats(tensor); }
    std::shared_ptr<const float> row(const std::string& tensor, std::size_t index) const override {
        return file_->row(tensor, index);
    }

private:
    std::shared_ptr<const TensorFile> file_;
};

/// A prefix that a wrapper adds to every name, and the wrapper's name; outermost first.
struct WrapperName {
    std::string_view prefix;
    const char* words;
};
constexpr WrapperName wrapper_names[] = {{"module.", "DataParallel"}, {"_orig_mod.", "torch.compile"}};

/// True for a tensor that only training reads: of a loss, or of a head of DINO, DINOv2 or iBOT.
bool is_for_training(std::string_view name) {
    for (const std::string_view front : {"criterion.", "loss.", "loss_fn.", "train_loss.", "dino_head.", "ibot_head.",
                                         "projector.", "head.mlp.", "head.last_layer."})
        if (name.starts_with(front)) return true;
    return false;
}

std::string first_part(std::string_view name) { return std::string(name.substr(0, name.find('.'))); }

/// The names of each model's tensors without their first part, by this first part.
using Groups = std::map<std::string, std::set<std::string>, std::less<>>;

Groups groups_of(const std::set<std::string>& names, std::size_t prefix) {
    Groups groups;
    for (const std::string& name : names) {
        const std::string_view inner = std::string_view(name).substr(prefix);
        const std::size_t dot = inner.find('.');
        if (dot != std::string_view::npos) groups[first_part(inner)].emplace(inner.substr(dot + 1));
    }
    return groups;
}

/// True if most names of two groups agree, as for two models of one kind.
bool are_models_of_a_kind(const std::set<std::string>& a, const std::set<std::string>& b) {
    constexpr std::size_t least = 8;
    const auto common =
        static_cast<std::size_t>(std::ranges::count_if(a, [&](const auto& name) { return b.contains(name); }));
    return common >= least && 2 * common >= std::min(a.size(), b.size());
}

class NameSearch {
public:
    explicit NameSearch(const TensorFile& file) {
        for (const auto& [name, entry] : file.entries()) kept_.insert(name);
        all_ = kept_.size();
    }

    void run() {
        pass_wrappers();
        choose_model();
        pass_wrappers();
        drop_training();
    }

    bool found_nothing() const { return notes_.empty() && kept_.size() == all_; }
    const std::set<std::string>& kept() const { return kept_; }
    const std::vector<std::string>& notes() const { return notes_; }

private:
    bool all_begin_with(std::string_view prefix) const {
        return !kept_.empty() && std::ranges::all_of(kept_, [&](const std::string& name) {
            return std::string_view(name).substr(prefix_).starts_with(prefix);
        });
    }
    void pass_wrappers() {
        for (bool again = true; again;) {
            again = false;
            for (const WrapperName& wrapper : wrapper_names)
                if (all_begin_with(wrapper.prefix)) {
                    notes_.push_back("All names begin with \"" + std::string(wrapper.prefix) + "\", which " +
                                     wrapper.words + " puts there.");
                    prefix_ += wrapper.prefix.size();
                    again = true;
                }
        }
    }

    /// Keeps one of several models of a kind: the one that evaluation would use.
    void choose_model() {
        const Groups groups = groups_of(kept_, prefix_);
        const auto rank = [](const auto& group) { return evaluation_rank(group.first); };
        if (groups.size() < 2) return;
        const auto best = std::ranges::min_element(groups, {}, rank);
        if (rank(*best) == unknown_evaluation_rank) return;
        std::vector<std::string> others;
        for (const auto& group : groups)
            if (group.first != best->first && rank(group) > rank(*best) &&
                are_models_of_a_kind(best->second, group.second))
                others.push_back(group.first);
        if (others.empty()) return;
        for (const std::string& other : others)
            std::erase_if(kept_, [&](const std::string& name) { return first_part(name.substr(prefix_)) == other; });
        notes_.push_back("The file holds several models: \"" + best->first +
                         "\" was read, which evaluation would use, and not " + some_of(others) + ".");
        if (all_begin_with(best->first + ".")) prefix_ += best->first.size() + 1;
    }

    void drop_training() {
        std::set<std::string> dropped;
        std::size_t count = 0;
        const bool pools = std::ranges::any_of(kept_, [](const auto& name) { return name.ends_with("head.probe"); });
        std::erase_if(kept_, [&](const std::string& name) {
            const std::string inner = name.substr(prefix_);
            if (!is_for_training(inner) || (pools && inner.starts_with("head."))) return false;
            dropped.insert(first_part(name.substr(prefix_)));
            ++count;
            return true;
        });
        const std::vector<std::string> names(dropped.begin(), dropped.end());
        if (!names.empty())
            notes_.push_back(std::to_string(count) + (count == 1 ? " tensor" : " tensors") +
                             " that only training reads passed over: " + some_of(names) + ".");
    }

    std::set<std::string> kept_;
    std::size_t all_ = 0, prefix_ = 0;
    std::vector<std::string> notes_;
};

}  // namespace

std::shared_ptr<const TensorFile> look_through_names(std::shared_ptr<const TensorFile> file) {
    NameSearch search(*file);
    search.run();
    if (search.found_nothing()) return file;
    return std::make_shared<const SomeTensors>(std::move(file), search.kept(), search.notes());
}

}  // namespace vitrine
