package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long nobody decides while the lease is handed over, with the real times of the protocol, and with requests and
 * messages that take as long as in a usual cluster.
 */
class HandOverTest {

    private static final ReplicationTimes TIMES = ReplicationTimes.of(34_000);
    private static final int SCHEDULES = 300;
    /** The interval of the ticks that are not fast. */
    private static final long TICK = 250;

    private static final long LONGEST = 100;
    /** The longest time between two decisions. */
    private static final long PACE = 20;

    private static final long POD_SEEN_AFTER = 200;

    /** Who is told to stop. */
    enum Leaving {
        THE_HOLDER,
        THE_HOLDER_AND_THE_FIRST_MEMBER
    }

    @ParameterizedTest
    @EnumSource
    void aHandOverTakesAFewRequestsToTheApiServer(Leaving leaving) {
        long longest = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            longest = Math.max(longest, new Schedule(seed).pause(leaving));
        }
        assertThat(longest).isBetween(1L, LONGEST);
    }

    /** One hand-over. */
    private static final class Schedule {
        private final World world;
        private final List<LoopOfReplica> processes = new ArrayList<>();
        private @Nullable ReplicationStoredRecord lease;
        private long versions;
        private long decisions;
        private long answeredAt;
        private long longestPause;

        Schedule(long seed) {
            world = new World(seed);
        }

        long pause(Leaving leaving) {
            for (int i = 1; i <= 3; i++) {
                processes.add(new LoopOfReplica(new Member("r" + i, "r" + i)));
                world.runUntil(world.now() + 3_000);
            }
            while (!processes.stream()
                    .allMatch(process -> process.replica.inSync().size() == 3)) {
                world.runUntil(world.now() + 100);
            }
            world.runUntil(world.now() + 2_000 + world.between(0, 2_000));
            longestPause = 0;
            answeredAt = world.now();
            processes.get(0).leave();
            if (leaving == Leaving.THE_HOLDER_AND_THE_FIRST_MEMBER) {
                world.runUntil(world.now() + world.between(0, 5));
                processes.get(1).leave();
            }
            world.runUntil(world.now() + 3_000);
            assertThat(processes.get(0).replica.isLeading()).isFalse();
            return Math.max(longestPause, world.now() - answeredAt);
        }

        private void answered() {
            longestPause = Math.max(longestPause, world.now() - answeredAt);
            answeredAt = world.now();
        }

        /** A replica and the loop that runs it. */
        private final class LoopOfReplica {
            private final Replica<String> replica;

            LoopOfReplica(Member member) {
                replica = new Replica<>(member, "cluster", TIMES);
                world.in(world.between(1, TICK), this::tick);
                world.in(world.between(1, PACE), this::decide);
            }

            void leave() {
                perform(replica.leave(world.now()));
            }

            private void tick() {
                perform(replica.watched(world.now() - 1_000, /* isCurrent= */ true, world.now()));
                perform(replica.tick(world.now()));
                replica.prune(entry -> decidedAt(entry) > world.now() - POD_SEEN_AFTER, world.now());
                long pace = replica.pace(world.now());
                world.in(pace > 0 ? pace : TICK, this::tick);
            }

            private void decide() {
                if (replica.mayDecide(world.now())) {
                    String stamp = "s" + ++decisions;
                    replica.decided(stamp, stamp, Long.toString(world.now()));
                    perform(replica.endTurn(world.now()));
                }
                world.in(world.between(1, PACE), this::decide);
            }

            private static long decidedAt(ReplicatedEntry<String> entry) {
                return Long.parseLong(entry.change());
            }

            private void perform(List<ReplicationOutput<String>> outputs) {
                for (ReplicationOutput<String> output : outputs) {
                    switch (output) {
                        case ReplicationOutput.Send<String>(Member to, ReplicationEnvelope<String> envelope) ->
                            processes.stream()
                                    .filter(other -> other.replica.self().equals(to))
                                    .forEach(other -> world.in(
                                            1, () -> other.perform(other.replica.receive(envelope, world.now()))));
                        case ReplicationOutput.ReadLease<String>(long request) ->
                            world.in(world.between(2, 10), () -> {
                                Optional<ReplicationStoredRecord> found = Optional.ofNullable(lease);
                                world.in(1, () -> perform(replica.leaseRead(request, found, world.now())));
                            });
                        case ReplicationOutput.WriteLease<String> write ->
                            world.in(world.between(4, 18), () -> write(write));
                        case ReplicationOutput.ReleaseAnswer<String> _ -> answered();
                        case ReplicationOutput.ApplyEntry<String> _,
                                ReplicationOutput.ForgetEntry<String> _,
                                ReplicationOutput.AbandonAnswer<String> _ -> {}
                    }
                }
            }

            private void write(ReplicationOutput.WriteLease<String> write) {
                String present = lease == null ? null : lease.version();
                if (present == null ? write.basis() == null : present.equals(write.basis())) {
                    String version = "v" + ++versions;
                    lease = new ReplicationStoredRecord(version, write.content(), /* intact= */ true);
                    world.in(1, () -> {
                        replica.startedFirst();
                        perform(replica.leaseWritten(write.request(), version, world.now()));
                    });
                } else {
                    world.in(1, () -> perform(replica.leaseRefused(write.request(), world.now())));
                }
            }
        }
    }
}
