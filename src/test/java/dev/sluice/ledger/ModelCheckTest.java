package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModelCheckTest {

    static long a, b, c;
    private static final int OPERATIONS = 2_000;

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("model.histories", 50));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theLedgerIsAsTheModel(long seed) {
        History history = new History(seed, 4, 8);
        if (history.problem(OPERATIONS) != null) {
            assertThat(new History(seed, 4, 1).problem(OPERATIONS)).isNull();
        }
        a += history.admissions; b += history.overcommits; c += history.rearrangeable;
        if (seed % 1000 == 999) System.out.println(a + " " + b + " " + c);
    }
}
