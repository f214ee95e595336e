package dev.sluice.record.observe;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.bus.BusMessageQueue;
import dev.sluice.bus.Topic;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.log.LogLineEvent;
import dev.sluice.log.LogLineEvent.KeyWriter;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedInjection;
import dev.sluice.record.RecordedReviewHead;
import dev.sluice.record.RecordedUserMessages;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs one line for each decision about a GPU pod. It never logs the body of a pod. The log escapes untrusted text. */
public final class DecisionLog implements ReviewObserver {

    /**
     * The maximum number of decisions that wait to be logged. A gateway decides about a few hundred pods between two
     * batches of records. A record takes less than 1 KiB in most cases, and at most 15 KiB.
     */
    private static final int MOST_WAITING = 2_048;

    private static final long NANOS_PER_MICRO = 1_000;

    /** The logger for refused requests and faults. Event loops may call it, because it does not block. */
    private static final Logger REQUESTS = LoggerFactory.getLogger(DecisionLog.class);

    private final StackTraceLimit stacks = new StackTraceLimit();
    private final Logger decisions;

    /** Creates a log that uses the loggers of the process. */
    public DecisionLog() {
        this(LoggerFactory.getLogger(BatchedLogAppender.DECISIONS));
    }

    /** Creates a log that writes decisions to this logger. */
    public DecisionLog(Logger decisions) {
        this.decisions = decisions;
    }

    /**
     * Begins to log the decisions that are published on the bus. A separate thread formats and writes the lines. No
     * line is formatted if the level INFO is off.
     */
    public BusMessageQueue<ReviewRecord> listen(Vertx vertx) {
        BusMessageQueue<ReviewRecord> inbox = new BusMessageQueue<>(
                vertx, "decision-log", MOST_WAITING, this::log, () -> BatchedLogAppender.flush(decisions));
        Topic.DECISIONS.subscribe(vertx, batch -> {
            if (decisions.isInfoEnabled()) {
                inbox.offer(batch.records());
            }
        });
        return inbox;
    }

    void log(ReviewRecord review) {
        switch (review) {
            case PodWithoutGpu _ -> {}
            case DecisionRecord decision ->
                LogLineEvent.info(decisions, sentence(decision), keys -> addKeys(decision, keys));
        }
    }

    private static void addKeys(DecisionRecord decision, KeyWriter keys) {
        RecordedReviewHead head = decision.pod().head();
        keys.add("uid", head.uid());
        keys.addRepeated("namespace", head.namespace());
        keys.addRepeated("pod", head.podName());
        keys.add("decision", decision.kind().word());
        keys.add("reason", decision.reason().word());
        if (decision.isObserved()) {
            keys.add("enforcement", Policy.Enforcement.OBSERVE.word());
        }
        keys.add("dryRun", head.dryRun());
        keys.add("micros", decision.nanos() / NANOS_PER_MICRO);
        if (!decision.moves().isEmpty()) {
            keys.add("change", PodRequestReplacement.annotation(decision.moves()));
        }
        addKeys(decision.injection(), decision.basis().policyGeneration(), keys);
    }

    /** Adds the injection rule and the generation of its policy to a line. */
    private static void addKeys(RecordedInjection injection, long generation, KeyWriter keys) {
        if (!injection.equals(RecordedInjection.NONE)) {
            keys.add("gpuType", injection.gpuType());
            injection.rule().ifPresent(rule -> keys.add("rule", rule.key()));
            keys.add("generation", generation);
        }
    }

    private static String sentence(DecisionRecord decision) {
        RecordedReviewHead head = decision.pod().head();
        String name = head.podName().isEmpty() ? "(unnamed)" : head.podName();
        String pod = "pod " + head.namespace() + "/" + name
                + (decision.isObserved() ? " would be " : " ")
                + decision.kind().word();
        String sentences = sentences(decision);
        return sentences.isEmpty() ? pod : pod + ": " + sentences;
    }

    /**
     * Returns the sentences for the log. If the pod is denied, returns only the message of the denial, without the
     * warnings to the user.
     */
    private static String sentences(DecisionRecord decision) {
        RecordedUserMessages messages = decision.messages();
        return switch (decision.kind()) {
            case DENIED -> messages.message();
            case UNCHANGED, CHANGED, KEPT, UNTOUCHED ->
                String.join("; ", messages.warnings())
                        + (messages.omitted() == 0 ? "" : "; and " + messages.omitted() + " more");
        };
    }

    @Override
    public void passed(AdmissionReview review) {}

    @Override
    public void refused(int status, String sentence) {
        REQUESTS.atDebug()
                .addKeyValue("status", status)
                .addKeyValue("answer", sentence)
                .log("a request was refused");
    }

    @Override
    public void failed(String uid, Throwable fault) {
        LoggingEventBuilder line = REQUESTS.atError().addKeyValue("uid", uid).addKeyValue("fault", fault.toString());
        (stacks.allowOne() ? line.setCause(fault) : line)
                .log("a pod was left as written because of a fault of the gateway");
    }
}
