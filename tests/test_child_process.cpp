#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/platform/child_process.h"

namespace vitrine {
namespace {

using Kept = ChildProcess::Kept;

ChildProcess::Command shell(const std::string& words, Kept kept = Kept::errors) {
    return {{"-c", words}, "/bin/sh", {}, kept};
}

ChildProcess::End polled(ChildProcess& child) {
    for (;;) {
        if (auto end = child.poll()) return *end;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

TEST(ChildProcess, TellsItsStatusAndWhatItWroteToStderrOrToStdout) {
    const std::string words = "echo out; echo wrong >&2; exit 3";
    ChildProcess errors(shell(words)), output(shell(words, Kept::output));
    const ChildProcess::End error_end = polled(errors), output_end = output.wait();
    EXPECT_EQ(error_end.status, 3);
    EXPECT_EQ(error_end.words, "wrong");
    EXPECT_EQ(output_end.status, 3);
    EXPECT_EQ(output_end.words, "out");
}

TEST(ChildProcess, KeepsEveryWordOfOneThatWritesMoreThanAPipeHolds) {
    const std::string words = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done";
    ChildProcess waited(shell(words, Kept::output)), asked(shell("exec >&2; " + words));
    EXPECT_EQ(waited.wait().words.size(), 20000U * 11 - 1);
    EXPECT_EQ(polled(asked).words.size(), 20000U * 11 - 1);
}

TEST(ChildProcess, HasTheEnvironmentOfItsParentWithWhatIsSet) {
    setenv("VITRINE_TEST_KEPT", "kept", 1);
    setenv("VITRINE_TEST_SET", "before", 1);
    ChildProcess::Command command =
        shell("echo $VITRINE_TEST_KEPT $VITRINE_TEST_SET $VITRINE_TEST_SET_TOO", Kept::output);
    command.environment = {"VITRINE_TEST_SET=after", "VITRINE_TEST_SET_TOO=a=b"};
    ChildProcess child(command);
    EXPECT_EQ(child.wait().words, "kept after a=b");
    unsetenv("VITRINE_TEST_KEPT");
    unsetenv("VITRINE_TEST_SET");
}

TEST(ChildProcess, ThatCannotBeStartedOrIsKilledHasFailed) {
    ChildProcess missing({{}, "/no/such/program"});
    EXPECT_EQ(missing.wait().status, 1);
    ChildProcess killed(shell("kill -9 $$"));
    EXPECT_EQ(killed.wait().status, 1);
}

TEST(ChildProcess, IsEndedWithItsOwner) {
    const ChildProcess child(shell("exec sleep 100000"));  // who waits for its end hangs
}

}  // namespace
}  // namespace vitrine
