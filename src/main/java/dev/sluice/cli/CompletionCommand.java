package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code sluice completion}. It prints the completion script for a shell, which is generated from the
 * commands.
 */
@Command(
        name = "completion",
        header = "Prints a completion script for bash or zsh.",
        description = {""},
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  source <(sluice completion bash)      for this shell",
            "  sluice completion bash > ~/.local/share/bash-completion/completions/sluice",
            "  echo 'source <(sluice completion zsh)' >> ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {

    /**
     * The part of the script that completes the names of contexts, namespaces and nodes. It starts a process of sluice
     * to find these names. The other parts start no process, which is faster.
     */
    private static final String NAMES = """

            # Asks sluice for the names of contexts, namespaces and nodes.
            function _complete_sluice_names() {
              case "${COMP_WORDS[COMP_CWORD-1]}" in
                -n|--namespace|--context|--node)
                  local IFS=$'\\n'
                  COMPREPLY=( $("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | sed '/^:/d') )
                  ;;
                *) _complete_sluice ;;
              esac
            }
            complete -F _complete_sluice_names -o default sluice
            """;

    /** The supported shells. The constants are in lower case, because users type them in this form. */
    enum Shell {
        bash(""),
        zsh("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n");

        /** The lines that prepare the shell to accept a completion script for bash. */
        private final String preparation;

        Shell(String preparation) {
            this.preparation = preparation;
        }
    }

    @Parameters(paramLabel = "(bash | zsh)", description = "The shell that is to read it.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private Shell shell = Shell.bash;

    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before it calls the command.
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandSpec root = spec.root();
        spec.commandLine()
                .getOut()
                .print(shell.preparation + AutoComplete.bash(root.name(), root.commandLine()) + NAMES);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
