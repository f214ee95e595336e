package dev.sluice.cli.offline;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cli.offline.ReplayOmissions.LeftOutCause;
import dev.sluice.cli.offline.ReplayedCreation.Fate;
import dev.sluice.cli.offline.ReplayedCreation.InputKind;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonOrYamlText;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.ClusterDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the output of {@code kubectl get pods -A} with {@code -o json} or {@code -o yaml}, one pod after the other. */
final class ReplayPodList {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Skips the fields of a pod that can be large and that no decision depends on. */
    private static final TokenFilter NEEDED = new TokenFilter() {

        private static final Set<String> SKIPPED =
                Set.of("managedFields", "env", "volumeMounts", "volumes", "command", "args", "livenessProbe");

        @Override
        public @Nullable TokenFilter includeProperty(String name) {
            return SKIPPED.contains(name) ? null : this;
        }
    };

    private final String source;
    private final ReplayTimeline timeline;
    private final ReplayOmissions leftOut;
    private final ReplayedBefore seen;
    private final Runnable progress;
    private final ReplayedReviews reviews = new ReplayedReviews();
    private final ClusterDecoder decoder = new ClusterDecoder();
    private long objects;

    ReplayPodList(
            String source, ReplayTimeline timeline, ReplayOmissions leftOut, ReplayedBefore seen, Runnable progress) {
        this.source = source;
        this.timeline = timeline;
        this.leftOut = leftOut;
        this.seen = seen;
        this.progress = progress;
    }

    void read(InputStream text) throws IOException, ClusterStateException, UserProblem {
        try (JsonParser whole = JsonOrYamlText.parser(new BufferedInputStream(text, JsonOrYamlText.BUFFER));
                JsonParser parser = new FilteringParserDelegate(
                        whole, NEEDED, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, /* allowMultipleMatches= */ true)) {
            JsonOrYamlText.<UserProblem>read(whole, () -> documents(parser));
        }
    }

    private void documents(JsonParser parser) throws IOException, UserProblem {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                document(parser);
            }
        }
    }

    /**
     * Reads a single pod, or a list item by item. An object with {@code items} is treated as a list, because the
     * {@code kind} of a list may come after its items.
     */
    private void document(JsonParser parser) throws IOException, UserProblem {
        ObjectNode single = JSON.createObjectNode();
        boolean isList = false;
        for (JsonToken token = parser.nextToken(); token == JsonToken.FIELD_NAME; token = parser.nextToken()) {
            String field = parser.currentName();
            token = parser.nextToken();
            if (field.equals("items") && token == JsonToken.START_ARRAY) {
                isList = true;
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    object(JSON.readTree(parser));
                }
            } else {
                single.set(field, JSON.<JsonNode>readTree(parser));
            }
        }
        // The parser skips empty arrays, so {@code items} of an empty list are not seen above.
        if (!isList && !single.path("kind").asText().endsWith("List")) {
            object(single);
        }
    }

    private void object(JsonNode object) throws UserProblem {
        objects++;
        progress.run();
        String place = source + ", object " + objects;
        String kind = object.path("kind").asText("Pod");
        if (!(object instanceof ObjectNode pod)
                || !kind.equals("Pod")
                || !object.path("spec").isObject()) {
            if (!Set.of("Node", "LimitRange", "DaemonSet", "DeviceClass", "ResourceSlice", "ResourceClaim")
                    .contains(kind)) {
                leftOut.add(LeftOutCause.UNKNOWN, place);
            }
            return;
        }
        Optional<Instant> created =
                time(pod.path("metadata").path("creationTimestamp").asText());
        if (created.isEmpty()) {
            leftOut.add(LeftOutCause.NO_TIME, place);
            return;
        }
        pod(pod, created.get(), place);
    }

    private void pod(ObjectNode pod, Instant created, String place) throws UserProblem {
        String namespace = pod.path("metadata").path("namespace").asText("default");
        String name = namespace + "/" + pod.path("metadata").path("name").asText();
        String given = pod.path("metadata").path("uid").asText();
        String uid = given.isEmpty() ? name + " " + created : given;
        Optional<Instant> end = end(pod);
        if (seen.podOfList(uid)) {
            leftOut.add(LeftOutCause.TWICE, place);
            // The pod was already read. This copy may be newer and show that the pod has ended.
            addEnd(end, name);
            return;
        }
        Optional<Pod> bound = bound(pod);
        boolean isChanged = pod.path("metadata").path("annotations").has(PodRequestAnnotations.FALLBACK);
        if (!isChanged && ReplayedReviews.isNeverAsked(pod, namespace)) {
            leftOut.add(LeftOutCause.NOT_ASKED, place);
            if (bound.isPresent()) {
                timeline.addOfList(new ReplayedEvent.PodUndecided(created, name, bound.get()));
                addEnd(end, name);
            }
            return;
        }
        ObjectNode unplaced = pod.deepCopy();
        // The name of the node is removed, because in most cases the scheduler has set it. The list does not show
        // whether the author of the pod has set it.
        ((ObjectNode) unplaced.path("spec")).remove("nodeName");
        unplaced.remove("status");
        Optional<ObjectNode> original = ReplayedOriginalPod.of(unplaced);
        if (original.isEmpty()) {
            leftOut.add(LeftOutCause.AMBIGUOUS, place);
        }
        Optional<AdmissionReview> review = reviews.of(uid, namespace, original.orElse(unplaced));
        Optional<AdmissionReview> got = reviews.of(uid, namespace, unplaced);
        if (review.isEmpty()) {
            leftOut.add(LeftOutCause.NO_POD, place);
            return;
        }
        timeline.addOfList(new ReplayedCreation(
                created,
                name,
                ReplayedReviews.workload(pod),
                review.get(),
                ReplayedReviews.pod(got),
                isChanged ? "changed" : "",
                "",
                Fate.CREATED,
                bound,
                InputKind.POD));
        addEnd(end, name);
    }

    private void addEnd(Optional<Instant> end, String name) throws UserProblem {
        if (end.isPresent()) {
            timeline.addOfList(new ReplayedEvent.PodEnd(end.get(), end.get(), name));
        }
    }

    /** Returns the pod as the watch reported it while the pod ran; empty if the pod was never bound to a node. */
    private Optional<Pod> bound(ObjectNode pod) {
        if (!pod.path("spec").path("nodeName").isTextual()) {
            return Optional.empty();
        }
        ObjectNode running = pod.deepCopy();
        if (running.path("status") instanceof ObjectNode status) {
            status.remove("phase");
        }
        running.put("kind", "Pod").put("apiVersion", "v1");
        try (JsonParser parser = JSON.treeAsTokens(running)) {
            parser.nextToken();
            return decoder.decode(parser, _ -> {}).asPod() instanceof ObjectDecodeResult.Found<Pod>(String _, Pod found)
                    ? Optional.of(found)
                    : Optional.empty();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading from memory failed", impossible);
        }
    }

    /** Returns the time at which a pod in a terminal phase ended; empty if it still runs or its end is not known. */
    private static Optional<Instant> end(ObjectNode pod) {
        String phase = pod.path("status").path("phase").asText();
        if (!Set.of("Succeeded", "Failed").contains(phase)) {
            return Optional.empty();
        }
        List<Instant> ends = new ArrayList<>();
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            time(container.path("state").path("terminated").path("finishedAt").asText())
                    .ifPresent(ends::add);
        }
        if (ends.isEmpty()) {
            // The conditions of a pod change for the last time when it ends, so the last change is taken as the end.
            for (JsonNode condition : pod.path("status").path("conditions")) {
                time(condition.path("lastTransitionTime").asText()).ifPresent(ends::add);
            }
        }
        return ends.stream().max(Comparator.naturalOrder());
    }

    /** Parses a time in the format of the API server; empty if the text is not in this format. */
    static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
