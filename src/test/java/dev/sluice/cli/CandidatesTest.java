package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code kubectl_complete-gpu} answers. */
class CandidatesTest {

    private static List<String> complete(String... words) {
        Object[] all =
                Stream.concat(Stream.of("__complete", "--"), Stream.of(words)).toArray();
        Cli run = Cli.run(all);
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out().lines().toList();
    }

    @Test
    void offersTheCommandsWithWhatTheyAreFor() {
        assertThat(complete(""))
                .contains("capacity\tShows what the nodes offer, GPUs first, and what of it is free.")
                .endsWith(":4")
                .noneMatch(line -> line.startsWith("__complete"));
        assertThat(complete()).isEqualTo(complete(""));
        assertThat(complete("ch")).hasSize(2).first().asString().startsWith("check\t");
        assertThat(complete("certs", "sh")).hasSize(2).first().asString().startsWith("show\t");
    }

    @Test
    void offersTheOptionsOfTheCommand() {
        assertThat(complete("doctor", "--kube")).containsExactly("--kubeconfig\tOf the live cluster.", ":4");
        assertThat(complete("capacity", "--context", "far", "--res"))
                .first()
                .asString()
                .startsWith("--resource\t");
        assertThat(complete("capacity", "--nonsense")).containsExactly(":4");
    }

    @Test
    void offersTheValuesOfAnOption() {
        assertThat(complete("explain", "-o", "")).containsExactly("text", "json", "patch", ":4");
        assertThat(complete("explain", "--output", "j")).containsExactly("json", ":4");
        assertThat(complete("completion", "z")).containsExactly("zsh", ":4");
    }

    @Test
    void leavesFilesToTheShell() {
        assertThat(complete("explain", "-f", "")).containsExactly(":0");
        assertThat(complete("doctor", "--kubeconfig", "a")).containsExactly(":0");
        assertThat(complete("certs", "show", "x")).containsExactly(":0");
        assertThat(complete("capacity", "--node", "")).containsExactly(":4");
    }
}
