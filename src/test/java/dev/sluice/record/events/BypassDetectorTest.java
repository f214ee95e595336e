package dev.sluice.record.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.record.BypassCause;
import dev.sluice.record.BypassedPod;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.SampleRecords;
import dev.sluice.record.events.BypassDetector.SoleTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All moments are seconds after noon. */
class BypassDetectorTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Amounts GPU = Amounts.of(ResourceName.NVIDIA_GPU, 1);
    private static final Predicate<ResourceName> GPUS = FallbackChains.NONE::isGpu;
    /** A former holder may have decided until noon. Then its last pod is known at second 34. */
    private static final SoleTerm TERM = new SoleTerm(NOON, at(-5));

    private final BypassDetector detector = new BypassDetector(Ledger.LONGEST_CREATE);
    private long now;

    @BeforeEach
    void decidesAloneAndKnowsAll() {
        leads(TERM);
        proves(34);
        now = 40;
    }

    private static Instant at(long second) {
        return NOON.plusSeconds(second);
    }

    private void leads(SoleTerm term) {
        detector.begin(term, at(100_000), at(now));
    }

    /** Everything that was stored before then has been seen. */
    private void proves(long second) {
        detector.proved(at(second));
    }

    private void sees(String name, long created) {
        sees(name, created, GPU);
    }

    private void sees(String name, long created, Amounts requests) {
        Pod pod = new Pod(
                PodId.of(name + created),
                name,
                new Pod.Place.Gated(),
                requests,
                "",
                1,
                at(created).toString());
        detector.seen(pod, GPUS, BypassCause.NOT_ASKED, at(now));
    }

    private void decides(SampleRecords decision) {
        detector.decided(decision.record(), at(now));
    }

    private void passes(long seconds) {
        now += seconds;
    }

    /** The names of the pods, as of a second later. */
    private List<String> judged() {
        now++;
        return detector.judge(at(now), at(now)).stream()
                .map(BypassedPod::fullName)
                .toList();
    }

    @Test
    void aPodThatNothingWasDecidedAboutIsBypassed() {
        sees("team/train", 40);
        now = 41;
        assertThat(detector.judge(at(41), at(41)))
                .containsExactly(new BypassedPod("team/train", BypassCause.NOT_ASKED, at(40)));
    }

    @Test
    void eachIsCountedOnceHoweverOftenItIsSeen() {
        for (int i = 0; i < 10; i++) {
            sees("team/train", 40);
            assertThat(judged()).hasSize(i == 0 ? 1 : 0);
            passes(30);
            proves(now);
        }
    }

    @Test
    void aDenialThatIsOnlyObservedExcusesItsPod() {
        decides(SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                .observed()
                .pod("team", "train"));
        sees("team/train", 40);

        assertThat(judged()).isEmpty();
    }

    @Test
    void aDecisionExcusesItsPodBeforeAndAfterItIsSeen() {
        decides(SampleRecords.unchanged().pod("team", "before"));
        sees("team/before", 40);
        sees("team/after", 40);
        decides(SampleRecords.of(RecordedDecisionKind.UNTOUCHED, Reason.TOO_MANY_COMBINATIONS)
                .pod("team", "after"));

        assertThat(judged()).isEmpty();
    }

    @Test
    void aGeneratedNameExcusesAllThatCanBeCalledSo() {
        decides(SampleRecords.unchanged().pod("team", "web-*"));
        sees("team/web-abc12", 40);
        sees("team/web-xyz89", 40);
        sees("team/web-1", 40);
        sees("other/web-abc12", 40);

        assertThat(judged()).containsExactlyInAnyOrder("team/web-1", "other/web-abc12");
    }

    @Test
    void theApiServerCutsALongGenerateName() {
        String longest = "a".repeat(58);
        decides(SampleRecords.unchanged().pod("team", longest + "bcd-*"));
        sees("team/" + longest + "x7w2z", 40);

        assertThat(judged()).isEmpty();
    }

    @Test
    void aDenialAndADryRunExcuseNobody() {
        decides(SampleRecords.of(RecordedDecisionKind.DENIED, Reason.NOT_OFFERED)
                .pod("team", "denied"));
        decides(SampleRecords.unchanged().pod("team", "dry").dryRun(true));
        sees("team/denied", 40);
        sees("team/dry", 40);

        assertThat(judged()).containsExactlyInAnyOrder("team/denied", "team/dry");
    }

    @Test
    void aPodMayComeLateAndItsDecisionIsKeptUntilItMustHaveBeenSeen() {
        decides(SampleRecords.unchanged().pod("team", "late"));
        proves(74);
        sees("team/late", 74);
        assertThat(judged()).isEmpty();

        proves(75);
        sees("team/late", 75);
        assertThat(judged()).containsExactly("team/late");
    }

    @Test
    void podsWithoutAGpuAndPodsOfUnknownAgeArePassedOver() {
        sees("team/cpu", 40, Amounts.of(ResourceName.CPU, 1));
        sees("team/zero", 40, Amounts.of(ResourceName.NVIDIA_GPU, 0));
        Pod ageless = new Pod(new PodId(1, 1), "team/ageless", new Pod.Place.Gated(), GPU, "", 1);
        detector.seen(ageless, GPUS, BypassCause.NOT_ASKED, at(now));
        Pod odd = new Pod(new PodId(1, 2), "team/odd", new Pod.Place.Gated(), GPU, "", 1, "yesterday");
        detector.seen(odd, GPUS, BypassCause.NOT_ASKED, at(now));

        assertThat(judged()).isEmpty();
    }

    @Test
    void nobodyIsAccusedWhileAFormerHolderMayHaveAdmittedIt() {
        BypassDetector fresh = new BypassDetector(Ledger.LONGEST_CREATE);
        fresh.begin(TERM, at(1_000), at(0));
        Pod pod = new Pod(new PodId(1, 1), "team/a", new Pod.Place.Gated(), GPU, "", 1, at(20).toString());
        fresh.proved(at(33));
        fresh.seen(pod, GPUS, BypassCause.NOT_ASKED, at(36));
        assertThat(fresh.completeSince(at(36))).isEmpty();
        fresh.proved(at(34));

        assertThat(fresh.completeSince(at(37))).contains(at(34));
        assertThat(fresh.judge(at(37), at(37))).isEmpty();
    }

    @Test
    void whatWasCreatedLongAfterTheFormerHolderEndedIsBypassed() {
        BypassDetector fresh = new BypassDetector(Ledger.LONGEST_CREATE);
        for (int created : List.of(-1_000, 88, 89, 500)) {
            Pod pod = new Pod(
                    PodId.of("p" + created),
                    "team/p" + created,
                    new Pod.Place.Gated(),
                    GPU,
                    "",
                    1,
                    at(created).toString());
            fresh.seen(pod, GPUS, BypassCause.NOT_ASKED, at(600));
        }
        fresh.proved(at(600));
        fresh.begin(new SoleTerm(at(601), at(-5)), at(10_000), at(601));
        assertThat(fresh.judge(at(602), at(602))).isEmpty();
        fresh.proved(at(635));

        // The former holder ended 5 s before noon; its last pod may take 34 s, and clocks may differ by 60 s.
        assertThat(fresh.judge(at(640), at(640)))
                .containsExactly(
                        new BypassedPod("team/p89", BypassCause.NOT_DECIDING, at(89)),
                        new BypassedPod("team/p500", BypassCause.NOT_DECIDING, at(500)));
    }

    @Test
    void whatIsThereWhenNothingIsKnownOfAFormerHolderIsPassedOver() {
        BypassDetector fresh = new BypassDetector(Ledger.LONGEST_CREATE);
        Pod pod = new Pod(new PodId(1, 1), "team/a", new Pod.Place.Gated(), GPU, "", 1, at(500).toString());
        fresh.seen(pod, GPUS, BypassCause.NOT_ASKED, at(600));
        fresh.proved(at(600));
        fresh.begin(new SoleTerm(Instant.MIN, Instant.MAX), at(10_000), at(601));
        fresh.proved(at(700));

        assertThat(fresh.judge(at(701), at(701))).isEmpty();
    }

    @Test
    void anotherTermBeginsAnew() {
        detector.pause();
        now = 100;
        sees("team/of-another-holder", 99);
        leads(new SoleTerm(at(110), at(108)));
        sees("team/of-another-holder-too", 99);
        proves(143);
        now = 150;
        assertThat(judged()).isEmpty();

        proves(144);
        assertThat(judged()).isEmpty();
        sees("team/ours", 150);
        assertThat(judged()).containsExactly("team/ours");
    }

    @Test
    void theSameTermGoesOnAfterAPause() {
        detector.pause();
        assertThat(detector.completeSince(at(now))).isEmpty();
        leads(TERM);
        sees("team/train", 40);

        assertThat(detector.completeSince(at(now))).contains(at(34));
        assertThat(judged()).containsExactly("team/train");
    }

    @Test
    void aProcessThatWasSuspendedAccusesNobody() {
        detector.begin(TERM, at(50), at(now));
        now = 60;
        sees("team/of-another-holder", 55);
        leads(new SoleTerm(at(70), at(68)));
        proves(110);
        now = 111;

        assertThat(judged()).isEmpty();
    }

    @Test
    void aPodWaitsUntilAllDecisionsAboutItHaveBeenTold() {
        sees("team/train", 40);
        assertThat(detector.judge(at(now), at(now))).isEmpty();
        decides(SampleRecords.unchanged().pod("team", "train"));

        assertThat(judged()).isEmpty();
    }

    @Test
    void anotherPolicyMakesNobodyGuilty() {
        sees("team/before", 40);
        detector.discardSightings(at(now));
        sees("team/then", 41);
        proves(133);
        now = 133;
        sees("team/not-yet", 133);
        assertThat(judged()).isEmpty();

        now = 140;
        proves(134);
        sees("team/later", 140);
        assertThat(detector.completeSince(at(now))).contains(at(134));
        assertThat(judged()).containsExactly("team/later");
    }

    @Test
    void moreDecisionsThanCanBeKeptAccuseNobody() {
        for (int i = 0; i <= RecordedPodNames.MOST; i++) {
            decides(SampleRecords.unchanged().pod("team", "p" + i));
        }
        sees("team/p" + RecordedPodNames.MOST, 40);

        assertThat(judged()).isEmpty();
        assertThat(detector.completeSince(at(now))).isEmpty();
    }

    @Test
    void moreNewPodsThanCanBeKeptAreNotCountedTwice() {
        detector.pause();
        for (int i = 0; i < 2 * BypassDetector.MOST; i++) {
            sees("team/p" + i, 1_000 + i);
        }
        leads(TERM);
        now = 20_000;
        assertThat(judged()).hasSize(BypassDetector.MOST);
        for (int i = 0; i < 2 * BypassDetector.MOST; i++) {
            sees("team/p" + i, 1_000 + i);
        }

        assertThat(judged()).isEmpty();
    }

    @Test
    void anOldPodThatIsListedAgainIsPassedOver() {
        proves(1_000);
        now = 1_001;
        sees("team/old", 939);
        sees("team/new", 940);

        assertThat(judged()).containsExactly("team/new");
    }

    @Test
    void theClockOfTheApiServerMayBeAMinuteBehind() {
        proves(1_000);
        now = 1_001;
        sees("team/train", 1_000 - Duration.ofMinutes(1).toSeconds());

        assertThat(judged()).containsExactly("team/train");
    }
}
