package dev.sluice.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Lease with conditional writes, and the pods with their history. Requests and answers are late or lost as the
 * weather has it.
 */
final class SimulatedApiServer {

    /** A pod was stored or deleted. */
    record PodChange(long at, String uid, String stamp, int need, boolean stored) {}

    /** How the API server treats a request. */
    enum Answer {
        DONE,
        REFUSED,
        FAILED
    }

    private static final String FIRST = "v1";

    private final World world;
    private final Weather weather;
    private final List<PodChange> history = new ArrayList<>();
    private @Nullable ReplicationStoredRecord lease;
    private long versions;

    SimulatedApiServer(World world, Weather weather) {
        this.world = world;
        this.weather = weather;
    }

    List<PodChange> history() {
        return history;
    }

    Optional<ReplicationStoredRecord> lease() {
        return Optional.ofNullable(lease);
    }

    /** Returns true if this is the version of the first Lease there ever was. */
    boolean isFirst(String version) {
        return version.equals(FIRST);
    }

    /** Somebody edits the Lease, or deletes it. The edit does not know of the checksum. */
    void edit(@Nullable InSyncRecord content) {
        lease = content == null ? null : new ReplicationStoredRecord(version(), content, /* intact= */ false);
    }

    void store(PodChange change) {
        history.add(change);
    }

    void read(SimulatedReplica from, Consumer<Optional<ReplicationStoredRecord>> answer, Runnable failed) {
        exchange(from, this::lease, answer, failed);
    }

    void write(SimulatedReplica from, @Nullable String basis, InSyncRecord content, BiConsumer<Answer, String> answer) {
        exchange(
                from,
                () -> put(basis, content),
                version -> answer.accept(version.isEmpty() ? Answer.REFUSED : Answer.DONE, version),
                () -> answer.accept(Answer.FAILED, ""));
    }

    private <T> void exchange(SimulatedReplica from, Supplier<T> work, Consumer<T> answer, Runnable failed) {
        if (!weather.reachesApiServer(from) || weather.losesRequest()) {
            if (world.happens(0.5)) {
                world.in(world.between(1, 300), failed);
            }
            return;
        }
        world.in(weather.requestDelay(), () -> {
            T result = work.get();
            if (weather.reachesApiServer(from) && !weather.losesRequest()) {
                world.in(world.between(1, 20), () -> answer.accept(result));
            } else if (world.happens(0.5)) {
                world.in(world.between(1, 300), failed);
            }
        });
    }

    /** Returns the new version; empty if the write was refused. A write that changes nothing leaves the version. */
    private String put(@Nullable String basis, InSyncRecord content) {
        ReplicationStoredRecord present = lease;
        boolean matches = present == null ? basis == null : present.version().equals(basis);
        if (!matches) {
            return "";
        }
        if (present != null && present.intact() && present.content().equals(content)) {
            return present.version();
        }
        ReplicationStoredRecord next = new ReplicationStoredRecord(version(), content, /* intact= */ true);
        lease = next;
        return next.version();
    }

    private String version() {
        return "v" + ++versions;
    }
}
