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
     * Returns the time at which the Lease that was read last ends, by the clock of its holder; {@link Instant#MAX} if
     * it is unknown. Clocks differ, so no decision may depend on this time. It is parsed only when the supplier is
     * called, because only a takeover needs it.
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
