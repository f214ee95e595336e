package dev.sluice.record.summary;

import dev.sluice.bus.Service;
import dev.sluice.bus.SummaryQuestion;
import dev.sluice.bus.SummaryReply;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.DecisionTally;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.TalliedDecisions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the decisions that are published on the bus, and answers requests for the counts. It adds the counts to the
 * stored counts about once a minute, and when it stops. Other threads read and write the store, so no event loop waits
 * for it.
 */
public final class SummaryVerticle extends VerticleBase {

    /** The name of the ConfigMap with the counts of all replicas. */
    public static final String CONFIG_MAP = SummaryStore.NAME;

    private static final Logger LOG = LoggerFactory.getLogger(SummaryVerticle.class);

    /**
     * The shortest pause between two writes, in milliseconds. The pauses are random, so that few writes of replicas
     * collide.
     */
    private static final long SHORTEST_PAUSE_MILLIS = 45_000;

    private static final long LONGEST_PAUSE_MILLIS = 75_000;

    /** The JVM property with which tests shorten the pauses, so that writes collide. */
    private static final String PAUSE_DIVISOR = "sluice.summary.divisor";

    /** The interval in milliseconds at which old counts are dropped from memory. */
    private static final long AGING_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** The maximum time in milliseconds that a request, or the end of this verticle, waits for the API server. */
    private static final long PATIENCE_MILLIS = 1_500;

    /**
     * The maximum number of batches that wait to be stored. More than one batch waits only while writes fail. If the
     * maximum is reached, the newest counts stay in {@link #pending}.
     */
    private static final int MOST_BATCHES = 8;

    private final InstantSource clock;
    private final Optional<SummaryStore> store;
    private final String whyAlone;
    /**
     * The decisions of this process since its start, except {@link #pending}. If the store cannot be read, the sum of
     * the two is the answer to a request.
     */
    private final DecisionTally own = new DecisionTally();
    /** The decisions that are not in a batch yet. */
    private DecisionTally pending = new DecisionTally();
    /** The batches that are perhaps not stored yet. */
    private List<SummaryBatch> batches = List.of();

    private long newest;
    /** The write in progress, or the last one. */
    private Future<?> writing = Future.succeededFuture();

    private String problem = "";

    private SummaryVerticle(InstantSource clock, Optional<SummaryStore> store, String whyAlone) {
        this.clock = clock;
        this.store = store;
        this.whyAlone = whyAlone;
    }

    /** Creates a verticle that adds its counts to those of the other replicas in the ConfigMap of this namespace. */
    public static SummaryVerticle shared(ApiServerObjectAccess objects, OwnPodName self, InstantSource clock) {
        String writer = self.name() + "_" + UUID.randomUUID().toString().substring(0, 8);
        return new SummaryVerticle(clock, Optional.of(new SummaryStore(objects, self.namespace(), writer)), "");
    }

    /**
     * Creates a verticle that counts in memory only.
     *
     * @param why the reason, as a clause that begins with "because"
     */
    public static SummaryVerticle alone(InstantSource clock, String why) {
        return new SummaryVerticle(clock, Optional.empty(), why);
    }

    @Override
    public Future<?> start() {
        Topic.DECISIONS.subscribe(vertx, this::count);
        Service.SUMMARY.serveLater(vertx, this::answer);
        vertx.setPeriodic(AGING_MILLIS, _ -> passTime());
        store.ifPresent(this::writeLater);
        return Future.succeededFuture();
    }

    private void passTime() {
        own.passTime(clock.instant());
        pending.passTime(clock.instant());
    }

    private void count(ReviewRecordBatch batch) {
        for (ReviewRecord review : batch.records()) {
            if (review instanceof DecisionRecord decision) {
                pending.add(decision);
            }
        }
    }

    private void writeLater(SummaryStore present) {
        long pause = ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS)
                / Integer.getInteger(PAUSE_DIVISOR, 1);
        vertx.setTimer(pause, _ -> write(present).onComplete(_ -> writeLater(present)));
    }

    /** Adds the counts to the stored ones. The future never fails. */
    private Future<?> write(SummaryStore present) {
        closeBatch();
        if (batches.isEmpty()) {
            return Future.succeededFuture();
        }
        List<SummaryBatch> written = batches;
        Instant now = clock.instant();
        writing = blocking(() -> {
                    present.add(written, now);
                    return written.getLast().number();
                })
                .onSuccess(number -> batches = batches.stream()
                        .filter(batch -> batch.number() > number)
                        .toList())
                .onComplete(result -> tell(result.failed() ? problem(result.cause()) : ""))
                .otherwise(0L);
        return writing;
    }

    private void closeBatch() {
        if (!pending.isEmpty() && batches.size() < MOST_BATCHES) {
            newest = Math.max(newest + 1, clock.millis());
            List<SummaryBatch> more = new ArrayList<>(batches);
            more.add(new SummaryBatch(newest, pending.all()));
            batches = List.copyOf(more);
            keepOwn();
        }
    }

    private void keepOwn() {
        own.add(pending);
        pending = new DecisionTally();
    }

    /** Returns the counts of this process alone. They contain no decision before its start. */
    private TalliedDecisions ownSummary(Instant since, Instant now) {
        DecisionTally all = new DecisionTally();
        all.add(own);
        all.add(pending);
        return all.summary(since, now);
    }

    /**
     * Returns the message for the log. If a right is missing, the message also names the manifests that grant the
     * right.
     */
    static String problem(Throwable cause) {
        return cause.getMessage()
                + (cause instanceof ApiFailure failure && failure.isForbidden()
                        ? " (k8s/base/summary.yaml grants the right)"
                        : "");
    }

    /** Logs a problem when it begins, and again when it has ended. */
    private void tell(String now) {
        if (problem.isEmpty() && !now.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("configMap", SummaryStore.NAME)
                    .addKeyValue("reason", now)
                    .log("the counts of decisions cannot be stored; they are kept in memory and stored later");
        } else if (!problem.isEmpty() && now.isEmpty()) {
            LOG.atInfo().addKeyValue("configMap", SummaryStore.NAME).log("the counts of decisions are stored again");
        }
        problem = now;
    }

    private Future<SummaryReply> answer(SummaryQuestion question) {
        Instant now = clock.instant();
        return store.map(present -> stored(present, question.since(), now))
                .orElseGet(() -> Future.succeededFuture(new SummaryReply(ownSummary(question.since(), now), whyAlone)));
    }

    /** Returns the counts of all replicas. If the store cannot be read, returns the counts of this replica. */
    private Future<SummaryReply> stored(SummaryStore present, Instant since, Instant now) {
        List<SummaryBatch> unsaved = new ArrayList<>(batches);
        unsaved.add(new SummaryBatch(Long.MAX_VALUE, pending.all()));
        Future<SummaryReply> read =
                blocking(() -> new SummaryReply(present.with(unsaved).summary(since, now), ""));
        return Future.any(read, late())
                .compose(_ -> read.isComplete() ? read : Future.failedFuture("the API server did not answer in time"))
                .recover(problem -> Future.succeededFuture(new SummaryReply(
                        ownSummary(since, now),
                        "because the ConfigMap " + SummaryStore.NAME + " cannot be read: " + problem.getMessage())));
    }

    private Future<?> late() {
        return vertx.timer(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private <T> Future<T> blocking(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("summary").start(() -> {
            try {
                result.complete(work.call());
            } catch (Exception failed) {
                result.completeExceptionally(failed);
            }
        });
        return Future.fromCompletionStage(result, context);
    }

    /** Writes the last counts. */
    @Override
    public Future<?> stop() {
        return store.<Future<?>>map(present -> Future.any(writing.transform(_ -> write(present)), late()))
                .orElseGet(Future::succeededFuture);
    }
}
