package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.replication.ModelSearch.Ending;
import dev.sluice.replication.ModelSearch.Result;
import dev.sluice.replication.ProtocolModel.Bounds;
import dev.sluice.replication.ProtocolModel.Mistake;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code -Dmodel.states} sets the number of states to search for three replicas, of which there are too many. */
@Tag("campaign")
class ProtocolModelIT {

    @ParameterizedTest(name = "first members {0}, {1} terms, {2} writes")
    @CsvSource({"1, 2, 3, 4767730", "3, 3, 3, 13367240"})
    void twoReplicasAdmitNothingTwice(int members, int terms, int writes, long states) {
        assertThat(ModelSearch.search(new Bounds(2, members, terms, writes, 1), Mistake.NONE, Long.MAX_VALUE))
                .isEqualTo(new Result(states, Ending.ALL_STATES_HOLD));
    }

    @Test
    void threeReplicasAdmitNothingTwice() {
        long states = Long.getLong("model.states", 40_000_000);
        assertThat(ModelSearch.search(new Bounds(3, 0b111, 3, 2, 1), Mistake.NONE, states)
                        .ending())
                .isNotEqualTo(Ending.OVER_ADMISSION);
    }
}
