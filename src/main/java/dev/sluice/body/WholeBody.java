package dev.sluice.body;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A body that has come in whole and waits to be read, which may be on another thread. */
public final class WholeBody {

    private final AtomicReference<byte @Nullable []> bytes;
    private final int length;
    private final MemoryBudget.Hold hold;

    public WholeBody(byte[] bytes, MemoryBudget.Hold hold) {
        this.bytes = new AtomicReference<>(bytes);
        this.length = bytes.length;
        this.hold = hold;
    }

    public int length() {
        return length;
    }

    /** The bytes, once, for who works on them now; empty when the body had to give way to others. */
    public Optional<byte[]> take() {
        return hold.work() ? Optional.ofNullable(bytes.getAndSet(null)) : Optional.empty();
    }

    /** It gives way: the bytes must not stay in memory until their turn comes. */
    void drop() {
        bytes.set(null);
    }

    /** Nobody waits for the answer; unless somebody works on it already, nothing is held any more. */
    void abandon() {
        if (bytes.getAndSet(null) != null) {
            hold.release();
        }
    }

    /** Only the answer is held from now on. */
    public void answered(HttpAnswer answer) {
        hold.answered(answer.body().length());
    }

    /** The answer has been written, or will never be. */
    public void release() {
        hold.release();
    }
}
