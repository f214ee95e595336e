package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MalformedClusterObjectsTest {

    @Test
    void saysHowManyAndNamesSome() {
        assertThat(MalformedClusterObjects.NONE.sentence("pod")).isEmpty();
        assertThat(MalformedClusterObjects.of(List.of("team-a/x")).sentence("pod"))
                .isEqualTo("1 pod could not be read and is not counted: team-a/x");
        assertThat(MalformedClusterObjects.of(List.of("a/x", "b/y")).sentence("pod"))
                .isEqualTo("2 pods could not be read and are not counted: a/x, b/y");
    }

    @Test
    void namesAFewOfMany() {
        List<String> many = IntStream.range(0, 5_000).mapToObj(i -> "n/" + i).toList();
        assertThat(MalformedClusterObjects.of(many).sentence("node"))
                .isEqualTo("5000 nodes could not be read and are not counted: n/0, n/1, n/2, n/3, n/4, ...");
    }

    @Test
    void whatANameDoesToATerminalOrALineIsTakenFromIt() {
        assertThat(MalformedClusterObjects.printable("a\n\u001b[31m\u202eb\ud800größe 😀"))
                .isEqualTo("a \\u001b[31m\\u202eb\\ud800größe 😀");
        assertThat(MalformedClusterObjects.printable("x".repeat(100_000))).hasSize(320);
    }
}
