package dev.sluice.bus;

import dev.sluice.log.StackTraceLimit;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of messages for a consumer that may be slow. The consumer has its own thread, so no event loop waits for it.
 * If the queue is full, messages are dropped and counted.
 */
public final class BusMessageQueue<T> {

    private static final Logger LOG = LoggerFactory.getLogger(BusMessageQueue.class);

    private final String name;
    /**
     * The number of messages that still fit into the queue. An element of the queue is a list of messages. Each message
     * of the list is counted.
     */
    private final AtomicInteger room;

    private final Queue<List<? extends T>> waiting = new ConcurrentLinkedQueue<>();
    private final Consumer<T> consumer;
    private final Runnable pause;
    private final WorkerExecutor thread;
    private final Vertx vertx;
    /** The Vert.x context on which {@link #offer} is called. It is null before the first call. */
    private volatile @Nullable Context source;

    private final AtomicBoolean working = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();
    private final StackTraceLimit stacks = new StackTraceLimit();

    /**
     * Creates a queue.
     *
     * @param name the name of the consumer's thread
     * @param most the maximum number of messages that wait
     */
    public BusMessageQueue(Vertx vertx, String name, int most, Consumer<T> consumer) {
        this(vertx, name, most, consumer, () -> {});
    }

    /**
     * Creates a queue.
     *
     * @param name the name of the consumer's thread
     * @param most the maximum number of messages that wait
     * @param pause the task that runs in the thread of the consumer whenever the queue becomes empty; it may block
     */
    public BusMessageQueue(Vertx vertx, String name, int most, Consumer<T> consumer, Runnable pause) {
        this.vertx = vertx;
        this.name = name;
        this.room = new AtomicInteger(most);
        this.consumer = consumer;
        this.pause = pause;
        this.thread = vertx.createSharedWorkerExecutor(name, 1);
    }

    /**
     * Adds messages to the queue and returns at once. The caller must not change the list afterwards. Only the handler
     * of a {@link Topic} may call this method, because {@link #settled} waits for the event loop of the caller.
     */
    public void offer(List<? extends T> messages) {
        source = vertx.getOrCreateContext();
        int before = room.getAndUpdate(free -> free - Math.min(free, messages.size()));
        int kept = Math.min(before, messages.size());
        if (kept > 0) {
            // The kept part is copied, because a view of it would keep the whole list in memory.
            waiting.add(kept == messages.size() ? messages : List.copyOf(messages.subList(0, kept)));
        }
        dropped.addAndGet(messages.size() - kept);
        if (working.compareAndSet(false, true)) {
            var _ = work();
        }
    }

    private Future<?> work() {
        return thread.executeBlocking(this::takeAll, /* ordered= */ false);
    }

    private boolean takeAll() {
        do {
            for (List<? extends T> together = waiting.poll(); together != null; together = waiting.poll()) {
                together.forEach(this::take);
            }
            var _ = succeeds(pause);
            working.set(false);
            // A message may have arrived after the last poll. In this case the loop continues, unless offer() has
            // already started a new task.
        } while (!waiting.isEmpty() && working.compareAndSet(false, true));
        return true;
    }

    /** Passes a message to the consumer. If the consumer fails, the other messages are still passed to it. */
    private void take(T message) {
        room.incrementAndGet();
        if (!succeeds(() -> consumer.accept(message))) {
            dropped.incrementAndGet();
        }
    }

    private boolean succeeds(Runnable work) {
        try {
            work.run();
            return true;
        } catch (RuntimeException | StackOverflowError fault) {
            if (stacks.allowOne()) {
                LOG.atError().addKeyValue("consumer", name).setCause(fault).log("a consumer failed on its messages");
            }
            return false;
        }
    }

    /** Returns the number of messages that were dropped since the start. */
    public long dropped() {
        return dropped.get();
    }

    /**
     * Returns a future that succeeds when all messages that were published before now have been handled, or when
     * {@code patience} has passed.
     */
    public Future<?> settled(Duration patience) {
        Promise<Boolean> delivered = Promise.promise();
        Context loop = source;
        if (loop == null) {
            return Future.succeededFuture();
        }
        // The event loop runs its tasks in order, so it delivers the messages that were published before now, and then
        // runs this task.
        loop.runOnContext(_ -> delivered.complete(true));
        return delivered
                .future()
                .compose(_ -> work())
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .transform(_ -> Future.succeededFuture());
    }
}
