package dev.sluice.cli;

import dev.sluice.cli.console.ClusterOptionValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The possible words at the end of a command line.
 *
 * @param lines the words, each followed by a tab and its description if there is one
 */
record CompletionCandidates(List<String> lines, Directive directive) {

    /**
     * Tells the shell whether file names are candidates, too. The numbers are defined by cobra, the command-line
     * library of kubectl.
     */
    enum Directive {
        FILES_TOO(0),
        NO_FILES(4);

        private final int number;

        Directive(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    CompletionCandidates {
        lines = List.copyOf(lines);
    }

    /**
     * Returns the candidates for the last of the {@code words}. If there are no words, returns the candidates for the
     * first word.
     */
    static CompletionCandidates of(CommandSpec root, List<String> words) {
        ClusterOptionValues names = ClusterOptionValues.of(words);
        CommandSpec command = root;
        OptionSpec open = null;
        List<String> before = words.isEmpty() ? words : words.subList(0, words.size() - 1);
        for (String word : before) {
            if (open != null) {
                open = null;
                continue;
            }
            open = awaitingValue(command, word);
            CommandLine next = command.subcommands().get(word);
            command = next == null ? command : next.getCommandSpec();
        }
        String typed = words.isEmpty() ? "" : words.getLast();
        if (open == null) {
            return inCommand(command, typed);
        }
        List<String> ofCluster = names.valuesOf(open.longestName(), typed);
        return ofCluster.isEmpty() ? valuesOf(open, typed) : new CompletionCandidates(ofCluster, Directive.NO_FILES);
    }

    /**
     * Returns the option named {@code word} if the option takes its value from the next word. Returns null otherwise.
     * An option with an optional value takes it only after {@code =} in the same word.
     */
    private static @Nullable OptionSpec awaitingValue(CommandSpec command, String word) {
        // The options of subcommands are searched, too, because a user may type them before the subcommand.
        Stream<CommandSpec> owners = Stream.concat(
                Stream.of(command), command.subcommands().values().stream().map(CommandLine::getCommandSpec));
        return owners.map(owner -> owner.optionsMap().get(word))
                .filter(option -> option != null && option.arity().min() > 0)
                .findFirst()
                .orElse(null);
    }

    private static CompletionCandidates inCommand(CommandSpec command, String typed) {
        if (typed.startsWith("-")) {
            return new CompletionCandidates(
                    options(command).filter(it -> it.startsWith(typed)).toList(), Directive.NO_FILES);
        }
        List<String> commands = command.subcommands().entrySet().stream()
                .filter(entry ->
                        !entry.getValue().getCommandSpec().usageMessage().hidden())
                .filter(entry -> entry.getKey().startsWith(typed))
                .map(CompletionCandidates::described)
                .toList();
        Stream<ArgSpec> positional = command.positionalParameters().stream().map(it -> it);
        List<CompletionCandidates> values =
                positional.map(it -> valuesOf(it, typed)).toList();
        return new CompletionCandidates(
                Stream.concat(commands.stream(), values.stream().flatMap(it -> it.lines().stream()))
                        .toList(),
                values.stream().anyMatch(it -> it.directive() == Directive.FILES_TOO)
                        ? Directive.FILES_TOO
                        : Directive.NO_FILES);
    }

    private static String described(Map.Entry<String, CommandLine> command) {
        return command.getKey()
                + tabbed(command.getValue().getCommandSpec().usageMessage().header());
    }

    private static Stream<String> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .map(option -> option.longestName() + tabbed(option.description()));
    }

    /** Returns a tab and the first sentence of the description, because a shell shows one line for each candidate. */
    private static String tabbed(String... description) {
        if (description.length == 0) {
            return "";
        }
        String text = description[0].replace('\n', ' ');
        int end = text.indexOf(". ");
        return "\t" + (end < 0 ? text : text.substring(0, end + 1));
    }

    private static CompletionCandidates valuesOf(ArgSpec argument, String typed) {
        Iterable<String> known = argument.completionCandidates();
        List<String> words = known == null
                ? List.of()
                : StreamSupport.stream(known.spliterator(), false)
                        .filter(word -> word.startsWith(typed))
                        .toList();
        boolean file = argument.paramLabel().equals("FILE")
                || Path.class.isAssignableFrom(argument.typeInfo().getType());
        return new CompletionCandidates(words, file ? Directive.FILES_TOO : Directive.NO_FILES);
    }
}
