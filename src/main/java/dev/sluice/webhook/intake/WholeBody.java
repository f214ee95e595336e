package dev.sluice.webhook.intake;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A complete body that waits to be decoded, possibly on another thread. */
public final class WholeBody {

    private final AtomicReference<@Nullable BodyBytes> bytes;
    private final int length;
    private final MemoryBudget.Hold hold;
    private volatile boolean abandoned;

    public WholeBody(BodyBytes bytes, MemoryBudget.Hold hold) {
        this.bytes = new AtomicReference<>(bytes);
        this.length = bytes.length();
        this.hold = hold;
    }

    public int length() {
        return length;
    }

    /**
     * Takes the bytes, which is possible only once. Returns empty if the memory of this body was released for another
     * body.
     */
    public Optional<BodyBytes> take() {
        return hold.beginWork() ? Optional.ofNullable(bytes.getAndSet(null)) : Optional.empty();
    }

    void drop() {
        var _ = dropped();
    }

    private boolean dropped() {
        BodyBytes unread = bytes.getAndSet(null);
        if (unread != null) {
            unread.drop();
        }
        return unread != null;
    }

    /**
     * Drops the body because nobody waits for the answer. If the body is being decided, its memory is released at the
     * end of the decision.
     */
    void abandon() {
        abandoned = true;
        if (dropped()) {
            hold.release();
        }
    }

    /** Returns true if the client has closed the connection, so that nobody waits for the answer. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Releases the memory of the body, but keeps the memory of an answer with this number of bytes until
     * {@link #release}.
     */
    public void answered(long bytes) {
        hold.answered(bytes);
    }

    /**
     * Releases all memory of the body. It must be called when the answer has been written, or when there will be no
     * answer.
     */
    public void release() {
        drop();
        hold.release();
    }
}
