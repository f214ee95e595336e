package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryLogTest {

    private final EntryLog<String> log = new EntryLog<>();

    @Test
    void aReservationThatHasEndedIsRememberedForAWhile() {
        ReplicatedEntry<String> first = new ReplicatedEntry<>(1, "s1", "u1", "");
        ReplicatedEntry<String> second = new ReplicatedEntry<>(1, "s2", "u2", "");
        assertThat(log.put(first)).isEmpty();
        assertThat(log.put(second)).isEmpty();

        log.prune(second::equals, 10, 0);
        assertThat(log.size()).isEqualTo(1);
        assertThat(log.stamps()).containsExactly("s2");
        assertThat(log.hasEnded(first)).isTrue();

        log.prune(second::equals, 20, 10);
        assertThat(log.hasEnded(first)).isTrue();
        log.prune(second::equals, 21, 11);
        assertThat(log.hasEnded(first)).isFalse();
    }
}
