#include "app/commands/drawing/paper.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <vector>

#include "app/exports/manifest.h"
#include "core/files/image_formats.h"

namespace vitrine {

namespace {

/// True if --help shows a command or an option; those without a group are internal.
template <class Part>
bool is_shown(const Part* part) {
    return !part->get_group().empty();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
    return command.get_options([](const CLI::Option* o) { return is_shown(o); });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* c) { return is_shown(c); });
}

/// "-h" and "--help"; none for a positional argument.
std::vector<std::string> words_of(const CLI::Option& option) {
    std::vector<std::string> words;
    for (const std::string& name : option.get_snames()) words.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
    return words;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The choices in a type's name, "{en,ja,ko}"; none if any value is allowed.
std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{'), close = type.find('}', open);
    std::vector<std::string> choices;
    if (close == std::string::npos) return choices;
    std::istringstream list(type.substr(open + 1, close - open - 1));
    for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
    return choices;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
    return all;
}

// ---- the manual page ------------------------------------------------------------------------------------------------

/// Text escaped for roff.
std::string roff(const std::string& words) {
    std::string safe;
    for (const char c : words) {
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else if (c == '\n')
            safe += ' ';
        else
            safe += c;
    }
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

/// True for choices too long for one line, which are listed after the description.
bool is_long(const std::vector<std::string>& choices) { return joined(choices, "|").size() > 80; }

/// The placeholder of an option's value: its choices, or its type.
std::string value_of(const CLI::Option& option) {
    const std::vector<std::string> choices = choices_of(option);
    if (!choices.empty() && !is_long(choices)) return "\\fB" + roff(joined(choices, "|")) + "\\fR";
    const std::string type = option.get_type_name();
    return "\\fI" + roff(type.substr(0, type.find(':'))) + "\\fR";
}

std::string entry_of(const CLI::Option& option) {
    std::string entry = ".TP\n";
    if (option.get_positional()) {
        entry += "\\fI" + roff(option.get_name(true)) + "\\fR\n";
    } else {
        entry += "\\fB" + roff(joined(words_of(option), ", ")) + "\\fR";
        if (takes_value(option)) entry += " " + value_of(option);
        entry += "\n";
    }
    entry += roff(option.get_description());
    if (const std::vector<std::string> choices = choices_of(option); is_long(choices))
        entry += "; one of " + roff(joined(choices, ", "));
    const std::string standard = option.get_default_str();
    if (!standard.empty()) entry += " (default: " + roff(standard) + ")";
    return entry + ".\n";
}

std::string entries_of(const CLI::App& command) {
    std::string entries;
    for (const CLI::Option* option : options_of(command))
        if (option->get_positional()) entries += entry_of(*option);
    for (const CLI::Option* option : options_of(command))
        if (!option->get_positional()) entries += entry_of(*option);
    return entries;
}

/// Text below the options, line by line.
std::string lines_of(const std::string& text) {
    if (text.empty()) return "";
    std::istringstream lines(text);
    std::string all = ".PP\n.nf\n";
    for (std::string line; std::getline(lines, line);) all += roff(line) + "\n";
    return all + ".fi\n";
}

/// The synopsis: "vitrine trace [OPTION]... IMAGE".
std::string synopsis_of(const std::string& name, const CLI::App& command) {
    std::string line = "\\fB" + roff(name) + "\\fR [\\fIOPTION\\fR]...";
    for (const CLI::Option* option : options_of(command))
        if (option->get_positional()) {
            const std::string word = "\\fI" + roff(option->get_name(true)) + "\\fR";
            line += option->get_required() ? " " + word : " [" + word + "]";
        }
    return line + "\n";
}

// ---- completion -----------------------------------------------------------------------------------------------------

std::string option_words(const CLI::App& command) {
    std::vector<std::string> words;
    for (const CLI::Option* option : options_of(command))
        for (const std::string& word : words_of(*option)) words.push_back(word);
    return joined(words, " ");
}

/// Rows of bash's `case COMMAND:PREVIOUS_WORD` for options with values: their choices, or file names by readline.
std::string value_rows(const std::string& name, const CLI::App& command) {
    std::string rows;
    std::vector<std::string> free;
    for (const CLI::Option* option : options_of(command)) {
        if (!takes_value(*option)) continue;
        std::vector<std::string> places;
        for (const std::string& word : words_of(*option)) places.push_back(name + ":" + word);
        const std::vector<std::string> choices = choices_of(*option);
        if (choices.empty())
            free.insert(free.end(), places.begin(), places.end());
        else if (!places.empty())
            rows += "        " + joined(places, " | ") + ") words=\"" + joined(choices, " ") + "\" ;;\n";
    }
    if (!free.empty()) rows += "        " + joined(free, " | ") + ") return ;;\n";
    return rows;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    const std::string name = app.get_name();
    std::string page = ".TH VITRINE 1 \"\" \"" + std::string(program_version()) + "\" \"User Commands\"\n";
    page += ".SH NAME\nvitrine \\- shows how a Vision Transformer works\n";
    page += ".SH SYNOPSIS\n" + synopsis_of(name, app);
    for (const CLI::App* command : commands_of(app))
        page += ".br\n" + synopsis_of(name + " " + command->get_name(), *command);
    page += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n";
    page += ".SH OPTIONS\n" + entries_of(app);
    page += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app))
        page += ".SS " + roff(command->get_name()) + "\n" + roff(command->get_description()) + ".\n" +
                entries_of(*command) + lines_of(command->get_footer());
    page +=
        ".SH FILES\n.TP\n\\fI$XDG_CONFIG_HOME/vitrine/\\fR, else \\fI~/.config/vitrine/\\fR\nSettings, and the session "
        "of a window that is open.\n";
    return page;
}

std::string desktop_types() {
    std::string line = "MimeType=application/x-vitrine-session;text/x-vitrine-lesson;";
    for (const PictureType& type : picture_types()) line += type.name + ";";
    return line + "\n";
}

std::string bash_completion(const CLI::App& app) {
    std::vector<std::string> names;
    std::string values = value_rows("", app), options = "        \"\") words=\"" + option_words(app);
    for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
    options += " " + joined(names, " ") + "\" ;;\n";
    for (const CLI::App* command : commands_of(app)) {
        values += value_rows(command->get_name(), *command);
        options += "        " + command->get_name() + ") words=\"" + option_words(*command) + "\" ;;\n";
    }
    return "# bash completion of vitrine, made by the program itself: vitrine paper bash\n"
           "_vitrine() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=\"\" words=\"\" one\n"
           "    COMPREPLY=()\n"
           "    for one in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $one in\n"
           "        " +
           joined(names, " | ") +
           ")\n"
           "            command=$one\n"
           "            break\n"
           "            ;;\n"
           "        esac\n"
           "    done\n"
           "    case $command:$before in\n" +
           values +
           "    esac\n"
           "    [ -n \"$words\" ] || case $command in\n" +
           options +
           "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\n"
           "complete -o default -F _vitrine vitrine\n";
}

}  // namespace vitrine
