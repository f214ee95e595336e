package dev.sluice.kube.watch;

import org.junit.jupiter.api.Test;

/** A few starts; {@code RandomStartsIT} has ten thousand. */
class RandomStartsTest {

    @Test
    void nothingIsDecidedBeforeBothListsAreComplete() throws Exception {
        RandomStart.check(1, 20);
    }
}
