package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the ledger with the model in random histories; the campaign has ten times as many: {@code ModelCheckIT}. */
class ModelCheckTest {

    private static final int HISTORIES = 50;

    static LongStream seeds() {
        return LongStream.range(0, 10).map(chunk -> chunk * HISTORIES);
    }

    @ParameterizedTest(name = "histories from seed {0}")
    @MethodSource("seeds")
    void theLedgerIsAsTheModel(long from) {
        Tally tally = ModelCheck.lived(from, HISTORIES);
        assertThat(tally.operations).isEqualTo(HISTORIES * ModelCheck.OPERATIONS);
        assertThat(tally.admitted).isGreaterThan(HISTORIES);
        assertThat(tally.preempted).isGreaterThan(HISTORIES);
        assertThat(tally.again).isGreaterThan(HISTORIES);
        assertThat(tally.prior).isGreaterThan(HISTORIES);
        assertThat(tally.critical).isGreaterThan(HISTORIES);
    }
}
