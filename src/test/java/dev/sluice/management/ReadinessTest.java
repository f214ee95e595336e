package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.bus.Deciding;
import dev.sluice.bus.Leadership;
import dev.sluice.bus.WatchStatus;
import dev.sluice.cluster.NodeLedger;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadinessTest {

    private static final Deciding WAITING = new Deciding("pods of the former holder may not have been seen yet");

    private final Readiness readiness = new Readiness(() -> Instant.EPOCH, ActivePolicy.DEFAULT);

    ReadinessTest() {
        readiness.snapshot(NodeLedger.snapshotOf(List.of()));
    }

    @Test
    void needsNoLeaseWhereNobodyReserves() {
        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.verbose()).doesNotContain("deciding", "lease");
    }

    @Test
    void countsInWordsThatFitTheNumber() {
        WatchStatus listedTwice =
                WatchStatus.ofNew(WatchStatus.Kind.NODES, "nodes").failed("").listed(Instant.EPOCH);
        readiness.watch(listedTwice.listed(Instant.EPOCH));
        readiness.watch(WatchStatus.ofNew(WatchStatus.Kind.PODS, "pods"));

        assertThat(readiness.verbose())
                .contains("cluster listed: 0 nodes, ")
                .contains(", 1 relist, 1 failure\n")
                .contains(", 0 relists, 0 failures\n");
    }

    @Test
    void isNotReadyWhileTheHolderStillWaits() {
        readiness.leadership(new Leadership.Leading(Instant.MIN, Instant.MAX));
        readiness.deciding(WAITING);

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief()).isEqualTo("not deciding: " + WAITING.why() + "\n");
        assertThat(readiness.verbose())
                .contains("[+] lease held\n[-] deciding: " + WAITING.why() + "\n")
                .endsWith("readyz check failed\n");
    }

    @Test
    void isReadyOnceItDecides() {
        readiness.leadership(new Leadership.Leading(Instant.MIN, Instant.MAX));
        readiness.deciding(WAITING);
        readiness.deciding(Deciding.NOW);

        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.brief()).isEqualTo("ok\n");
        assertThat(readiness.verbose()).contains("[+] lease held\n[+] deciding\n");
    }

    @Test
    void isNotReadyOnceTheLeaseHasRunOutThoughNobodyHasSaidSoYet() {
        readiness.leadership(new Leadership.Leading(Instant.MIN, Instant.EPOCH));
        readiness.deciding(Deciding.NOW);

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.brief()).isEqualTo("lease: it ran out and could not be renewed\n");
    }
}
