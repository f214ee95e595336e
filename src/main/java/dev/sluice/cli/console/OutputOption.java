package dev.sluice.cli.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The option {@code -o}, which says how a command prints; each command has formats of its own, in lower case. */
@Command
public final class OutputOption<F extends Enum<F>> {

    private final OptionSpec option;

    public OutputOption(F usual) {
        this(usual, "");
    }

    /** @param note behind the list of formats in the help */
    public OutputOption(F usual, String note) {
        option = OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(usual.getDeclaringClass())
                .defaultValue(usual.name())
                .description("${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})" + note + ".")
                .build();
    }

    /** Picocli reads annotations of the mixin, which cannot know the formats of each command. */
    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(option);
    }

    /** To be asked for when the command runs. */
    public F format() {
        return option.getValue();
    }
}
