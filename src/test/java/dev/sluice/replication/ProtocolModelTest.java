package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.replication.ModelSearch.Ending;
import dev.sluice.replication.ProtocolModel.Bounds;
import dev.sluice.replication.ProtocolModel.Mistake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches the protocol for an over-admission. {@code ProtocolModelIT} has larger bounds. */
class ProtocolModelTest {

    private static final long MOST_STATES = 3_000_000;

    /** The numbers stand in {@code src/docs}; another number means another protocol: availability-mode.md F6. */
    @ParameterizedTest(name = "{0} terms, {1} writes, {2} crashes")
    @CsvSource({"2, 2, 1, 406353", "3, 2, 1, 804262"})
    void twoReplicasAdmitNothingTwice(int terms, int writes, int crashes, long states) {
        assertThat(ModelSearch.search(new Bounds(2, 0b11, terms, writes, crashes), Mistake.NONE, MOST_STATES))
                .isEqualTo(new ModelSearch.Result(states, Ending.ALL_STATES_HOLD));
    }

    /** With the smallest bounds that were found to be enough. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "DROPS_BEFORE_WRITING, 2, 3, 2, 2",
        "ADDS_BEFORE_WAITING, 2, 1, 2, 3",
        "ACKNOWLEDGES_LOWER_TERMS, 2, 3, 2, 2",
        "SENDS_NO_SNAPSHOT, 3, 7, 3, 2",
        "OUTSIDER_IS_TOO_EARLY, 2, 3, 2, 2",
        "FORGETS_UNKNOWN_WRITES, 2, 1, 2, 3",
        "BELIEVES_A_READ_RECORD, 2, 3, 3, 2",
        "ANSWERS_FROM_OLDER_TERMS, 2, 3, 3, 3"
    })
    void eachMistakeIsFound(Mistake mistake, int replicas, int members, int terms, int writes) {
        assertThat(ModelSearch.search(new Bounds(replicas, members, terms, writes, 1), mistake, MOST_STATES)
                        .ending())
                .isEqualTo(Ending.OVER_ADMISSION);
    }

    /** The first holder has died alone, so the search begins there. */
    @Test
    void anOutsiderThatWaitsMustNotAddMembers() {
        Bounds bounds = new Bounds(3, 0b1, 3, 3, 1);
        assertThat(searchedAfterDeath(bounds, Mistake.ADDS_WHILE_WAITING).ending())
                .isEqualTo(Ending.OVER_ADMISSION);
        assertThat(searchedAfterDeath(bounds, Mistake.NONE))
                .isEqualTo(new ModelSearch.Result(61_918, Ending.ALL_STATES_HOLD));
    }

    private static ModelSearch.Result searchedAfterDeath(Bounds bounds, Mistake mistake) {
        ProtocolModel model = new ProtocolModel(bounds, mistake);
        return ModelSearch.search(model, model.afterTheHolderDied(), MOST_STATES);
    }
}
