package dev.sluice.reload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PolicyVerticleTest {

    private static List<String> problems(int count) {
        return IntStream.range(0, count).mapToObj(i -> "problem " + i).toList();
    }

    @Test
    void logsTheFirstOfManyProblems() {
        assertThat(PolicyVerticle.logged(problems(20))).isEqualTo(problems(20));
        assertThat(PolicyVerticle.logged(problems(20_000)))
                .hasSize(21)
                .startsWith("problem 0")
                .endsWith("... and 19980 more; sluice check prints all");
    }
}
