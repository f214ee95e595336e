package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** {@code -Dmodel.operations} sets the number of operations, and {@code -Dmodel.seed} the first seed. */
@Tag("campaign")
class ModelCheckIT {

    /** The seeds follow those of {@code ModelCheckTest}. */
    private static final long FIRST_SEED = 1_000;

    @Test
    void theLedgerIsAsTheModelForTenMillionOperations() {
        long operations = Long.getLong("model.operations", 10_000_000);
        Tally tally = ModelCheck.lived(Long.getLong("model.seed", FIRST_SEED), operations / ModelCheck.OPERATIONS);
        LoggerFactory.getLogger(ModelCheckIT.class)
                .atInfo()
                .addKeyValue("seen", tally)
                .log("The ledger is as the model");
        assertThat(tally.operations).isEqualTo(operations - operations % ModelCheck.OPERATIONS);
        // The best placement of all is not always found, but nearly.
        assertThat(tally.taken * 1000).isLessThan(tally.critical);
    }
}
