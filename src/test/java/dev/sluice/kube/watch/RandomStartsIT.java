package dev.sluice.kube.watch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code -Dstarts} sets the number of starts, and {@code -Dstarts.seed} the first seed. */
@Tag("campaign")
class RandomStartsIT {

    @Test
    void nothingIsDecidedBeforeBothListsAreComplete() throws Exception {
        RandomStart.check(Long.getLong("starts.seed", 1), Long.getLong("starts", 10_000));
    }
}
