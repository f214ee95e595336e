package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class AotCacheTest {

    @Test
    void saysNothingWhereTheCacheIsUsedOrNoneWasGiven() {
        assertThat(AotCache.problem(Optional.of("/opt/sluice/sluice.aot"), "mixed mode, sharing"))
                .isEmpty();
        assertThat(AotCache.problem(Optional.empty(), "mixed mode")).isEmpty();
    }

    @Test
    void namesTheCacheThatIsNotUsed() {
        assertThat(AotCache.problem(Optional.of("/opt/sluice/sluice.aot"), "mixed mode"))
                .hasValueSatisfying(line -> assertThat(line).contains("/opt/sluice/sluice.aot", "slower"));
    }
}
