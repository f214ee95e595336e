package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the completion script for the command line. The script is generated from the commands. */
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

    /** The shells. The constants are in lower case, because users type them. */
    enum Shell {
        bash(""),
        zsh("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n");

        /** Lines that make the shell accept a completion script for bash. */
        private final String preparation;

        Shell(String preparation) {
            this.preparation = preparation;
        }
    }

    @Parameters(paramLabel = "(bash | zsh)", description = "The shell that is to read it.")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it before call()
    private Shell shell = Shell.bash;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandSpec root = spec.root();
        spec.commandLine().getOut().print(shell.preparation + AutoComplete.bash(root.name(), root.commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
