package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.ledger.placement.PlacementReservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A controller that creates pods as those of Kubernetes do, with random answers and delays. */
class LedgerAssumedBatchesTest {

    private static final int RUNS = 12;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    private static final class Controller {

        private record Step(long millis, Runnable work) {}

        private final SplittableRandom random;
        private final LedgerAssumedBatches batches = new LedgerAssumedBatches();
        private final PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingLong(Step::millis));
        private final Set<LedgerAssumedPod> underWay = new HashSet<>();
        private final Set<LedgerAssumedPod> refused = new HashSet<>();
        private long clock;
        private final int slowest;

        Controller(long seed) {
            random = new SplittableRandom(seed);
            // Some controllers are behind a slow webhook.
            slowest = random.nextBoolean() ? 5 : 3_000;
        }

        private Instant now() {
            return Instant.EPOCH.plusMillis(clock);
        }

        /** Wants so many pods; returns when it has them, or when one was refused. */
        void run(int wanted, double refusals, double denials) {
            int left = wanted;
            for (int batch = 1; left > 0; batch = Math.min(2 * batch, left)) {
                long end = clock;
                boolean failed = false;
                for (int i = 0; i < batch; i++) {
                    // A client is allowed so many requests a second, so that a large batch takes a while.
                    long asked = clock + (long) i * random.nextInt(1, 50);
                    long answered = asked + 1 + random.nextInt(slowest);
                    boolean isDenied = random.nextDouble() < denials;
                    boolean fails = random.nextDouble() < refusals;
                    failed |= fails || isDenied;
                    end = Math.max(end, answered);
                    steps.add(new Step(asked, isDenied ? () -> batches.addDenied(now()) : () -> ask(answered, fails)));
                }
                pass(end + random.nextInt(1, 10));
                left -= batch;
                if (failed) {
                    return;
                }
            }
        }

        private void ask(long answered, boolean fails) {
            PlacementRequest decided =
                    new PlacementRequest("s", "team", Amounts.NONE, NodeConstraints.NONE, /* promised= */ true);
            LedgerAssumedPod pod = new LedgerAssumedPod(
                    "s", "team", PlacementOrigin.UNKNOWN, PlacementReservation.of(decided, 1), now(), 0);
            batches.add(pod);
            underWay.add(pod);
            if (fails) {
                steps.add(new Step(answered, () -> {
                    underWay.remove(pod);
                    refused.add(pod);
                }));
            } else {
                steps.add(new Step(answered + random.nextInt(1, 499), () -> {
                    underWay.remove(pod);
                    batches.seen(pod);
                }));
            }
        }

        /** Returns a share of the pods, often none. */
        double share() {
            return random.nextInt(3) == 0 ? 0 : random.nextDouble();
        }

        void pass(long until) {
            while (!steps.isEmpty() && steps.element().millis() <= until) {
                Step step = steps.remove();
                clock = Math.max(clock, step.millis());
                step.work().run();
                look();
            }
            clock = until;
            look();
        }

        private void look() {
            List<LedgerAssumedPod> ended = batches.takeEnded(now());
            assertThat(ended).as("given up too early").noneMatch(underWay::contains);
            refused.removeAll(ended);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noPodIsGivenUpThatIsStillToCome(long seed) {
        Controller controller = new Controller(seed);
        for (int i = 0; i < RUNS; i++) {
            controller.run(1 + controller.random.nextInt(60), controller.share(), controller.share());
            controller.pass(controller.clock + controller.random.nextInt(3_000));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofPodsThatAreAlwaysRefusedOnlyTheLastIsKept(long seed) {
        Controller controller = new Controller(seed);
        controller.run(20, 0.3, 0);
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            controller.run(20, 1, 0);
            controller.pass(controller.clock + 600);
            kept.add(controller.refused.size());
        }
        assertThat(kept.getLast()).isEqualTo(1);
    }

    /** The gateway denies a pod when nothing is free. Then the controller begins anew, as after a refusal by others. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofPodsThatWereRefusedNoneIsKeptOnceLaterOnesAreDenied(long seed) {
        Controller controller = new Controller(seed);
        controller.run(20, 0.3, 0);
        for (int i = 0; i < 4; i++) {
            controller.run(20, 1, 0);
        }
        for (int i = 0; i < 40; i++) {
            controller.run(20, 0, 1);
        }
        controller.pass(controller.clock + 600);
        assertThat(controller.refused).isEmpty();
    }
}
