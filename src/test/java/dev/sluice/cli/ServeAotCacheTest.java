package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServeAotCacheTest {

    @Test
    void saysNothingWhereTheCacheIsUsedOrNoneWasGiven() {
        assertThat(ServeAotCache.problem(Optional.of("/opt/sluice/sluice.aot"), "mixed mode, sharing"))
                .isEmpty();
        assertThat(ServeAotCache.problem(Optional.empty(), "mixed mode")).isEmpty();
    }

    @Test
    void namesTheCacheThatIsNotUsed() {
        assertThat(ServeAotCache.problem(Optional.of("/opt/sluice/sluice.aot"), "mixed mode"))
                .hasValueSatisfying(line -> assertThat(line).contains("/opt/sluice/sluice.aot", "slower"));
    }
}
