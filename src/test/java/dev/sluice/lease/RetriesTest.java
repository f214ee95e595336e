package dev.sluice.lease;

import static dev.sluice.lease.Desk.isGiven;
import static dev.sluice.lease.Desk.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerStatistics.DecisionCounts;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pod that is refused behind the gateway and tried again and again holds little, and others are served. */
class RetriesTest {

    private static final PodOwner REPLICA_SET = new PodOwner("ReplicaSet", "doomed", "apps/v1", "uid-of-doomed");
    private static final PodOwner JOB = new PodOwner("Job", "nightly", "batch/v1", "uid-of-nightly");
    private static final PodOwner RAY = new PodOwner("RayCluster", "ray", "ray.io/v1", "uid-of-ray");

    private final Desk desk = new Desk(1);

    private long reserved() {
        return 8 - desk.ledger.freeOf(ResourceName.NVIDIA_GPU);
    }

    private DecisionCounts counts() {
        return desk.ledger.statistics().decisions();
    }

    private void passes(long millis) {
        desk.passes(Duration.ofMillis(millis));
    }

    private Verdict owned(PodOwner owner, long devices) {
        return desk.decide(desk.owned("team-a", owner, pod(devices)));
    }

    /** Nobody asks any more, and time passes. */
    private void quiet(long millis) {
        passes(millis);
        var _ = desk.decide(desk.question("somewhere", "idle", pod(9)));
    }

    /** The workqueue of a controller tries again after 5, 10, 20 ms and so on (ItemExponentialFailureRateLimiter). */
    @Test
    void aReplicaSetThatTriesAgainAndAgainHoldsOneDevice() {
        for (long wait = 5; wait <= 2_560; wait *= 2) {
            assertThat(isGiven(owned(REPLICA_SET, 1))).isTrue();
            passes(wait);
        }
        quiet(0);
        assertThat(reserved()).isEqualTo(1);
        assertThat(isGiven(desk.decide(desk.question("team-a", "same", pod(4)))))
                .isTrue();
        assertThat(isGiven(desk.decide(desk.question("team-b", "other", pod(3)))))
                .isTrue();
        assertThat(counts().replaced()).isEqualTo(9);
    }

    /**
     * ray-project/kuberay#686: KubeRay creates the pods of a RayCluster one after another, under generated names, and
     * begins anew when one is refused. OpenKruise creates those of a CloneSet in batches, under names of its own.
     */
    @ParameterizedTest
    @CsvSource({"RayCluster, ray.io/v1, ray-worker-*", "CloneSet, apps.kruise.io/v1alpha1, clones-8bpwj"})
    void anOperatorThatTriesAgainAndAgainHoldsOneDevice(String kind, String apiVersion, String name) {
        PodOwner owner = new PodOwner(kind, "own", apiVersion, "uid-of-own");
        for (long wait = 5; wait <= 2_560; wait *= 2) {
            String again = name.endsWith("*") ? name : name + wait;
            assertThat(isGiven(desk.decide(desk.named("team-a", owner, again, pod(1)))))
                    .isTrue();
            passes(wait);
        }
        quiet(0);
        assertThat(reserved()).isEqualTo(1);
        assertThat(isGiven(desk.decide(desk.question("team-b", "other", pod(7)))))
                .isTrue();
    }

    /** One try takes all devices. The tries that are denied then show that it was refused. */
    @Test
    void aRefusedTryThatTookEverythingGivesItBackHalfASecondAfterTheNextOne() {
        assertThat(isGiven(owned(REPLICA_SET, 8))).isTrue();
        for (long wait = 5; wait <= 160; wait *= 2) {
            passes(wait);
            assertThat(isGiven(owned(REPLICA_SET, 8)))
                    .as("after another %d ms", wait)
                    .isFalse();
        }
        passes(190);
        assertThat(isGiven(desk.decide(desk.question("team-b", "other", pod(8)))))
                .isTrue();
        assertThat(counts().late()).isZero();
        assertThat(counts().preempted()).isZero();
    }

    /**
     * kubernetes-sigs/jobset#1187: a webhook refuses all pods of an Indexed Job but the first, until that one is bound.
     * The Job never has two pods of the same index, so a pod of an index shows at once that the former try has ended.
     */
    @Test
    void anIndexedJobHoldsOneDeviceForEachIndex() {
        desk.appears("team-a/nightly-0", 1, Desk.stamp(indexed(0)));
        for (int index : List.of(1, 2, 1, 1, 1)) {
            assertThat(isGiven(indexed(index))).isTrue();
            passes(5);
        }
        desk.appears("team-a/nightly-1", 1, Desk.stamp(indexed(1)));
        assertThat(isGiven(indexed(2))).isTrue();
        assertThat(isGiven(indexed(3))).isTrue();
        assertThat(reserved()).isEqualTo(4);
        assertThat(isGiven(desk.decide(desk.question("team-b", "honest", pod(4)))))
                .isTrue();
        assertThat(counts().late()).isZero();
    }

    private Verdict indexed(int index) {
        Map<String, String> annotation = Map.of("batch.kubernetes.io/job-completion-index", Integer.toString(index));
        PodRequest pod = pod(1);
        return desk.decide(desk.owned(
                "team-a",
                JOB,
                new PodRequest(
                        pod.containers(),
                        pod.podLevel(),
                        pod.overhead(),
                        pod.gated(),
                        pod.constraints(),
                        pod.annotations().with(annotation))));
    }

    /** Two pods of a batch of four are on their way, and the other two are denied. */
    @Test
    void podsOfTheSameBatchAsADeniedOneKeepWhatTheyWerePromised() {
        for (int i = 0; i < 3; i++) {
            desk.appears("team-a/nightly-" + i, 1, Desk.stamp(owned(JOB, 1)));
        }
        Verdict first = owned(JOB, 2);
        Verdict second = owned(JOB, 2);
        assertThat(isGiven(owned(JOB, 2))).isFalse();
        assertThat(isGiven(owned(JOB, 2))).isFalse();
        quiet(2_000);
        assertThat(reserved()).isEqualTo(7);

        desk.appears("team-a/nightly-3", 2, Desk.stamp(first));
        desk.appears("team-a/nightly-4", 2, Desk.stamp(second));

        assertThat(counts().late()).isZero();
        assertThat(counts().replaced()).isZero();
    }

    /** Under a webhook behind the gateway, each batch takes two seconds, and no pod of it is given up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8})
    void aBurstOfAControllerWhosePodsAppearLateKeepsWhatItWasPromised(int pods) {
        int begun = 0;
        for (int batch = 1; begun < pods; batch *= 2) {
            Deque<Verdict> answers = new ArrayDeque<>();
            for (int i = 0; i < batch && begun < pods; i++, begun++) {
                Verdict verdict = owned(JOB, 1);
                assertThat(isGiven(verdict)).isTrue();
                answers.add(verdict);
                passes(3);
            }
            passes(2_000);
            int first = begun - answers.size();
            for (int i = 0; !answers.isEmpty(); i++) {
                desk.appears("team-a/nightly-" + (first + i), 1, Desk.stamp(answers.remove()));
            }
        }
        assertThat(reserved()).isEqualTo(pods);
        assertThat(counts().replaced()).isZero();
        assertThat(counts().late()).isZero();
    }

    /** Two appear and one is refused; then each try begins with one pod, and only the last one counts. */
    @Test
    void afterARefusalAControllerBeginsAnewWithOnePod() {
        for (int i = 0; i < 3; i++) {
            desk.appears("team-a/nightly-" + i, 1, Desk.stamp(owned(JOB, 1)));
        }
        for (int i = 0; i < 4; i++) {
            assertThat(isGiven(owned(JOB, 1))).isTrue();
        }
        assertThat(reserved()).as("a batch of four").isEqualTo(7);
        passes(700);
        assertThat(isGiven(owned(JOB, 1))).isTrue();
        quiet(700);
        assertThat(reserved()).isEqualTo(4);
    }

    @Test
    void aPodThatIsSeenAfterAllKeepsItsPromise() {
        Verdict first = owned(REPLICA_SET, 2);
        var _ = owned(REPLICA_SET, 2);
        quiet(600);
        assertThat(reserved()).isEqualTo(2);

        desk.appears("team-a/doomed-x", 2, Desk.stamp(first));

        assertThat(reserved()).isEqualTo(4);
        assertThat(counts().late()).isEqualTo(1);
        assertThat(desk.ledger.statistics().evictions()).isZero();
    }

    @Test
    void aPodThatIsSeenAfterItsRoomWasTakenIsCountedAsABrokenPromise() {
        Verdict first = owned(REPLICA_SET, 4);
        var _ = owned(REPLICA_SET, 4);
        quiet(600);
        assertThat(isGiven(desk.decide(desk.question("team-b", "other", pod(4)))))
                .isTrue();

        desk.appears("team-a/doomed-x", 4, Desk.stamp(first));

        assertThat(desk.ledger.statistics().overcommitted()).isEqualTo(1);
        assertThat(desk.ledger.statistics().evictions()).isEqualTo(1);
        assertThat(counts().late()).isEqualTo(1);
    }

    @Test
    void aPodWithANameHasOneReservation() {
        for (int i = 0; i < 20; i++) {
            assertThat(isGiven(desk.decide(desk.question("team-a", "train", pod(5)))))
                    .isTrue();
        }
        assertThat(reserved()).isEqualTo(5);
        assertThat(isGiven(desk.decide(desk.question("team-b", "train", pod(5)))))
                .as("the same name in another namespace is another pod")
                .isFalse();
        assertThat(isGiven(desk.decide(desk.question("team-b", "train", pod(3)))))
                .isTrue();
        assertThat(reserved()).isEqualTo(8);
    }

    /** Nobody can tell a retry from the next pod, so it is given up only when somebody needs its room. */
    @ParameterizedTest
    @CsvSource({"team-a", "team-b"})
    void podsWithoutANameThatWereNotSeenForFiveSecondsGiveWayToAnybody(String namespace) {
        for (int i = 0; i < 8; i++) {
            assertThat(isGiven(desk.decide(desk.question("team-a", "bare-*", pod(1)))))
                    .isTrue();
        }
        passes(4_900);
        assertThat(isGiven(desk.decide(desk.question("team-a", "early-*", pod(4)))))
                .isFalse();
        passes(100);
        assertThat(reserved()).as("they keep their room while nobody needs it").isEqualTo(8);
        assertThat(isGiven(desk.decide(desk.question(namespace, "late-*", pod(8)))))
                .isTrue();
        assertThat(counts().preempted()).isEqualTo(8);
        assertThat(isGiven(desk.decide(desk.question(namespace, "next-*", pod(1)))))
                .isFalse();
    }

    /** The pods may be stored, and the watch has not shown them because the API server is away. */
    @ParameterizedTest
    @CsvSource({"team-a", "team-b"})
    void nothingGivesWayUntilTheWatchHasCaughtUpWithTheApiServer(String namespace) {
        for (int i = 0; i < 8; i++) {
            assertThat(isGiven(desk.decide(desk.question("team-a", "bare-*", pod(1)))))
                    .isTrue();
        }
        passes(1_000);
        desk.hearsAll();
        passes(1_000);
        desk.apiServerDoesNotAnswer();
        passes(9_000);
        assertThat(isGiven(desk.decide(desk.question(namespace, "early-*", pod(1)))))
                .isFalse();

        desk.hearsAll();

        assertThat(isGiven(desk.decide(desk.question(namespace, "late-*", pod(1)))))
                .isTrue();
    }

    @Test
    void aLaterBatchShowsNothingUntilTheWatchHasCaughtUpWithTheApiServer() {
        assertThat(isGiven(owned(REPLICA_SET, 8))).isTrue();
        passes(100);
        desk.apiServerDoesNotAnswer();
        assertThat(isGiven(owned(REPLICA_SET, 8))).isFalse();
        passes(9_000);
        assertThat(isGiven(desk.decide(desk.question("team-b", "early", pod(8)))))
                .isFalse();

        desk.hearsAll();

        assertThat(isGiven(desk.decide(desk.question("team-b", "late", pod(8)))))
                .isTrue();
    }

    @Test
    void aRetryTakesTheRoomOfItsOwnOwnerFirst() {
        Verdict others = desk.decide(desk.question("team-b", "bare-*", pod(4)));
        Verdict own = owned(RAY, 4);
        passes(5_000);

        assertThat(isGiven(owned(RAY, 4))).isTrue();
        desk.appears("team-b/bare-1", 4, Desk.stamp(others));

        assertThat(counts().late()).isZero();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        desk.appears("team-a/ray-1", 4, Desk.stamp(own));
        assertThat(counts().late()).isEqualTo(1);
        assertThat(desk.ledger.statistics().overcommitted()).isEqualTo(1);
    }

    /** What gives way is placed elsewhere if there is room that the other pod cannot use. */
    @Test
    void aDecisionThatGivesWayMovesWhereItCan() {
        Desk two = new Desk(List.of(
                Desk.node("a", Map.of("zone", "a"), Desk.machine(1)),
                Desk.node("b", Map.of("zone", "b"), Desk.machine(1))));
        Verdict first = two.decide(two.question("team-a", "bare-*", pod(1)));
        two.passes(5);
        NodeConstraints there = new NodeConstraints(null, Map.of("zone", "a"), null, List.of());
        assertThat(isGiven(two.decide(two.question("team-b", "tied-*", pod(1, 0, there)))))
                .isTrue();

        two.appears("team-a/bare-1", 1, Desk.stamp(first));

        assertThat(two.ledger.statistics().overcommitted()).isZero();
        assertThat(two.ledger.statistics().evictions()).isZero();
    }

    @Test
    void aWebhookThatIsReinvokedShowsThatThePodIsStillOnItsWay() {
        Verdict first = desk.decide(desk.question("team-a", "slow-*", pod(8)));
        passes(4_000);
        var _ = desk.decide(desk.question("team-a", "slow-*", Desk.bearing(Desk.stamp(first), pod(8))));
        passes(4_000);

        assertThat(isGiven(desk.decide(desk.question("team-a", "other", pod(1)))))
                .isFalse();
        passes(1_000);
        assertThat(isGiven(desk.decide(desk.question("team-a", "other", pod(1)))))
                .isTrue();
    }

    @Test
    void aCallThatIsRepeatedShowsThatThePodIsStillOnItsWay() {
        DecideRequest call = desk.question("team-a", "slow-*", pod(4));
        Verdict first = desk.decide(call);
        assertThat(isGiven(desk.decide(desk.question("team-a", "lost-*", pod(4)))))
                .isTrue();
        passes(4_000);
        assertThat(desk.decide(call)).isEqualTo(first);
        passes(4_000);

        assertThat(isGiven(desk.decide(desk.question("team-b", "other-*", pod(4)))))
                .as("what was not asked for again gives way, although it is newer")
                .isTrue();
        assertThat(isGiven(desk.decide(desk.question("team-b", "other-*", pod(1)))))
                .isFalse();
        passes(1_000);
        assertThat(isGiven(desk.decide(desk.question("team-b", "other-*", pod(1)))))
                .isTrue();
    }

    @Test
    void aCallThatIsRepeatedAfterItsRoomWasGivenAwayIsDecidedAgain() {
        DecideRequest call = desk.question("team-a", "slow-*", pod(8));
        assertThat(isGiven(desk.decide(call))).isTrue();
        passes(5_000);
        Verdict other = desk.decide(desk.question("team-b", "other-*", pod(8)));
        assertThat(isGiven(other)).isTrue();

        assertThat(isGiven(desk.decide(call))).isFalse();
        desk.appears("team-b/other-1", 8, Desk.stamp(other));
        desk.disappears("team-b/other-1");
        Verdict last = desk.decide(call);
        assertThat(isGiven(last)).isTrue();
        desk.appears("team-a/slow-1", 8, Desk.stamp(last));

        assertThat(counts().late()).isZero();
        assertThat(desk.ledger.statistics().overcommitted()).isZero();
        assertThat(desk.ledger.statistics().assumed()).isZero();
    }

    @Test
    void nothingIsLeftOfOwnersAndNamesAfterAllDecisionsHaveEnded() {
        List<PodOwner> owners = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            owners.add(new PodOwner("ReplicaSet", "o", "apps/v1", "uid-" + i));
        }
        owners.forEach(owner -> {
            var _ = owned(owner, 0);
        });
        desk.passes(35);
        desk.hearsAll();
        assertThat(counts().bytes()).isZero();
        assertThat(desk.ledger.statistics().assumed()).isZero();
        assertThat(reserved()).isZero();
    }
}
