#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/training/runs/run_record.h"
#include "core/vit/model.h"

// What the words on the screen say that an experiment will show, and how each is checked: `vitrine claims` and the test
// of texts read this table.

namespace vitrine {

/// How a figure is written: a share 0 … 1 as per cent, or as a number.
enum class FigureKind { share, number };

struct Figure {
    std::string name;  // texts quote it as {claim:ID.NAME}
    double value = 0;
    FigureKind kind = FigureKind::share;
};

/// One try of a claim: two runs of one seed, or a hundred fresh pictures of one seed under a what-if.
struct Trial {
    double margin = 0;  // what must lie between the claim's `least` and `most`
    std::vector<Figure> figures;
};

/// What checks work with.
struct ClaimGround {
    const Model& model;                                          // the bundled one
    std::function<RunRecord(const Recipe&)> run;                 // carries a run out, or remembers it
    std::function<TextRecord(const TextRecipe&)> run_text = {};  // the same of text Transformers
    int threads = 1;
    int pictures = 100;  // of a what-if's try
    Progress progress = {};
};

/// One thing that texts say an experiment shows.
struct Claim {
    const char* id;
    const char* words;              // what is measured and what must hold, for whoever reads the command's answer
    std::vector<const char*> keys;  // of the texts that say it
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    std::function<Trial(const ClaimGround&, std::uint64_t seed)> check;
    bool learns = false;  // it needs runs of learning, which take minutes
    std::string of = {};  // of a claim that rests on no model: what was tried, in a few digits

    bool agrees(const Trial& trial) const { return trial.margin >= least && trial.margin <= most; }
};

/// All claims: those about learning, of pictures and of texts, then those about what-ifs.
const std::vector<Claim>& claims();
/// The one of that id; null where there is none.
const Claim* claim_named(std::string_view id);

// The parts of the table.
std::vector<Claim> learning_claims();
std::vector<Claim> text_learning_claims();
std::vector<Claim> what_if_claims();

/// What trying a claim with the seeds 1, 2, … gave.
struct Verdict {
    std::string id;
    std::string of;  // the claim's, when it was tried
    std::vector<Trial> trials;
    std::string machine = {};  // what computed: processor, vectors, products, threads; "" in logs of before it was kept

    int agreeing(const Claim& claim) const;
    /// Nine of ten agree; of fewer tries all.
    bool holds(const Claim& claim) const;
    /// The mean over the tries. Throws Error where there is no such figure.
    Figure mean(std::string_view figure) const;
};

/// What a long run of all claims gave; it is kept in assets/claims, and texts quote it.
struct ClaimLog {
    std::string day;    // of the newest row
    std::string model;  // SHA-256 of the bundled model's weights, which what-ifs were tried on
    std::vector<Verdict> verdicts;

    /// "norms.a" as its mean over the tries. Throws Error.
    Figure figure(std::string_view quoted) const;
    /// Puts a verdict in the place of an older one.
    void put(const Verdict& verdict);
};
std::string to_json(const ClaimLog& log);
ClaimLog claim_log_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
