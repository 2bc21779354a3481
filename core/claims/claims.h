#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/text/text_kinds.h"
#include "core/training/runs/run_record.h"
#include "core/training/runs/text_record.h"
#include "core/vit/model.h"

// Statements of the texts about results of experiments, and a check for each. Used by `vitrine claims` and the tests of
// texts.

namespace vitrine {

struct TextModel;

/// Format of a figure: a share 0 … 1 as per cent, or a number.
enum class FigureKind { share, number };

struct Figure {
    std::string name;  // quoted in texts as {claim:ID.NAME}
    double value = 0;
    FigureKind kind = FigureKind::share;
};

/// One trial of a claim: two runs with one seed, or a hundred unseen pictures of one seed under a what-if.
struct Trial {
    double margin = 0;  // must be between the claim's `least` and `most`
    std::vector<Figure> figures;
};

/// Inputs of a claim's check.
struct ClaimGround {
    const Model& model;                                          // the bundled one
    std::function<RunRecord(const Recipe&)> run;                 // trains a run, or returns the stored one
    std::function<TextRecord(const TextRecipe&)> run_text = {};  // the same for text Transformers
    /// The bundled model of a task, and of a direction for translation.
    std::function<const TextModel&(TextTask, TextLanguage)> text_model = {};
    int threads = 1;
    int pictures = 100;  // pictures in a what-if's trial
    Progress progress = {};
};

/// One statement about an experiment.
struct Claim {
    const char* id;
    const char* words;              // what is measured and what must hold, printed by the command
    std::vector<const char*> keys;  // keys of the texts that make the statement
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    std::function<Trial(const ClaimGround&, std::uint64_t seed)> check;
    bool learns = false;  // needs training runs, which take minutes
    std::string of = {};  // for a claim without a bundled model: a short digest of its inputs

    bool agrees(const Trial& trial) const { return trial.margin >= least && trial.margin <= most; }
};

/// All claims: learning from pictures, learning from texts, what-ifs, the bundled text models.
const std::vector<Claim>& claims();
/// The claim with an id; null if there is none.
const Claim* claim_named(std::string_view id);

// The parts of `claims()`.
std::vector<Claim> learning_claims();
std::vector<Claim> text_learning_claims();
std::vector<Claim> what_if_claims();
std::vector<Claim> text_model_claims();

/// Result of a claim's trials with the seeds 1, 2, …
struct Verdict {
    std::string id;
    std::string of;  // the claim's `of` when it was tried
    std::vector<Trial> trials;
    std::string machine = {};  // the machine: processor, vectors, products, threads; "" in older logs

    int agreeing(const Claim& claim) const;
    /// True if nine of ten trials agree; with fewer than ten, if all do.
    bool holds(const Claim& claim) const;
    /// A figure's mean over the trials. Throws Error for an unknown figure.
    Figure mean(std::string_view figure) const;
};

/// Results of a long run of all claims, kept in assets/claims and quoted by texts.
struct ClaimLog {
    std::string day;    // date of the newest row
    std::string model;  // SHA-256 of the bundled model's weights, with which what-ifs were tried
    std::vector<Verdict> verdicts;

    /// The mean over the trials of a figure quoted as "claim.figure", such as "norms.a". Throws Error if there is none.
    Figure figure(std::string_view quoted) const;
    /// Adds a verdict, replacing an older one of the same claim.
    void put(const Verdict& verdict);
};
std::string to_json(const ClaimLog& log);
/// Parses a log. Throws Error, which begins with `name`, for any other text.
ClaimLog claim_log_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
