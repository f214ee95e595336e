package dev.sluice.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.message.Freshness;
import dev.sluice.bus.message.Leadership;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing is decided by what is free when it is not proved that what is known is current. */
class StaleDecisionsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final Ledger ledger = new Ledger();
    private final Authority authority = new Authority(DecisionVerticle.Rivals.NONE, now::get, LIMIT);

    @BeforeEach
    void listsEverything() {
        tell(new NodeEvent.NodesListed(List.of(), 1));
        tell(new NodeEvent.ToldUpTo(NOON));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, NOON));
    }

    private void tell(ClusterEvent event) {
        var _ = ledger.apply(event);
    }

    @Test
    void theClockAtTheDecisionCounts() {
        now.set(NOON.plus(LIMIT));
        assertThat(authority.hindrance(ledger)).isEmpty();

        now.set(NOON.plus(LIMIT).plusMillis(1));
        assertThat(authority.hindrance(ledger))
                .isEqualTo("what is known of the nodes is 30 s old, and nothing is decided by what is older than 30 s");
    }

    @Test
    void podsAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new NodeEvent.ToldUpTo(NOON.plusSeconds(44)));
        assertThat(authority.hindrance(ledger)).startsWith("what is known of the pods is 45 s old");

        tell(new PodEvent.ToldUpTo(NOON.plusSeconds(44)));
        assertThat(authority.hindrance(ledger)).as("without a restart").isEmpty();
    }

    @Test
    void nodesAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new PodEvent.ToldUpTo(NOON.plusSeconds(44)));
        assertThat(authority.hindrance(ledger)).startsWith("what is known of the nodes is 45 s old");
    }

    @Test
    void aListThatMayBeOldTakesTheProofBack() {
        tell(new PodEvent.ListEnded(2, Instant.MIN));
        assertThat(authority.hindrance(ledger)).isEqualTo("the pods have not been listed yet");

        tell(new PodEvent.ToldUpTo(NOON));
        tell(new NodeEvent.ToldUpTo(Instant.MIN));
        assertThat(authority.hindrance(ledger))
                .isEqualTo("it is not proved that what is known of the nodes is current");
    }

    @Test
    void aFileIsCurrentByItsOwnRule() {
        now.set(NOON.plus(Duration.ofDays(9)));
        Authority ofFile = new Authority(DecisionVerticle.Rivals.NONE, now::get, Freshness.NO_LIMIT);
        assertThat(ofFile.hindrance(ledger)).isEmpty();
    }

    @Test
    void whoDoesNotHoldTheLeaseSaysSoFirst() {
        Authority standby = new Authority(DecisionVerticle.Rivals.REPLICAS, now::get, LIMIT);
        now.set(NOON.plusSeconds(45));
        standby.is(new Leadership.Standby("gpu-webhook-1"));
        assertThat(standby.hindrance(ledger)).isEqualTo("another replica decides: gpu-webhook-1");
    }
}
