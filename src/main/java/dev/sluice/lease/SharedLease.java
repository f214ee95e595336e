package dev.sluice.lease;

import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.ReplicationStoredRecord;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Lease that all replicas share. A write replaces exactly the version that it names. The returned stages may
 * complete on any thread. They fail if no answer has arrived, or if the answer is not understood. A write may have
 * taken effect even if its stage fails.
 */
interface SharedLease {

    /** The answer to a write. */
    sealed interface LeaseWriteAnswer {

        /**
         * The write has taken effect.
         *
         * @param first true if it is certain that there has never been a Lease before
         */
        record Written(String version, boolean first) implements LeaseWriteAnswer {}

        /** The write has no effect, because the Lease has another version or does not exist. */
        record WriteRefused() implements LeaseWriteAnswer {}
    }

    /** Reads the Lease. Returns empty if there is none. */
    CompletionStage<Optional<ReplicationStoredRecord>> read();

    /**
     * Returns the end of the Lease that was read last, as the holder wrote it by its own clock, or {@link Instant#MAX}
     * if it is unknown. No decision may depend on this time, because clocks differ. The supplier parses the time only
     * when it is called, because the time is needed only at a takeover.
     */
    default Supplier<Instant> endsByItsOwnWord() {
        return () -> Instant.MAX;
    }

    /**
     * Replaces the version {@code basis} of the Lease.
     *
     * @param basis the expected version; null to create the Lease
     */
    CompletionStage<LeaseWriteAnswer> write(@Nullable String basis, InSyncRecord content);
}
