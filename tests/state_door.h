#pragma once

#include "app/frame/shell.h"

namespace vitrine {

/// The tests' way to the state of a window, between two of its frames.
class StateDoor {
public:
    /// Carries out a command at once.
    static void carry_out(Shell& shell, const Command& command) { shell.carrier_.carry_out(command); }
    /// The state itself, for what no command makes.
    static AppContext& open(Shell& shell) { return shell.carrier_.context_; }

    /// A draft whose changes are carried out as commands at its end.
    class Change {
    public:
        explicit Change(Shell& shell) : shell_(shell), draft_(shell.context()) {}
        ~Change() {
            Commands commands;
            draft_.ask(shell_.context(), commands);
            for (const Command& command : commands.take()) carry_out(shell_, command);
        }
        Change(const Change&) = delete;
        Change& operator=(const Change&) = delete;

        Draft* operator->() { return &draft_; }
        Focus& focus() { return draft_.selection.focus; }
        TextDraft text() { return {draft_.text_experiment, focus().text}; }

    private:
        Shell& shell_;
        Draft draft_;
    };
};

}  // namespace vitrine
