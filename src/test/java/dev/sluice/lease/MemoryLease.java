package dev.sluice.lease;

import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.ReplicationStoredRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Lease in memory, which replaces a version only for who names it. Safe for any thread. */
final class MemoryLease {

    private @Nullable ReplicationStoredRecord stored;
    private int uids;
    private int versions;
    private volatile CompletableFuture<Void> silence = CompletableFuture.completedFuture(null);

    synchronized Optional<ReplicationStoredRecord> stored() {
        return Optional.ofNullable(stored);
    }

    /** Somebody edits the record without its checksum. */
    synchronized void edit(InSyncRecord content) {
        stored = new ReplicationStoredRecord("uid-" + uids + "/" + ++versions, content, /* intact= */ false);
    }

    synchronized void delete() {
        stored = null;
    }

    /** From now on, what is asked is done at once, and the answer comes when {@code end} is complete. */
    void answerAfter(CompletableFuture<Void> end) {
        silence = end;
    }

    private <T> CompletionStage<T> answered(Supplier<T> request) {
        return CompletableFuture.supplyAsync(request).thenCombine(silence, (answer, _) -> answer);
    }

    private synchronized SharedLease.LeaseWriteAnswer write(@Nullable String basis, InSyncRecord content) {
        String present = stored == null ? null : stored.version();
        if (basis == null ? present != null : !basis.equals(present)) {
            return new SharedLease.LeaseWriteAnswer.WriteRefused();
        }
        boolean first = versions == 0;
        uids += present == null ? 1 : 0;
        stored = new ReplicationStoredRecord("uid-" + uids + "/" + ++versions, content, /* intact= */ true);
        return new SharedLease.LeaseWriteAnswer.Written(stored.version(), first);
    }

    /** The Lease as one process reaches it, which counts its requests. */
    SharedLease from(BooleanSupplier isReached, AtomicInteger requests) {
        return new SharedLease() {
            @Override
            public CompletionStage<Optional<ReplicationStoredRecord>> read() {
                requests.incrementAndGet();
                return isReached.getAsBoolean()
                        ? answered(MemoryLease.this::stored)
                        : CompletableFuture.failedFuture(new IllegalStateException("not reached"));
            }

            @Override
            public CompletionStage<LeaseWriteAnswer> write(@Nullable String basis, InSyncRecord content) {
                requests.incrementAndGet();
                return isReached.getAsBoolean()
                        ? answered(() -> MemoryLease.this.write(basis, content))
                        : CompletableFuture.failedFuture(new IllegalStateException("not reached"));
            }
        };
    }
}
