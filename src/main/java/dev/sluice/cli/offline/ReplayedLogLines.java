package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.cli.offline.ReplayOmissions.LeftOutCause;
import dev.sluice.cli.offline.ReplayedCreation.Fate;
import dev.sluice.cli.offline.ReplayedCreation.InputKind;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.record.RecordedDecisionKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads an audit log of the API server, or recorded decisions, line by line. Only one line is in memory. */
final class ReplayedLogLines {

    /**
     * The longest line in bytes. An audit event contains the object twice, in the request and in the response, and the
     * API server stores no object of more than about 3 MiB.
     */
    private static final int LONGEST = 16 << 20;

    /** The longest grace period of a deletion, in seconds. A longer one is treated as if it had this length. */
    private static final long LONGEST_GRACE = 86_400;

    /** The kinds of containers in a record. */
    private static final Set<String> CONTAINER_KINDS = Set.of("main", "init", "sidecar");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String source;
    private final ReplayTimeline timeline;
    private final ReplayOmissions leftOut;
    private final ReplayedBefore seen;
    private final Runnable found;
    private final ReplayedReviews reviews = new ReplayedReviews();

    /**
     * @param found a callback for each line that is an audit event, a recorded decision or a line of a gateway's log
     */
    ReplayedLogLines(
            String source, ReplayTimeline timeline, ReplayOmissions leftOut, ReplayedBefore seen, Runnable found) {
        this.found = found;
        this.source = source;
        this.timeline = timeline;
        this.leftOut = leftOut;
        this.seen = seen;
    }

    /** @param progress a callback that receives the number of bytes that were read */
    void read(InputStream text, LongConsumer progress) throws IOException {
        ReplayFileLines lines = new ReplayFileLines(text, LONGEST);
        while (lines.next()) {
            progress.accept(lines.before());
            if (!lines.isBlank()) {
                line(lines);
            }
        }
    }

    private void line(ReplayFileLines lines) throws IOException {
        String place = source + ":" + lines.number();
        if (lines.isTooLong()) {
            leftOut.add(LeftOutCause.TOO_LONG, place);
            return;
        }
        Optional<AuditLogLine> read = AuditLogLine.read(lines.buffer(), lines.start(), lines.length());
        if (read.isEmpty()) {
            leftOut.add(noJson(lines), place);
            return;
        }
        AuditLogLine line = read.get();
        if (line.isOfAuditApi() || line.isRecord() || line.isLoggedDecision()) {
            found.run();
        }
        if (line.isOfAuditApi()) {
            event(line, lines, place);
        } else if (line.isRecord()) {
            decision(body(lines), place);
        } else {
            leftOut.add(line.isLoggedDecision() ? LeftOutCause.LOG_LINE : LeftOutCause.UNKNOWN, place);
        }
    }

    private static LeftOutCause noJson(ReplayFileLines lines) {
        if (!lines.isComplete() && lines.buffer()[lines.start()] == '{') {
            return LeftOutCause.CUT;
        }
        int shown = Math.min(lines.length(), 4 * 1024);
        return new String(lines.buffer(), lines.start(), shown, StandardCharsets.UTF_8).contains(" decision=")
                ? LeftOutCause.LOG_LINE
                : LeftOutCause.NO_JSON;
    }

    private static JsonNode body(ReplayFileLines lines) throws IOException {
        return JSON.readTree(lines.buffer(), lines.start(), lines.length());
    }

    private void event(AuditLogLine line, ReplayFileLines lines, String place) throws IOException {
        if (!line.isEvent()) {
            leftOut.add(LeftOutCause.UNKNOWN, place);
            return;
        }
        if (!line.isKnownVersion()) {
            leftOut.add(LeftOutCause.NEWER, place);
            return;
        }
        if (!line.isAnswered() || !line.isAboutPods() || !isChange(line)) {
            return;
        }
        if (line.isDryRun()) {
            leftOut.add(LeftOutCause.DRY_RUN, place);
            return;
        }
        if (seen.line(line.auditId())) {
            leftOut.add(LeftOutCause.TWICE, place);
            return;
        }
        Optional<Instant> at = ReplayPodList.time(line.received());
        if (at.isEmpty()) {
            leftOut.add(LeftOutCause.NO_TIME, place);
            return;
        }
        if (line.subresource().isEmpty() && line.verb().equals("create")) {
            creation(line, body(lines), at.get(), place);
        } else if (line.isDone()) {
            end(line, lines, at.get(), place);
        }
    }

    private static boolean isChange(AuditLogLine line) {
        return switch (line.subresource()) {
            case "" -> line.verb().equals("create") || line.verb().startsWith("delete");
            case "status" -> line.verb().equals("patch") || line.verb().equals("update");
            case "eviction" -> line.verb().equals("create");
            default -> false;
        };
    }

    private void creation(AuditLogLine line, JsonNode event, Instant at, String place) {
        if (!(event.path("requestObject") instanceof ObjectNode pod)
                || !pod.path("spec").isObject()) {
            leftOut.add(LeftOutCause.NO_BODY, place);
            return;
        }
        if (line.decision().isEmpty() && ReplayedReviews.isNeverAsked(pod, line.namespace())) {
            leftOut.add(LeftOutCause.NOT_ASKED, place);
            return;
        }
        JsonNode stored = event.path("responseObject");
        boolean isStored = line.isDone() && stored.path("spec").isObject();
        if (isStored && seen.podOfLog(stored.path("metadata").path("uid").asText())) {
            leftOut.add(LeftOutCause.TWICE, place);
            return;
        }
        // The priority and the preemption policy are taken from the stored pod, because the request usually has only
        // the name of the PriorityClass.
        Stream.of("priority", "preemptionPolicy")
                .filter(field -> isStored && stored.path("spec").has(field))
                .forEach(field -> ((ObjectNode) pod.path("spec"))
                        .set(field, stored.path("spec").get(field)));
        Optional<AdmissionReview> review = reviews.of(line.auditId(), line.namespace(), pod);
        if (review.isEmpty()) {
            leftOut.add(LeftOutCause.NO_POD, place);
            return;
        }
        Fate fate = fate(line);
        if (fate == Fate.REFUSED_BY_OTHERS) {
            leftOut.add(LeftOutCause.REFUSED_BY_OTHERS, place);
        }
        timeline.addOfLog(new ReplayedCreation(
                at,
                line.namespace() + "/" + name(line, stored, review.get(), place),
                ReplayedReviews.workload(pod),
                review.get(),
                got(line, review.get(), isStored ? (ObjectNode) stored : null),
                line.decision(),
                line.reason(),
                fate,
                Optional.empty(),
                InputKind.AUDIT_EVENT));
    }

    /**
     * Returns the pod as the API server stored it; null if it is not known. If the log contains only the requested pod,
     * and Sluice has not changed this pod, the requested pod is returned.
     */
    private @Nullable PodRequest got(AuditLogLine line, AdmissionReview review, @Nullable ObjectNode stored) {
        if (stored != null) {
            ObjectNode unplaced = stored.deepCopy();
            unplaced.remove("status");
            return ReplayedReviews.pod(reviews.of(line.auditId(), line.namespace(), unplaced));
        }
        boolean isKnown = line.isDone() && !line.decision().equals(RecordedDecisionKind.CHANGED.word());
        return isKnown ? ReplayedReviews.pod(Optional.of(review)) : null;
    }

    private static Fate fate(AuditLogLine line) {
        if (line.isDone()) {
            return Fate.CREATED;
        }
        return line.decision().equals(RecordedDecisionKind.DENIED.word()) ? Fate.DENIED : Fate.REFUSED_BY_OTHERS;
    }

    private String name(AuditLogLine line, JsonNode stored, AdmissionReview review, String place) {
        String name = stored.path("metadata").path("name").asText(line.name());
        if (name.isEmpty()) {
            if (line.isDone()) {
                leftOut.add(LeftOutCause.NO_NAME, place);
            }
            // The name is unknown. The auditID keeps the pod apart from other pods with unknown names.
            return review.podName() + ReplayedCreation.BEFORE_ID + line.auditId();
        }
        return name;
    }

    /**
     * Adds the end of a pod. A deletion ends the pod after its grace period, and a status with a terminal phase ends it
     * at once.
     */
    private void end(AuditLogLine line, ReplayFileLines lines, Instant at, String place) throws IOException {
        if (line.verb().equals("deletecollection")) {
            leftOut.add(LeftOutCause.COLLECTION, place);
            return;
        }
        JsonNode event = body(lines);
        if (isDryRun(event.path("requestObject"))) {
            leftOut.add(LeftOutCause.DRY_RUN, place);
            return;
        }
        String phase = event.path("requestObject").path("status").path("phase").asText();
        if (line.subresource().equals("status") && !phase.equals("Succeeded") && !phase.equals("Failed")) {
            return;
        }
        long grace = event.path("responseObject")
                .path("metadata")
                .path("deletionGracePeriodSeconds")
                .asLong(0);
        timeline.addEnd(new ReplayedEvent.PodEnd(
                at.plusSeconds(Math.clamp(grace, 0, LONGEST_GRACE)), at, line.namespace() + "/" + line.name()));
    }

    /**
     * Returns true if the body of a deletion or an eviction requests a dry run. Other requests have this option in
     * their URLs.
     */
    private static boolean isDryRun(JsonNode request) {
        return Stream.of(request, request.path("deleteOptions"))
                .anyMatch(options -> !options.path("dryRun").isEmpty());
    }

    private void decision(JsonNode record, String place) {
        Optional<Instant> at = ReplayPodList.time(record.path("time").asText());
        String decision = record.path("decision").asText();
        boolean isKnown = Arrays.stream(RecordedDecisionKind.values())
                        .anyMatch(kind -> kind.word().equals(decision))
                && record.path("containers")
                        .valueStream()
                        .allMatch(container ->
                                CONTAINER_KINDS.contains(container.path("kind").asText()));
        if (!isKnown || !record.path("containers").isArray()) {
            leftOut.add(LeftOutCause.NEWER, place);
        } else if (at.isEmpty()) {
            leftOut.add(LeftOutCause.NO_TIME, place);
        } else if (record.path("dryRun").asBoolean()) {
            leftOut.add(LeftOutCause.DRY_RUN, place);
        } else if (record.path("containers").isEmpty()) {
            leftOut.add(LeftOutCause.NO_CONTAINERS, place);
        } else if (seen.line(record.path("id").asText())) {
            leftOut.add(LeftOutCause.TWICE, place);
        } else if (record.path("moreContainers").asInt() > 0) {
            leftOut.add(LeftOutCause.MANY_CONTAINERS, place);
        } else {
            recorded(record, at.get(), decision, place);
        }
    }

    private void recorded(JsonNode record, Instant at, String decision, String place) {
        String namespace = record.path("namespace").asText();
        String uid = record.path("id").asText(place);
        Optional<AdmissionReview> review = reviews.of(uid, namespace, pod(record, "asked"));
        if (review.isEmpty()) {
            leftOut.add(LeftOutCause.NO_POD, place);
            return;
        }
        // If the policy only observed, the decision was not carried out. The pod was then created as it was written.
        boolean isObserved = record.path("enforcement").asText().equals(Policy.Enforcement.OBSERVE.word());
        boolean isDenied = !isObserved && decision.equals(RecordedDecisionKind.DENIED.word());
        String got = isObserved ? "asked" : "given";
        leftOut.add(LeftOutCause.RECORD, place);
        JsonNode owner = record.path("owner");
        timeline.addOfLog(new ReplayedCreation(
                at,
                namespace + "/" + record.path("name").asText(),
                ReplayedWorkload.ofRecord(
                        owner.path("kind").asText(), owner.path("name").asText()),
                review.get(),
                isDenied ? null : ReplayedReviews.pod(reviews.of(uid, namespace, pod(record, got))),
                isObserved ? "" : decision,
                isObserved ? "" : record.path("reason").asText(),
                isDenied ? Fate.DENIED : Fate.CREATED,
                Optional.empty(),
                InputKind.RECORD));
    }

    /**
     * Returns a pod with the containers of the record.
     *
     * @param amounts the name of the field from which the limits of each container are read: {@code asked} or
     *     {@code given}
     */
    private static ObjectNode pod(JsonNode record, String amounts) {
        ObjectNode pod = JSON.createObjectNode();
        pod.withObject("/metadata").put("name", record.path("name").asText());
        ObjectNode spec = pod.putObject("spec");
        ArrayNode main = spec.putArray("containers");
        ArrayNode init = JSON.createArrayNode();
        for (JsonNode container : record.path("containers")) {
            String kind = container.path("kind").asText();
            ObjectNode made = (kind.equals("main") ? main : init).addObject();
            made.put("name", container.path("name").asText());
            if (kind.equals("sidecar")) {
                made.put("restartPolicy", "Always");
            }
            made.withObject("/resources").set("limits", container.path(amounts).deepCopy());
        }
        if (!init.isEmpty()) {
            spec.set("initContainers", init);
        }
        return pod;
    }
}
