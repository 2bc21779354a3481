#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/tensor/memory.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// A machine's /proc and /sys as files.
class Memory : public testing::Test {
protected:
    void SetUp() override {
        write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:  100 kB\nMemAvailable:    8000000 kB\n");
    }
    void TearDown() override { fs::remove_all(root); }
    void write(const std::string& file, const std::string& words) const {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << words;
    }
    double available() const { return available_memory(root).value_or(-1); }

    fs::path root = fs::temp_directory_path() / ("vitrine_memory." + std::to_string(getpid()));
};

TEST_F(Memory, IsWhatTheMachineHasLeft) {
    EXPECT_EQ(available(), 8e6 * 1024);
    fs::remove(root / "proc/meminfo");
    EXPECT_FALSE(available_memory(root)) << "where the system does not tell, nothing is guessed";
}

TEST_F(Memory, IsWhatTheTightestControlGroupLeavesWithoutWhatCanBeDropped) {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/memory.max", "1000000000\n");
    write("sys/fs/cgroup/user/memory.current", "400000000\n");
    write("sys/fs/cgroup/user/job/memory.max", "max\n");
    write("sys/fs/cgroup/user/job/memory.current", "300000000\n");
    EXPECT_EQ(available(), 6e8) << "a group without a limit is held by one with a limit";
    write("sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file 100000000\nactive_file 7\n");
    EXPECT_EQ(available(), 7e8);
    write("sys/fs/cgroup/user/job/memory.max", "350000000\n");
    EXPECT_EQ(available(), 5e7);
    write("sys/fs/cgroup/user/job/memory.current", "360000000\n");
    EXPECT_EQ(available(), 0) << "more than the limit is in use";
}

TEST_F(Memory, TheOldControlGroupsAndAContainerThatSeesOnlyItsOwnAreRead) {
    write("proc/self/cgroup", "5:cpu:/x\n7:memory,hugetlb:/docker/abc\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000000\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000000\n");
    EXPECT_EQ(available(), 4e8);
}

TEST_F(Memory, IsKnownOnThisMachine) {
    const std::optional<double> here = available_memory();
    ASSERT_TRUE(here);
    EXPECT_GT(*here, 1e6);
    EXPECT_LT(*here, 1e14);
}

TEST(RequireMemory, RefusesWithASentenceThatStatesTheNeedAndWhatThereIs) {
    require_memory({"it", 1e9}, 1e9);
    try {
        require_memory({"this run", 12.8e9}, 3.14e9);
        ADD_FAILURE() << "granted what is not there";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "this run takes 13 GB of memory, but only 3.1 GB are free; open a smaller model, or close other "
                     "programs");
    }
}

Config oblong() {
    Config c;
    c.image_height = 12;
    c.image_width = 20;
    c.patch_size = 4;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 3;
    c.mlp_dim = 12;
    c.classes = 5;
    return c;
}

TEST(Cost, CountsEveryByteThatATraceOfOneImageKeeps) {
    for (const int pooling : {0, 7})
        for (const int classes : {0, 5}) {
            Config c = oblong();
            c.classes = classes;
            c.pooling_dim = pooling;
            if (pooling > 0) c.readout = Readout::attention;
            const Model model = random_model(c, 1);
            const Trace trace = forward(model, tensor3(3, 12, 20));
            double bytes = 0;
            for (const NamedTensor& t : named_tensors(trace)) {
                double count = 4;
                for (const std::size_t n : t.shape) count *= static_cast<double>(n);
                bytes += count;
            }
            EXPECT_EQ(cost_of(c).trace_bytes, bytes);
        }
}

TEST(RunMemory, AModelOfTinyFilesAndHugeRunsIsRefusedBeforeItRuns) {
    Model model;
    model.provenance.name = "wide";
    model.config = oblong();
    require_memory_for_run(model);
    require_memory_for_weights(model);
    require_memory_for_what_if(model, std::vector{remove_head(2, 0)});
    model.config.patch_size = 1;
    model.config.image_height = model.config.image_width = 3000;  // 9 million tokens: 650 TB of attention a block
    EXPECT_THROW(require_memory_for_run(model), Error);
    EXPECT_THROW(require_memory_for_matrices(model, 1, "comparing"), Error);
    EXPECT_THROW(require_memory_for_what_if(model, std::vector{remove_head(3, 0)}), Error);
    require_memory_for_what_if(model, {});
    try {
        require_memory_for_run(model);
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("wide: a run of this model"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("9000001 tokens"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace vitrine
