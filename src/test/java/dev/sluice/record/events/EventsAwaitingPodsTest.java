package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import dev.sluice.record.events.EventsAwaitingPods.Sighting;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventsAwaitingPodsTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private int dropped;
    private final EventsAwaitingPods awaited = new EventsAwaitingPods(() -> dropped++);

    @Test
    void knowsAPodByItsStampWhateverItsName() {
        DecisionRecord decision = changed("other-*").stamp("s1").record();
        assertThat(awaited.add(decision, NOW)).isTrue();

        assertThat(awaited.seen(pod("team/train", "s2"))).isEmpty();
        assertThat(awaited.seen(pod("team/train", "s1")).orElseThrow().decisions())
                .containsExactly(decision);
    }

    @Test
    void knowsAPodByItsNamespaceAndName() {
        assertThat(awaited.add(changed("train").record(), NOW)).isTrue();

        assertThat(awaited.seen(pod("other/train", ""))).isEmpty();
        assertThat(awaited.seen(pod("team/train-0", ""))).isEmpty();
        Sighting sighting = awaited.seen(pod("team/train", "")).orElseThrow();
        assertThat(sighting.namespace()).isEqualTo("team");
        assertThat(sighting.name()).isEqualTo("train");
    }

    @Test
    void knowsAPodByItsGenerateNameAlsoWhereTheApiServerCutsIt() {
        assertThat(awaited.add(changed("train-*").record(), NOW)).isTrue();
        assertThat(awaited.add(changed("x".repeat(80) + "*").record(), NOW)).isTrue();

        assertThat(awaited.seen(pod("team/train-b5x7q", ""))).isPresent();
        assertThat(awaited.seen(pod("team/train-b5x7qq", ""))).isEmpty();
        assertThat(awaited.seen(pod("team/" + "x".repeat(58) + "b5x7q", ""))).isPresent();
    }

    @Test
    void asksForAPodOnce() {
        assertThat(awaited.add(changed("train-*").record(), NOW)).isTrue();

        assertThat(awaited.seen(pod("team/train-b5x7q", ""))).isPresent();
        assertThat(awaited.seen(pod("team/train-b5x7q", ""))).isEmpty();
        assertThat(awaited.seen(pod("team/train-c5x7q", ""))).isPresent();
    }

    @Test
    void keepsTheNewestOfEqualDecisionsAndEachOther() {
        DecisionRecord kept = SampleRecords.of(RecordedDecisionKind.KEPT, Reason.NOT_OFFERED)
                .pod("team", "train-*")
                .record();
        assertThat(awaited.add(changed("train-*").at(1).record(), NOW)).isTrue();
        assertThat(awaited.add(kept, NOW)).isTrue();
        DecisionRecord newest = changed("train-*").at(2).record();
        assertThat(awaited.add(newest, NOW)).isTrue();

        assertThat(awaited.seen(pod("team/train-b5x7q", "")).orElseThrow().decisions())
                .containsExactly(kept, newest);
    }

    @Test
    void forgetsAMinuteAfterTheLastDecision() {
        assertThat(awaited.add(changed("train-*").record(), NOW)).isTrue();
        assertThat(awaited.add(changed("train-*").record(), NOW.plusSeconds(30)))
                .isTrue();
        awaited.sweep(NOW.plusSeconds(89));
        assertThat(awaited.seen(pod("team/train-b5x7q", ""))).isPresent();

        awaited.sweep(NOW.plusSeconds(91));
        assertThat(awaited.seen(pod("team/train-c5x7q", ""))).isEmpty();
    }

    @Test
    void hasRoomForSoManyNamesAndNoMore() {
        for (int i = 0; i < 1_024; i++) {
            assertThat(awaited.add(changed("train-" + i).record(), NOW)).isTrue();
        }

        assertThat(awaited.add(changed("one-more").record(), NOW)).isFalse();
        assertThat(awaited.add(changed("train-7").record(), NOW)).isTrue();
        assertThat(dropped).isEqualTo(1);
    }

    @Test
    void decisionsThatNewerOnesPushOutAreCounted() {
        for (int i = 0; i < 10; i++) {
            assertThat(awaited.add(changedTo("nvidia.com/gpu-" + i).record(), NOW))
                    .isTrue();
            assertThat(awaited.add(changedTo("nvidia.com/gpu-" + i).record(), NOW))
                    .isTrue();
        }

        assertThat(awaited.seen(pod("team/train-b5x7q", "")).orElseThrow().decisions())
                .hasSize(8);
        assertThat(dropped).isEqualTo(2);
    }

    private static SampleRecords changedTo(String given) {
        return changed("train-*")
                .moves(new PodRequestReplacement(new ResourceName("nvidia.com/mig-3g.40gb"), new ResourceName(given)));
    }

    private static SampleRecords changed(String name) {
        return SampleRecords.of(RecordedDecisionKind.CHANGED, Reason.NOT_OFFERED)
                .pod("team", name)
                .moves(new PodRequestReplacement(
                        new ResourceName("nvidia.com/mig-3g.40gb"), new ResourceName("nvidia.com/gpu")));
    }

    private static Pod pod(String name, String stamp) {
        return new Pod(PodId.of(name), name, new Pod.Place.Gated(), Amounts.NONE, stamp, 1);
    }
}
