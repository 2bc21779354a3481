#include "core/files/pytorch/pytorch_file.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/files/pytorch/pickle.h"
#include "core/files/pytorch/pytorch_globals.h"
#include "core/files/pytorch/state_dict.h"

namespace vitrine {

namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t most_axes = 8;
constexpr const char* save_again = "; save the weights again with torch.save(model.state_dict(), \"weights.pth\")";

/// Collects the storages that the pickles of torch.save describe, and the tensors that view them.
class TorchHost : public PickleHost {
public:
    explicit TorchHost(std::string file) : file_(std::move(file)) {}

    std::vector<PytorchFile::Storage> storages;
    std::vector<PytorchFile::View> tensors;

    /// The tensor of a value; null if it is not a tensor.
    const PytorchFile::View* tensor_of(const PickleValues& values, PickleId id) const {
        if (!values.is(id, Kind::foreign) || values[id].integer < 0) return nullptr;
        return &tensors[static_cast<std::size_t>(values[id].integer)];
    }

    void require_global(const std::string& global) override {
        if (globals_of_weights().contains(global)) return;
        if (is_of_networks(global))
            throw Error(file_ + ": this file holds a whole model as a program (\"" + global +
                        "\"), and Vitrine runs nothing from a file; where you trust it, save the weights alone in "
                        "Python: torch.save(torch.load(FILE, weights_only=False).state_dict(), \"weights.pth\")");
        throw Error(file_ + ": this file asks for \"" + global +
                    "\" of a program, which no weights need, and Vitrine runs nothing from a file; where you trust it, "
                    "save the weights alone in Python: torch.save(model.state_dict(), \"weights.pth\")");
    }

    PickleId call(PickleValues& values, const std::string& global, std::span<const PickleId> arguments) override {
        switch (globals_of_weights().find(global)->second.meaning) {
            case GlobalMeaning::tensor: return rebuild(values, arguments);
            case GlobalMeaning::parameter:
                if (arguments.empty() || tensor_of(values, arguments[0]) == nullptr)
                    refuse("a parameter that is not a tensor");
                return arguments[0];
            case GlobalMeaning::typed_tensor: return rebuild_typed(values, arguments);
            case GlobalMeaning::dictionary: return dictionary(values, arguments);
            case GlobalMeaning::tuple:
                if (arguments.size() == 1 &&
                    (values.is(arguments[0], Kind::tuple) || values.is(arguments[0], Kind::list)))
                    return arguments[0];
                return values.add({.kind = Kind::tuple});
            case GlobalMeaning::storage:
            case GlobalMeaning::harmless: break;
        }
        return values.add({.kind = Kind::object, .text = global});
    }

    /// A storage's persistent id: ("storage", type, key, device, count), in a stream followed by None or, before
    /// PyTorch 1.0, a part of the storage (key, first, count), which is refused.
    PickleId persistent(PickleValues& values, PickleId id) override {
        const std::vector<PickleId> parts = values[id].parts;
        if (!values.is(id, Kind::tuple) || parts.size() < 5 || parts.size() > 6)
            refuse("a storage that it does not describe");
        if (values.text(parts[0]) == "module")
            throw Error(file_ +
                        ": this file holds a whole model as a program, and Vitrine runs nothing from a file; "
                        "where you trust it, save the weights alone in Python: "
                        "torch.save(torch.load(FILE, weights_only=False).state_dict(), \"weights.pth\")");
        const auto global = globals_of_weights().find(values[parts[1]].text);
        if (values.text(parts[0]) != "storage" || !values.is(parts[1], Kind::global) ||
            global == globals_of_weights().end() || global->second.meaning != GlobalMeaning::storage)
            refuse("a storage of no type that is known");
        const PytorchFile::Storage storage{global->second.type, std::string(values.text(parts[2])),
                                           natural(values, parts[4], "a storage's size"), 0};
        if (storage.key.empty()) refuse("a storage without a name");
        if (parts.size() == 6 && !values.is(parts[5], Kind::none))
            refuse("a part of a storage, as PyTorch wrote before 1.0");
        return values.add({.kind = Kind::foreign, .integer = -1 - static_cast<std::int64_t>(index_of(storage))});
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(file_ + ": its pickle describes " + what + save_again);
    }

    std::size_t natural(const PickleValues& values, PickleId id, const char* what) const {
        if (!values.is(id, Kind::integer) || values[id].integer < 0 || values[id].integer > (std::int64_t{1} << 48))
            refuse(std::string(what) + " as something other than a number of elements");
        return static_cast<std::size_t>(values[id].integer);
    }
    std::vector<std::size_t> naturals(const PickleValues& values, PickleId id, const char* what) const {
        if ((!values.is(id, Kind::tuple) && !values.is(id, Kind::list)) || values[id].parts.size() > most_axes)
            refuse(std::string(what) + " of more axes than any weight has");
        std::vector<std::size_t> numbers;
        for (const PickleId part : values[id].parts) numbers.push_back(natural(values, part, what));
        return numbers;
    }

    std::size_t index_of(const PytorchFile::Storage& storage) {
        const auto [place, is_new] = by_key_.emplace(storage.key, storages.size());
        if (is_new) storages.push_back(storage);
        const PytorchFile::Storage& known = storages[place->second];
        if (known.type != storage.type || known.count != storage.count) refuse("one storage in two ways");
        return place->second;
    }

    /// A tensor, from the arguments (storage, offset, shape, strides, …).
    PickleId rebuild(PickleValues& values, std::span<const PickleId> arguments) {
        if (arguments.size() < 4 || !values.is(arguments[0], Kind::foreign) || values[arguments[0]].integer >= 0)
            refuse("a tensor without a storage");
        PytorchFile::View view;
        view.storage = static_cast<std::size_t>(-1 - values[arguments[0]].integer);
        view.offset = natural(values, arguments[1], "a tensor's offset");
        view.shape = naturals(values, arguments[2], "a tensor's shape");
        view.strides = naturals(values, arguments[3], "a tensor's strides");
        check_inside(view);
        tensors.push_back(std::move(view));
        return values.add({.kind = Kind::foreign, .integer = static_cast<std::int64_t>(tensors.size() - 1)});
    }
    void check_inside(const PytorchFile::View& view) const {
        const std::size_t in_storage = storages[view.storage].count;
        const std::optional<std::size_t> count = count_of(view.shape);
        if (view.shape.size() != view.strides.size()) refuse("a tensor with a stride too many or too few");
        if (!count || *count > in_storage) refuse("a tensor of more numbers than its storage holds");
        if (*count == 0) return;
        std::size_t last = view.offset;
        for (std::size_t i = 0; i < view.shape.size(); ++i) {
            std::size_t step = 0;
            if (__builtin_mul_overflow(view.shape[i] - 1, view.strides[i], &step) ||
                __builtin_add_overflow(last, step, &last))
                refuse("a tensor outside its storage");
        }
        if (last >= in_storage) refuse("a tensor outside its storage");
    }

    /// A tensor of a subclass, from the arguments (function, type, arguments, state).
    PickleId rebuild_typed(PickleValues& values, std::span<const PickleId> arguments) {
        if (arguments.size() < 3 || !values.is(arguments[0], Kind::global) || !values.is(arguments[2], Kind::tuple) ||
            globals_of_weights().find(values[arguments[0]].text)->second.meaning != GlobalMeaning::tensor)
            refuse("a kind of tensor that is not known");
        const std::vector<PickleId> inner = values[arguments[2]].parts;
        return rebuild(values, std::span(inner).first(std::min<std::size_t>(inner.size(), 32)));
    }

    /// A dictionary made from no arguments, or from a list of pairs.
    PickleId dictionary(PickleValues& values, std::span<const PickleId> arguments) {
        PickleValue made{.kind = Kind::dictionary};
        if (!arguments.empty() && values.is(arguments[0], Kind::list)) {
            pairs_ += values[arguments[0]].parts.size();  // a list can be recalled again and again
            if (pairs_ > most_pairs) refuse("more pairs than a model has tensors");
            for (const PickleId pair : values[arguments[0]].parts) {
                const PickleValue& both = values[pair];
                if ((both.kind != Kind::tuple && both.kind != Kind::list) || both.parts.size() != 2)
                    refuse("a dictionary of no pairs");
                made.parts.insert(made.parts.end(), both.parts.begin(), both.parts.end());
            }
        }
        return values.add(std::move(made));
    }

    static constexpr std::size_t most_pairs = 1'000'000;
    std::string file_;
    std::map<std::string, std::size_t> by_key_;
    std::size_t pairs_ = 0;
};

bool is_row_major(const PytorchFile::View& view) {
    std::size_t expected = 1;
    for (std::size_t i = view.shape.size(); i-- > 0;) {
        if (view.shape[i] != 1 && view.strides[i] != expected) return false;
        expected *= view.shape[i];
    }
    return true;
}

/// Distance in the storage from a view's first number to its last.
std::size_t reach_of(const PytorchFile::View& view) {
    std::size_t reach = 0;
    for (std::size_t i = 0; i < view.shape.size(); ++i) reach += (view.shape[i] - 1) * view.strides[i];
    return reach;
}

/// Copies a non-contiguous view, which begins at `from`, into row-major order.
void gather(const PytorchFile::View& view, const float* from, std::span<float> to) {
    std::vector<std::size_t> index(view.shape.size());
    std::size_t at = 0;
    for (float& number : to) {
        number = from[at];
        for (std::size_t i = view.shape.size(); i-- > 0;) {
            at += view.strides[i];
            if (++index[i] < view.shape[i]) break;
            at -= view.shape[i] * view.strides[i];
            index[i] = 0;
        }
    }
}

/// Passes each tensor of the file's state dict to `take`.
void take_tensors(const PickleValues& values, PickleId root, const TorchHost& host,
                  const std::function<void(const std::string&, const PytorchFile::View&)>& take,
                  std::vector<std::string>& notes) {
    const StateDict state = choose_state_dict(values, root, [&](PickleId id) {
        const PytorchFile::View* const view = host.tensor_of(values, id);
        return view == nullptr ? -1 : static_cast<int>(view->shape.size());
    });
    notes = state.notes;
    for (const auto& [name, id] : state.tensors) take(name, *host.tensor_of(values, id));
}

TensorEntry entry_of(const PytorchFile::View& view, const PytorchFile::Storage& storage) {
    const std::size_t size = bytes_of(storage.type);
    return {storage.type, view.shape, view.offset * size, count_of(view.shape).value_or(0) * size};
}

}  // namespace

std::shared_ptr<const PytorchFile> PytorchFile::from_archive(ZipArchive archive) {
    const ZipArchive::Entry* pickle = nullptr;
    for (const ZipArchive::Entry& entry : archive.entries()) {
        if (entry.name.find("/code/") != std::string::npos || entry.name.ends_with("/constants.pkl"))
            throw Error(archive.name() +
                        ": this is a TorchScript program, and Vitrine runs nothing from a file; save the weights alone "
                        "in Python: torch.save(torch.jit.load(FILE).state_dict(), \"weights.pth\")");
        if (entry.name != "data.pkl" && !entry.name.ends_with("/data.pkl")) continue;
        if (pickle != nullptr) throw Error(archive.name() + ": it holds two models; save one only");
        pickle = &entry;
    }
    if (pickle == nullptr) throw Error(archive.name() + ": this ZIP archive holds no weights; give the file inside it");
    constexpr std::size_t most_described = 64 << 20;
    if (pickle->size > most_described)
        throw Error(archive.name() +
                    ": the description of its tensors is longer than any model's; save the weights alone");

    std::vector<std::uint8_t> words(pickle->size);
    archive.read(*pickle, 0, words);
    PickleValues values;
    values.file = archive.name();
    TorchHost host(archive.name());
    const PickleId root = read_pickle(ByteSource::of_bytes(words, archive.name()), 0, values, host).value;

    const std::string folder = pickle->name.substr(0, pickle->name.size() - std::string_view("data.pkl").size());
    if (const ZipArchive::Entry* const order = archive.find(folder + "byteorder"); order != nullptr && order->size == 3)
        throw Error(archive.name() + ": its numbers are big-endian; save the weights again on a machine of today");
    const std::shared_ptr<PytorchFile> file(new PytorchFile(ByteSource::of_bytes({}, archive.name()), "PyTorch (zip)"));
    file->folder_ = folder;
    file->storages_ = std::move(host.storages);
    take_tensors(
        values, root, host,
        [&](const std::string& name, const View& view) {
            const Storage& storage = file->storages_[view.storage];
            const ZipArchive::Entry* const entry = archive.find(folder + "data/" + storage.key);
            if (entry == nullptr)
                throw Error(archive.name() + ": the numbers of \"" + name + "\" are missing; download the file again");
            if (entry->size != storage.count * bytes_of(storage.type))
                throw Error(archive.name() + ": \"" + name +
                            "\" has a storage that does not match its number of bytes; download the file again");
            file->entries_.emplace(name, entry_of(view, storage));
            file->views_.emplace(name, view);
        },
        file->notes_);
    file->archive_ = std::move(archive);
    return file;
}

std::shared_ptr<const PytorchFile> PytorchFile::from_stream(ByteSource source) {
    const std::string name = source.name();
    PickleValues values;
    values.file = name;
    TorchHost host(name);
    constexpr std::string_view magic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12);
    std::vector<std::uint8_t> beginning(std::min<std::size_t>(source.size(), 64));
    source.read(0, beginning);
    const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
    if (text.find(magic) == std::string_view::npos)
        throw Error(name +
                    ": this is a pickle, but not one of torch.save; save the weights in Python with "
                    "torch.save(model.state_dict(), \"weights.pth\")");
    constexpr std::int64_t version = 1001;
    PickleRead read = read_pickle(source, 0, values, host);
    read = read_pickle(source, read.end, values, host);
    if (!values.is(read.value, Kind::integer) || values[read.value].integer != version)
        throw Error(name + ": this file is of an unknown version of torch.save; save the weights again");
    read = read_pickle(source, read.end, values, host);
    const std::vector<PickleId>& machine = values[read.value].parts;
    for (std::size_t i = 0; i + 1 < machine.size(); i += 2)
        if (values.text(machine[i]) == "little_endian" && values[machine[i + 1]].integer == 0)
            throw Error(name + ": its numbers are big-endian; save the weights again on a machine of today");
    const PickleRead model = read_pickle(source, read.end, values, host);
    const PickleRead keys = read_pickle(source, model.end, values, host);

    // In the stream each storage consists of its number of elements, followed by the elements.
    std::map<std::string, std::size_t, std::less<>> unplaced;
    for (std::size_t i = 0; i < host.storages.size(); ++i) unplaced.emplace(host.storages[i].key, i);
    std::size_t at = keys.end;
    for (const PickleId key : values[keys.value].parts) {
        const auto found = unplaced.find(values.text(key));
        if (found == unplaced.end())
            throw Error(name + ": it names a storage twice, or one that nothing views; download the file again");
        Storage& storage = host.storages[found->second];
        unplaced.erase(found);
        std::array<std::uint8_t, 8> count = {};
        source.read(at, count);
        std::size_t bytes = 0;
        if (little_endian(count) != storage.count ||
            __builtin_mul_overflow(storage.count, bytes_of(storage.type), &bytes) ||
            !source.has(at + count.size(), bytes))
            throw Error(name +
                        ": a storage does not match its number of bytes, so the file is cut short or damaged; "
                        "download it again");
        storage.begin = at + count.size();
        at = storage.begin + bytes;
    }
    const std::shared_ptr<PytorchFile> file(new PytorchFile(source, "PyTorch (before 1.6)"));
    file->storages_ = host.storages;
    take_tensors(
        values, model.value, host,
        [&](const std::string& tensor, const View& view) {
            const Storage& storage = file->storages_[view.storage];
            if (storage.begin == 0)
                throw Error(name + ": the numbers of \"" + tensor + "\" are missing; download the file again");
            file->entries_.emplace(tensor, entry_of(view, storage));
            file->views_.emplace(tensor, view);
        },
        file->notes_);
    return file;
}

void PytorchFile::read_bytes(const Storage& storage, std::size_t offset, std::span<std::uint8_t> bytes) const {
    if (!archive_) return source_.read(storage.begin + offset, bytes);
    archive_->read(*archive_->find(folder_ + "data/" + storage.key), offset, bytes);
}

/// `count` consecutive numbers of a view's storage, from number `first` on, as float32.
std::shared_ptr<const float> PytorchFile::numbers(const View& view, std::size_t first, std::size_t count,
                                                  const std::string& tensor) const {
    const Storage& storage = storages_[view.storage];
    const std::size_t size = bytes_of(storage.type);
    const std::shared_ptr<float[]> out(new float[count]);
    if (storage.type == TensorType::f32) {
        read_bytes(storage, first * size, {reinterpret_cast<std::uint8_t*>(out.get()), count * size});
    } else {
        std::vector<std::uint8_t> bytes(count * size);
        read_bytes(storage, first * size, bytes);
        convert_numbers(storage.type, bytes, out.get(), name_, tensor);
    }
    return {out, out.get()};
}

std::shared_ptr<const float> PytorchFile::floats(const std::string& tensor) const {
    const View& view = views_.at(tensor);
    const std::size_t count = count_of(view.shape).value_or(0);
    std::shared_ptr<const float> found;
    if (count == 0 || is_row_major(view)) {
        found = numbers(view, count == 0 ? 0 : view.offset, count, tensor);
    } else {
        const std::shared_ptr<const float> apart = numbers(view, view.offset, reach_of(view) + 1, tensor);
        const std::shared_ptr<float[]> together(new float[count]);
        gather(view, apart.get(), {together.get(), count});
        found = {together, together.get()};
    }
    require_finite({found.get(), count}, name_, tensor);
    return found;
}

}  // namespace vitrine
