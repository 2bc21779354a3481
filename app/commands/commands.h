#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/library/colours.h"
#include "app/workspace/figure_look.h"
#include "core/base/error.h"
#include "core/text/text_kinds.h"
#include "core/transformer/intervention.h"
#include "core/vit/experiment.h"
#include "core/vit/model.h"

namespace vitrine {

struct MutableView;
struct RunUse;
struct Runs;
struct Settings;
struct View;

/// An error in the command line: unknown option, step or what-if, an index outside the model. Exit status 2.
class UsageError : public Error {
public:
    using Error::Error;
};

/// Model options of all commands.
struct ModelOptions {
    std::filesystem::path path;  // or a bundled model's name; empty: the first one
    ModelSource said;            // the other options about the model (app/library/source_words)
    std::string memory;          // of runs beside the weights: "320M", "4G", "automatic", "all"; empty: no option
    std::string colour;          // of image files: "stored", "managed"; empty: no option

    /// The model's source with these options; if `path` is empty, `without_path` with them.
    ModelSource source(const ModelSource& without_path = {}) const;
    /// Runs of the model that keep as many blocks as fit into `memory`, divided among the runs `at_a_time`; all blocks
    /// without that option. Throws Error.
    Runs runs(std::shared_ptr<const Model> model, const RunUse& use, int at_a_time = 1) const;
    /// Applies the options `memory` and `colour` to the settings. Throws Error for an invalid amount of memory.
    void change(Settings& settings) const;
    /// The colours in which the model reads image files: the stored ones unless `colour` says otherwise.
    Colours colours() const { return value_in(colours_names, colour).value_or(Colours::stored); }
};

struct WindowOptions {
    std::string image;     // empty: a sample
    std::string language;  // empty: the remembered one
    ModelOptions model;
    std::filesystem::path play;    // recorded commands to play; empty: none
    std::filesystem::path record;  // file for recording commands; empty: none
    std::filesystem::path stream;  // the source of a stream to play; empty: none
};

struct TraceOptions {
    std::vector<std::string> images;
    ModelOptions model;
    std::vector<std::string> what_ifs;
    std::filesystem::path dump;  // empty: none
    bool force = false;          // in every command: also replaces files that Vitrine did not write
    bool json = false;
    int top = 5;
    int threads = 0;  // 0: all cores
    bool quiet = false;
};

struct SnapshotOptions {
    std::string image;
    ModelOptions model;
    std::vector<std::string> what_ifs;
    std::string beside;  // the image of a second run side by side; below, its model and what-ifs
    ModelOptions beside_model;
    std::vector<std::string> beside_what_ifs;
    bool difference = false;
    std::string step;
    std::string lab;                    // an instrument of the laboratory, instead of a step
    std::string exercise;               // an exercise, instead of a step
    bool solved = false;                // show the exercise's repair
    std::vector<int> chosen;            // in the exercise: prediction, line and repair, as far as chosen
    std::string text;                   // a chapter of the Text room, instead of a step
    std::optional<std::string> words;   // its input
    std::vector<std::string> settings;  // "lab.order=entropy": other parts of the focus
    std::optional<int> block, head;     // none: the first ones, or those that the step opens on
    int token = 0;
    bool solo = false;
    std::string size = "1920x1080";
    double scale = 0;   // of type and controls; 0: as in a window of that size
    std::string theme;  // none: dark, or light on a transparent background
    std::string language = "en";
    bool lecture = false;
    bool from_zero = false;         // blocks, heads, patches … count from 0
    double time = 1;                // of the step's animation, 0 … 1
    std::optional<double> learn;    // the Train room after this many seconds, instead of a step
    std::string task;               // with learn: text Transformers for this task
    std::vector<std::string> runs;  // with learn: one or two runs, "deep,no-norm"
    std::string experiment;         // with learn, instead of runs
    bool recorded = false;          // the experiment's recording, at its end
    std::filesystem::path session;  // instead of an image and all other settings
    std::string part = "window";
    int times = 1;
    bool transparent = false;
    FigureLook figure;
    std::filesystem::path out;  // ending in .svg: a drawing with real text
    bool force = false;
    bool json = false;  // of `describe`
    int threads = 0;
};

/// Options of `vitrine export`, for one image or many.
struct ExportOptions {
    std::vector<std::string> images;  // sentences with `task`
    std::string task;                 // of a text Transformer, whose measures are exported; empty: images
    std::string to = name_of(TextLanguage::japanese);
    std::filesystem::path session;  // instead of images
    ModelOptions model;
    std::vector<std::string> what_ifs, settings, measures;
    std::string patch_from, against;      // another image
    std::filesystem::path against_model;  // another model
    std::string site = "stream";          // of patching
    std::string ablate = "zero";          // of importance
    std::string format = "npy";
    std::string size = "1920x1080", theme = "light", language = "en";
    int times = 1;
    bool transparent = false;
    FigureLook figure;
    std::filesystem::path out;
    bool force = false;               // also replaces measures of another run
    bool each = false;                // a folder for each image, also if there is one only
    bool stack = false;               // one array for all images instead
    bool over_all = false;            // mean and standard deviation over all images instead
    std::string ranking = "removal";  // of heads, for `pruning`
    bool resume = false;
    int threads = 0;  // 0: all cores
    bool quiet = false, json = false;
};

/// Removes parts one at a time, for one image or many.
struct SweepOptions {
    std::vector<std::string> images, what_ifs;
    ModelOptions model;
    std::string over;  // empty: `what_ifs` say what is removed
    std::string ablate = "zero";
    std::filesystem::path mean_over;  // with "mean": over the images of this folder
    std::optional<int> block;         // with edges: their block; none: the last
    std::uint64_t seed = 1;
    std::filesystem::path out;
    bool resume = false, force = false, json = false, quiet = false;
    int threads = 0;  // 0: all cores
};

struct HandoutOptions {
    std::string lesson;  // a bundled lesson's name or a file
    ModelOptions model;
    std::string language = "en";
    std::filesystem::path out;
    bool notes = false;    // include the speaker's notes
    bool answers = false;  // include the answers to the questions
    bool force = false;
    int threads = 0;
    bool quiet = false;
};

struct InfoOptions {
    std::vector<std::string> models;  // instead of one in `model`
    ModelOptions model;
    bool machine = false;
    bool cached = false;  // lists the models in the hub's cache
    bool json = false;
};

/// Fetches models from the hub into its cache.
struct FetchOptions {
    std::vector<std::string> models;  // "owner/name[@revision]"
    bool json = false, quiet = false;
};

/// Answers requests of other programs about one model.
struct ServeOptions {
    ModelOptions model;
    bool stdio = false;
    int threads = 0;
};

struct BenchOptions {
    ModelOptions model;
    std::string variant;  // "vit-b16"; empty without a model: the bundled one and all variants
    int size = 224;       // pixels, for variants
    int threads = 0;
    int runs = 15;
    bool memory = false;    // measures a run's memory
    std::string budget;     // with memory; empty: that of the target, if there is one
    bool products = false;  // prints the table of matrix products
    bool what_if = false;   // times a what-if in every block against its share of the pass
    bool frames = false;
    std::string beside;     // with frames: the image of a second run
    bool turns = false;     // times a pass, or its products, for each request on standard input
    bool learning = false;  // with frames: those of the Train room during training
    bool train = false;
    std::string task, to = name_of(TextLanguage::japanese);  // with train: a text Transformer instead
    std::string torch;                                       // empty: the matching script
    bool json = false;
};

/// Options of training runs for text Transformers alone.
struct TextTrainOptions {
    std::string task;                                  // empty: pictures
    std::string to = name_of(TextLanguage::japanese);  // for a translation
    std::uint64_t sentences = 0;                       // 0: as in the task's recipe
    bool no_scale = false, no_mask = false, learned_positions = false;
    std::optional<double> it_weight;
};

struct TrainOptions {
    std::filesystem::path out;
    std::filesystem::path from;  // initial model; empty: none
    bool resume = false;
    std::uint64_t pictures = 400'000;
    double seconds = 0;  // 0: limited by `pictures`
    int size = 0;        // 0: 64, or that of `from`
    int patch = 8;
    std::optional<int> dim, blocks, heads;  // none, here and below: as in the recipe
    std::optional<int> mlp;                 // none: twice D
    std::optional<std::string> activation, norm;
    bool no_skips = false, no_positions = false;
    std::string scenes = "pictograms";
    bool pairs = false;
    std::string difficulty = "normal";
    std::uint64_t distinct = 0;  // 0: endless
    std::optional<std::string> optimiser;
    std::optional<double> momentum, vector_rate, learning_rate, weight_decay;
    double label_smoothing = 0, dropout = 0;
    std::optional<int> batch;
    std::uint64_t seed = 1;
    int threads = 0;  // 0: all cores
    TextTrainOptions text;
    double every = 15;  // seconds between checkpoints
    bool half = false;
    bool json = false;
    bool force = false;
    bool quiet = false;
};

/// Compares a Vision Transformer with a convolutional net, on few and on many pictures.
struct CompareOptions {
    std::uint64_t pictures = 12'000, seed = 1;
    int seeds = 5, fresh = 2000, threads = 1;
    std::filesystem::path out;
    bool force = false, json = false, quiet = false;
};

/// Checks the texts' claims about experiments.
struct ClaimsOptions {
    std::vector<std::string> only;  // ids; empty: all
    bool full = false;              // ten seeds instead of three
    int seeds = 0;                  // 0: by `full`
    bool list = false;              // list the claims without checking
    bool json = false;
    bool quick = false;            // skip claims that need training
    int threads = 0;               // 0: all cores
    std::filesystem::path runs;    // folder in which finished runs are cached; empty: none
    std::filesystem::path log;     // file for the figures quoted by texts; empty: none
    std::filesystem::path record;  // folder for recorded runs of all presets; empty: none
    bool force = false;
    bool quiet = false;
};

/// A sheet of training pictures.
struct DrawPicturesOptions {
    std::string scenes = "pictograms", difficulty = "normal";
    std::string label;  // a class's name; empty: random classes
    bool pairs = false;
    int columns = 12, rows = 8, size = 112;
    std::uint64_t seed = 1, first = 0;
    std::filesystem::path out;
    bool force = false, json = false;
};

/// Searches drawn pictures on which what-ifs have an effect.
struct FindEdgeOptions {
    ModelOptions model;
    std::vector<std::string> what_ifs;
    std::string scenes, difficulty = "normal";  // empty scenes: those of the model
    int count = 400, tried = 60, top = 5;
    std::uint64_t seed = 1;
    int threads = 0;
    bool json = false, quiet = false;
};

struct EvaluateOptions {
    std::vector<std::string> models;  // instead of one in `model`
    ModelOptions model;
    std::string task,
        to = name_of(TextLanguage::japanese);  // for text; no task: pictures, unless the model reads text
    int count = 5000, ablated = 1000;
    std::uint64_t seed = 0;
    int threads = 0;
    bool json = false, quiet = false;
};

/// Runs a text Transformer on a text.
struct TextOptions {
    std::string task, to = name_of(TextLanguage::japanese);
    std::vector<std::string> words;  // as split by the shell
    std::filesystem::path model;     // a folder; empty: the bundled model
    std::optional<double> temperature, top_p;
    std::optional<int> top_k, beam;
    std::uint64_t seed = 1;
    int top = 5;
    std::filesystem::path dump;
    bool force = false, json = false;
    int threads = 0;
};

/// Compares an image with texts by a model with two towers.
struct WordsOptions {
    std::string image;
    std::vector<std::string> texts;
    ModelOptions model;
    bool json = false;
    int threads = 0;
};

/// Lists the cited papers.
struct ReferencesOptions {
    bool bibtex = false, json = false;
};

/// Trains a new head for the user's own pictures on a frozen model.
struct ProbeOptions {
    std::filesystem::path folder, out;  // `out` empty: the model is not saved
    ModelOptions model;
    double decay = 0.03;
    std::uint64_t seed = 1;
    std::optional<int> layer;  // ℓ; none: the last
    std::string read;          // "class" or "mean"; empty: as the model's head reads
    int folds = 0;             // of cross-validation; 0: one quarter of the pictures is the test set
    int threads = 0;
    bool json = false, force = false, quiet = false;
};

// Each command prints its result on stdout and returns 0; it throws Error (exit status 1) or UsageError (2).
int window_command(const WindowOptions& options);
int trace_command(const TraceOptions& options);
int snapshot_command(const SnapshotOptions& options);
int describe_command(const SnapshotOptions& options);
int handout_command(const HandoutOptions& options);
int export_command(const ExportOptions& options);
int export_text_command(const ExportOptions& options);
int sweep_command(const SweepOptions& options);
int info_command(const InfoOptions& options);
int fetch_command(const FetchOptions& options);
int serve_command(const ServeOptions& options);
int bench_command(const BenchOptions& options);
int train_command(const TrainOptions& options);
int draw_command(const DrawPicturesOptions& options);
int find_edge_command(const FindEdgeOptions& options);
int evaluate_command(const EvaluateOptions& options);
int probe_command(const ProbeOptions& options);
int compare_command(const CompareOptions& options);
int claims_command(const ClaimsOptions& options);
int text_command(const TextOptions& options);
int words_command(const WordsOptions& options);
int references_command(const ReferencesOptions& options);

/// Sets parts of the focus, "lab.order=entropy"; throws UsageError for an unknown name or value.
void take_settings(const std::vector<std::string>& settings, const MutableView& view);
/// Throws UsageError for a setting that names a block, head, token, feature or class which this model does not have.
void check_settings(const std::vector<std::string>& settings, const View& view, const Config& config);

/// A window's size in pixels. `parse_size` reads WIDTHxHEIGHT and throws UsageError for any other words.
struct Size {
    int width = 0, height = 0;
};
Size parse_size(const std::string& words);
/// Throws UsageError if the scaled size is too large to draw.
void check_pixels(const Size& size, int times);

/// The what-ifs of these words for this model; throws UsageError for invalid ones.
std::vector<Intervention> parse_what_ifs(const std::vector<std::string>& words, const Config& config);

/// The same, with the means over the sets of images that the words name computed: ready for a run of this model.
std::vector<Intervention> what_ifs_for(const Model& model, const std::vector<std::string>& words, Colours colours);

/// Parses the arguments and runs their command; returns the exit status.
int run_command_line(int argc, char** argv);

}  // namespace vitrine
