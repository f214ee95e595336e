package dev.sluice.tls.selfmanaged;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.selfmanaged.StoredCertificates.Coverage;
import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two replicas in every order, and what may happen to the Secret and the caBundle between their steps. */
class RotationModelTest {

    private static final int REPLICAS = 2;
    private static final int DEPTH = 18;
    private static final int LONG = 4_000;

    private record Reached(RotationWorld world, int mishaps, int depth) {}

    private record Known(RotationWorld world, int mishaps) {}

    @ParameterizedTest
    @CsvSource({"0, 0", "1, -1", "-1, 1"})
    void noCertificateIsServedThatIsRefusedInAnyOrderOfStepsWithOneMishap(int first, int second) {
        assertThat(explored(CertificateUse.WEBHOOK, first, second)).as("states").isGreaterThan(20_000);
    }

    /** Replicas that have trusted each other once never refuse each other: availability-mode.md F17. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, -1", "-1, 1"})
    void noReplicaRefusesTheOtherInAnyOrderOfStepsWithOneMishap(int first, int second) {
        assertThat(explored(CertificateUse.PEERS, first, second)).as("states").isGreaterThan(5_000);
    }

    private static long explored(CertificateUse clients, int first, int second) {
        return beginnings(clients, first, second).stream()
                .mapToLong(RotationModelTest::explore)
                .sum();
    }

    /** At the very start, in the steady state, just before a new authority, and just before a new certificate. */
    private static List<RotationWorld> beginnings(CertificateUse clients, int first, int second) {
        RotationWorld empty = RotationWorld.empty(clients, first, second);
        RotationWorld steady = settle(empty, 3);
        List<RotationWorld> beginnings = new ArrayList<>(List.of(empty, steady));
        RotationWorld world = steady;
        for (int changes = 0; changes < 6; changes++) {
            world = world.later(world.untilSomethingIsDue());
            beginnings.add(world);
            world = settle(world, 1);
        }
        return beginnings;
    }

    private static long explore(RotationWorld begin) {
        Set<Known> known = new HashSet<>();
        Deque<Reached> open = new ArrayDeque<>(List.of(new Reached(begin, 0, 0)));
        while (!open.isEmpty()) {
            Reached reached = open.remove();
            if (!known.add(new Known(reached.world, reached.mishaps))) {
                continue;
            }
            judge(reached.world);
            if (reached.depth < DEPTH) {
                moves(reached.world).forEach(next -> open.add(new Reached(next, reached.mishaps, reached.depth + 1)));
                if (reached.mishaps == 0) {
                    mishaps(reached.world).forEach(next -> open.add(new Reached(next, 1, reached.depth + 1)));
                }
            }
        }
        return known.size();
    }

    private static Stream<RotationWorld> moves(RotationWorld world) {
        Stream<RotationWorld> steps = IntStream.range(0, REPLICAS)
                .boxed()
                .filter(index -> !world.replicas().get(index).isIdle(world))
                .map(index -> world.replicas().get(index).pending() == null ? world.look(index) : world.act(index));
        Stream<RotationWorld> time = world.everybodyIsIdle()
                ? Stream.of(world.later(1), world.later(world.untilSomethingIsDue()))
                : Stream.empty();
        return Stream.concat(steps, time);
    }

    private static Stream<RotationWorld> mishaps(RotationWorld world) {
        StoredCertificates stored = world.store().content();
        Stream<RotationWorld> ofBundle = world.clients() == CertificateUse.PEERS
                ? Stream.empty()
                : Stream.of(
                        world.withBundle(Set.of(), /* damaged= */ false),
                        world.withBundle(Set.of(), /* damaged= */ true),
                        world.withBundle(Set.of("stranger"), /* damaged= */ false));
        return Stream.concat(ofBundle, ofSecret(world, stored));
    }

    private static Stream<RotationWorld> ofSecret(RotationWorld world, StoredCertificates stored) {
        return Stream.of(
                world.stored(StoredCertificates.NONE),
                world.stored(new StoredCertificates(stored.authorities(), stored.signer(), Optional.empty())),
                world.stored(new StoredCertificates(stored.authorities(), Optional.empty(), stored.leaf())),
                world.stored(new StoredCertificates(List.of(), stored.signer(), stored.leaf())),
                world.stored(new StoredCertificates(
                        stored.authorities(), stored.signer(), stored.leaf().map(RotationModelTest::withoutNames))),
                world.restart(0),
                world.restart(1),
                world.stored(ofABackup(world)),
                world.stored(StoredCertificates.NONE).restart(0),
                world.stored(StoredCertificates.NONE).restart(0).restart(1));
    }

    /** Somebody restores a Secret of before an authority was renewed, as Velero does with a whole namespace. */
    private static StoredCertificates ofABackup(RotationWorld world) {
        RotationLifespan valid = world.ofABackup();
        return new StoredCertificates(
                List.of(new StoredCertificates.Authority("backup", valid)),
                Optional.of("backup"),
                Optional.of(new Leaf("leaf of the backup", "backup", valid, Coverage.ALL_NAMES)));
    }

    private static Leaf withoutNames(Leaf leaf) {
        return new Leaf(leaf.id() + "-", leaf.authority(), leaf.life(), Coverage.NAMES_MISSING);
    }

    private static void judge(RotationWorld world) {
        if (world.clients() == CertificateUse.PEERS || !world.bundle().foreign()) {
            assertThat(world.refused()).as("%s", world).isEmpty();
        }
    }

    /** Both replicas work until they have nothing to do, and a minute passes; so many times. */
    private static RotationWorld settle(RotationWorld begin, int minutes) {
        RotationWorld world = begin;
        for (int i = 0; i < minutes; i++) {
            world = untilIdle(world).later(1);
        }
        return untilIdle(world);
    }

    private static RotationWorld untilIdle(RotationWorld begin) {
        RotationWorld world = begin;
        for (int step = 0; !world.everybodyIsIdle(); step++) {
            assertThat(step).as("steps without an end: %s", world).isLessThan(60);
            for (int index = 0; index < REPLICAS; index++) {
                if (!world.replicas().get(index).isIdle(world)) {
                    world = world.look(index).act(index).look(index);
                }
            }
        }
        return world;
    }

    static Stream<Arguments> seeds() {
        return Stream.of(CertificateUse.values())
                .flatMap(clients -> IntStream.range(0, 40).mapToObj(seed -> Arguments.of(clients, seed)));
    }

    /** Mishaps come one after the other, and rotations in between; afterwards all is well within five minutes. */
    @ParameterizedTest
    @MethodSource("seeds")
    void recoversFromEveryMishapInLongHistories(CertificateUse clients, int seed) {
        Random random = new Random(seed);
        RotationWorld world = RotationWorld.empty(clients, random.nextInt(3) - 1, random.nextInt(3) - 1);
        for (int i = 0; i < LONG; i++) {
            List<RotationWorld> next = moves(world).toList();
            world = next.get(random.nextInt(next.size()));
            judge(world);
            if (random.nextInt(200) == 0) {
                List<RotationWorld> mishaps = mishaps(world).toList();
                world = settle(mishaps.get(random.nextInt(mishaps.size())), 5);
                assertThat(world.isWell()).as("%s", world).isTrue();
            }
        }
        assertThat(world.names()).as("certificates and authorities made").isGreaterThan(60);
    }

    @Test
    void anAuthorityIsReplacedAtTwoThirdsOfItsLifeAndGoesWhenNothingItSignedIsValid() {
        RotationWorld world = settle(RotationWorld.empty(CertificateUse.WEBHOOK, 0, 0), 3);
        assertThat(world.bundle().authorities()).containsExactly("A0");
        world = pass(world, 157);
        assertThat(world.bundle().authorities()).hasSize(2).contains("A0");
        String second = world.store().content().signer().orElseThrow();
        world = pass(world, 64);
        assertThat(world.bundle().authorities()).containsExactlyInAnyOrder("A0", second);
        world = pass(world, 2);
        assertThat(world.bundle().authorities()).containsExactly(second);
    }

    private static RotationWorld pass(RotationWorld begin, int minutes) {
        RotationWorld world = begin;
        for (int end = begin.minute() + minutes; world.minute() < end; ) {
            world = untilIdle(world.later(1));
            judge(world);
        }
        return world;
    }
}
