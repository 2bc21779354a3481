#include <gtest/gtest.h>

#include <atomic>

#include "app/jobs/inference.h"

namespace vitrine {
namespace {

using WhatIfs = std::vector<Intervention>;

Experiment of(const std::string& sample, WhatIfs what_ifs) { return {{}, {sample, {}}, std::move(what_ifs)}; }

TEST(InferenceWorker, AnswersTheNewestRequest) {
    InferenceWorker worker;
    for (const std::string& name : sample_names()) worker.request(of(name, {}));
    worker.wait();
    ASSERT_TRUE(worker.latest().result);
    EXPECT_EQ(worker.latest().result->experiment, of(sample_names().back(), {}));
    EXPECT_EQ(worker.latest().activity.stage, Stage::idle);
}

TEST(InferenceWorker, SharesModelImageAndBaselineWithTheResultBefore) {
    InferenceWorker worker;
    worker.request(of("cat", {}));
    worker.wait();
    const auto before = worker.latest().result;
    worker.request(of("cat", {remove_head(3, 0)}));
    worker.wait();
    const auto after = worker.latest().result;
    EXPECT_EQ(after->model, before->model);
    EXPECT_EQ(after->image, before->image);
    EXPECT_EQ(after->baseline.head, before->baseline.head);
    EXPECT_TRUE(shares_block(after->trace, before->baseline, 2)) << "block 2 is before the intervention";
    EXPECT_FALSE(shares_block(after->trace, before->baseline, 3));
}

TEST(InferenceWorker, AFailureSaysWhyAndKeepsTheLastResult) {
    InferenceWorker worker;
    worker.request(of("cat", {}));
    worker.wait();
    const auto before = worker.latest().result;
    worker.request({{}, {{}, "/no/such/picture.png"}, {}});
    worker.wait();
    ASSERT_TRUE(worker.latest().failure);
    EXPECT_NE(worker.latest().failure->message.find("/no/such/picture.png"), std::string::npos);
    EXPECT_EQ(worker.latest().result, before);
    worker.request(of("key", {}));
    worker.wait();
    EXPECT_FALSE(worker.latest().failure) << "a success ends the failure";
}

TEST(InferenceWorker, CancelKeepsTheLastResultAndTheWorkerGoesOn) {
    InferenceWorker worker;
    worker.request(of("cat", {}));
    worker.wait();
    worker.request(of("sun", {}));
    worker.cancel();
    worker.wait();
    ASSERT_TRUE(worker.latest().result);
    worker.request(of("tree", {}));
    worker.wait();
    EXPECT_EQ(worker.latest().result->image->name, "tree");
}

TEST(InferenceWorker, TellsItsOwnerWheneverThereIsSomethingNew) {
    std::atomic<int> told = 0;
    InferenceWorker worker([&] { ++told; });
    worker.request(of("cat", {}));
    worker.wait();
    EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace vitrine
