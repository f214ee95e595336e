package dev.sluice.cli.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * The option {@code -o}, which selects the output format of a command. Each command has its own formats, whose names
 * are in lower case.
 */
@Command
public final class OutputOption<F extends Enum<F>> {

    private final OptionSpec option;

    public OutputOption(F usual) {
        this(usual, "");
    }

    /**
     * Creates the option.
     *
     * @param usual the default format
     * @param note a text that the help shows after the list of formats
     */
    public OutputOption(F usual, String note) {
        option = OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(usual.getDeclaringClass())
                .defaultValue(usual.name())
                .description("${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})" + note + ".")
                .build();
    }

    /** Adds the option to the command. Annotations cannot do this, because each command has its own formats. */
    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        command.addOption(option);
    }

    /** Returns the selected format. It may only be called when the command runs. */
    public F format() {
        return option.getValue();
    }
}
