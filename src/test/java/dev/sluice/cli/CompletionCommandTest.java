package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CompletionCommandTest {

    @TempDir
    private Path directory;

    @Command(
            name = "sluice",
            subcommands = {CertsCommand.class, CompletionCommand.class})
    private static final class Root {}

    @Test
    void bashCompletesTheCommandsOfTheRoot() throws Exception {
        assertThat(completed("sluice cer")).isEqualTo("certs");
        assertThat(completed("sluice certs make --f")).isEqualTo("--force");
        assertThat(completed("sluice completion z")).isEqualTo("zsh");
    }

    @Test
    void namesOfTheClusterAreAskedOfSluice() throws Exception {
        Path asked = Files.writeString(
                directory.resolve("sluice"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" >&2\nprintf 'team-a\\nteam-b\\n:4\\n'\n");
        Files.setPosixFilePermissions(asked, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(completed(asked + " doctor --context far -n t")).isEqualTo("team-a team-b");
        assertThat(completed(asked + " doctor --context far -n team-a --al")).isEqualTo("");
    }

    @Test
    void zshIsFirstTaughtToReadBashCompletions() {
        assertThat(script("zsh"))
                .startsWith("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n")
                .endsWith(script("bash"));
    }

    @Test
    void helpNamesTheShellsOnce() {
        assertThat(Cli.run("completion", "--help").out())
                .containsPattern("(?m)^ +\\(bash \\| zsh\\) +The shell that is to read it\\.$")
                .doesNotContain("bash, zsh");
    }

    @Test
    void anotherShellIsRefused() {
        StringWriter err = new StringWriter();

        assertThat(new CommandLine(new Root()).setErr(new PrintWriter(err)).execute("completion", "fish"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("bash", "zsh", "fish");
    }

    private static String script(String shell) {
        StringWriter out = new StringWriter();
        assertThat(new CommandLine(new Root()).setOut(new PrintWriter(out)).execute("completion", shell))
                .isZero();
        return out.toString();
    }

    /** What bash offers where the line ends. */
    private String completed(String line) throws Exception {
        Path file = Files.writeString(directory.resolve("completion"), script("bash"));
        String asked = ". " + file + "; COMP_WORDS=(" + line + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='"
                + line + "'; COMP_POINT=${#COMP_LINE}; _complete_sluice_names; echo \"${COMPREPLY[*]}\"";
        Process bash = new ProcessBuilder("bash", "-c", asked)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
