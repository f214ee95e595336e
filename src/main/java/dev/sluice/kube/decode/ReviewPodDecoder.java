package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestAuthoredFields;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonFieldSet;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one pod, or one pod template, and keeps only the fields that decisions read. Each pod needs its own decoder.
 *
 * <p>Constraints, annotations and resources beyond a limit are skipped, so that a pod cannot take much memory. A pod
 * that exceeds a limit counts as a pod that cannot be decoded or evaluated.
 */
public final class ReviewPodDecoder {

    private static final List<String> POD_FIELDS = List.of("metadata", "spec");
    private static final List<String> METADATA_FIELDS = List.of("name", "generateName", "annotations", "managedFields");
    private static final List<String> SPEC_FIELDS = List.of(
            "containers",
            "initContainers",
            "overhead",
            "resources",
            "schedulingGates",
            "nodeName",
            "nodeSelector",
            "affinity",
            "tolerations",
            "priority",
            "preemptionPolicy");
    private static final List<String> CONTAINER_FIELDS = List.of("name", "restartPolicy", "resources");
    private static final List<String> RESOURCE_FIELDS = List.of("limits", "requests");

    private final JsonCursor cursor;
    private final NodeConstraintsDecoder constraints;
    private final ObjectAnnotationsDecoder annotations;
    private final List<ContainerRequest> main = new ArrayList<>();
    private final List<ContainerRequest> init = new ArrayList<>();
    private final DecodedPodLimits limits;
    private final ReviewOwnerDecoder owner;
    private final JsonFieldSet ofPod;
    private final JsonFieldSet ofMetadata;
    private final JsonFieldSet ofSpec;
    private ExactAmounts overhead = ExactAmounts.NONE;
    private ExactAmounts podLevel = ExactAmounts.NONE;
    private boolean gated;
    private int priority;
    private String preemptionPolicy = "";
    private @Nullable String managedFields;
    private @Nullable ManagedFieldsDecoder author;
    private @Nullable PodRequestAuthoredFields authored;
    private String name = "";
    private String generateName = "";

    public ReviewPodDecoder(JsonCursor cursor) {
        this.cursor = cursor;
        this.constraints = new NodeConstraintsDecoder(cursor);
        this.annotations = new ObjectAnnotationsDecoder(cursor);
        this.limits = new DecodedPodLimits(cursor);
        this.owner = new ReviewOwnerDecoder(cursor.withOwnProblems());
        this.ofPod = new JsonFieldSet(cursor, "", POD_FIELDS);
        this.ofMetadata = new JsonFieldSet(cursor, "metadata.", METADATA_FIELDS);
        this.ofSpec = new JsonFieldSet(cursor, "spec.", SPEC_FIELDS);
    }

    /**
     * Decodes the pod. The cursor must be at the first token of the pod, and is at the last token of the pod
     * afterwards.
     */
    public void read() throws IOException {
        cursor.object("the pod", field -> {
            if (ofPod.isToBeRead(field)) {
                switch (field) {
                    case "metadata" -> {
                        annotations.metadata(!cursor.isNull());
                        cursor.object(field, this::metadataField);
                    }
                    default -> cursor.object(field, this::specField);
                }
            }
        });
        readAuthor();
    }

    private void metadataField(String field) throws IOException {
        if (field.equals("ownerReferences")) {
            owner.read();
        } else if (ofMetadata.isToBeRead(field)) {
            switch (field) {
                case "name" -> name = cursor.name("metadata.name");
                case "generateName" -> generateName = cursor.name("metadata.generateName");
                case "annotations" -> annotations.read();
                default -> managedFields();
            }
        }
    }

    /**
     * Keeps the text of managedFields for later, if the parser can do this. Otherwise reads managedFields now. Few
     * decisions need managedFields, and the gateway knows this only at the end of the pod. {@link #readAuthor} then
     * reads the kept text if necessary.
     */
    private void managedFields() throws IOException {
        managedFields = cursor.skipForLater();
        if (managedFields == null) {
            author = authorOf(cursor.withOwnProblems());
        }
    }

    private static ManagedFieldsDecoder authorOf(JsonCursor cursor) throws IOException {
        ManagedFieldsDecoder decoder = new ManagedFieldsDecoder(cursor);
        decoder.managedFields();
        return decoder;
    }

    /**
     * Determines from managedFields which fields the author of the pod wrote. Does nothing if the decision does not
     * depend on these fields.
     */
    private void readAuthor() throws IOException {
        boolean isReviewedBefore = annotations.haveStamp() || annotations.haveFallback();
        if (!isReviewedBefore
                && author == null
                && (managedFields == null
                        || !mayHaveDeviceOfOthers(managedFields)
                        || !ManagedFieldsDecoder.showsRequests(managedFields))) {
            return;
        }
        if (managedFields != null) {
            try (JsonParser parser = JsonParsers.json(new StringReader(managedFields))) {
                var _ = parser.nextToken();
                author = authorOf(new JsonCursor(parser));
            }
        }
        // The first review of a pod can be decided without managedFields. In this case, unreadable managedFields are
        // ignored.
        if (author != null && (isReviewedBefore || author.problem().isEmpty())) {
            author.problem().ifPresent(cursor::report);
            authored = author.authored();
            discardIfAuthored(author, Pod.STAMP);
            discardIfAuthored(author, PodRequestAnnotations.ASKED);
        }
    }

    private void discardIfAuthored(ManagedFieldsDecoder decoder, String annotation) {
        if (decoder.wrote(annotation)) {
            annotations.discard(annotation);
        }
    }

    /**
     * Returns false if the author of the pod certainly wrote all devices that the pod requests. Most pods request one
     * device in one container. Then the text of managedFields is only searched, which is much faster than parsing it.
     */
    private boolean mayHaveDeviceOfOthers(String fields) {
        ResourceName only = null;
        for (List<ContainerRequest> containers : List.of(main, init)) {
            for (ContainerRequest container : containers) {
                ResourceName device = firstDevice(container);
                if (device != null && (only != null || requestsSeveralDevices(container))) {
                    return true;
                }
                only = device != null ? device : only;
            }
        }
        return only != null && !ManagedFieldsDecoder.showsRequest(only, fields);
    }

    private static @Nullable ResourceName firstDevice(ContainerRequest container) {
        ResourceName limit = firstDevice(container.limits());
        return limit != null ? limit : firstDevice(container.requests());
    }

    private static @Nullable ResourceName firstDevice(@Nullable Map<ResourceName, Quantity> quantities) {
        if (quantities != null) {
            for (ResourceName name : quantities.keySet()) {
                if (name.isExtended()) {
                    return name;
                }
            }
        }
        return null;
    }

    /** Returns true if the container requests several extended resources. Sluice may then have added one of them. */
    private static boolean requestsSeveralDevices(ContainerRequest container) {
        return count(container.limits()) > 1 || count(container.requests()) > 1;
    }

    private static int count(@Nullable Map<ResourceName, Quantity> quantities) {
        int devices = 0;
        if (quantities != null && quantities.size() > 1) {
            for (ResourceName name : quantities.keySet()) {
                devices += name.isExtended() ? 1 : 0;
            }
        }
        return devices;
    }

    private void specField(String field) throws IOException {
        if (!ofSpec.isToBeRead(field)) {
            return;
        }
        switch (field) {
            case "containers" -> containers("spec.containers", main, PodContainerKind.MAIN);
            case "initContainers" -> containers("spec.initContainers", init, PodContainerKind.INIT);
            case "overhead" ->
                overhead = ExactAmounts.of(quantities("spec.overhead").resources());
            case "resources" -> {
                ResourceFields fields = new ResourceFields("spec.resources.");
                cursor.object("spec.resources", fields::read);
                podLevel = fields.asked();
            }
            case "schedulingGates" ->
                cursor.array("spec.schedulingGates", () -> {
                    gated = true;
                    cursor.skip();
                });
            case "priority" -> priority = cursor.integer("spec.priority");
            case "preemptionPolicy" -> preemptionPolicy = cursor.name("spec.preemptionPolicy");
            default -> constraints.specField(field);
        }
    }

    private ResourceListDecoder quantities(Object what) throws IOException {
        ResourceListDecoder draft = new ResourceListDecoder(cursor, limits);
        draft.read(what);
        return draft;
    }

    private void containers(String place, List<ContainerRequest> list, PodContainerKind kind) throws IOException {
        int[] index = {0};
        cursor.array(place, () -> {
            container(DecodedFieldPath.element(place, index[0]), index[0], list, kind);
            index[0]++;
        });
    }

    private void container(Object place, int index, List<ContainerRequest> list, PodContainerKind kind)
            throws IOException {
        ContainerFields fields = new ContainerFields(place);
        if (cursor.isNull()) {
            cursor.report(place + " is null");
        }
        cursor.object(place, fields::read);
        ResourceFields resources = fields.resources;
        // A container without resources changes no decision. It is dropped, because a pod can have very many of them.
        if (resources.complete() && limits.takesContainer()) {
            PodContainerKind actual = kind == PodContainerKind.INIT && fields.restartPolicy.equals("Always")
                    ? PodContainerKind.SIDECAR
                    : kind;
            list.add(new ContainerRequest(actual, index, fields.name, resources.limits(), resources.requests()));
        }
    }

    /** Returns the pod that {@link #read()} has decoded. */
    public PodObject object() {
        if (!ofSpec.has("containers")) {
            cursor.report("it has no spec.containers, expected at least one");
        }
        List<ContainerRequest> containers = new ArrayList<>(main);
        containers.addAll(init);
        return cursor.problem()
                .<PodObject>map(PodObject.UnreadableObject::new)
                .orElseGet(() -> new PodObject.ReadPod(new PodRequest(
                        containers,
                        podLevel,
                        overhead,
                        gated,
                        constraints.constraints(),
                        annotations.annotations(),
                        PodPriority.of(priority, preemptionPolicy),
                        authored)));
    }

    /** Returns the pod's name, or its generateName followed by {@code *}. */
    public String name() {
        return name.isEmpty() && !generateName.isEmpty() ? generateName + "*" : name;
    }

    /** Returns true if the pod has the annotation by which a kubelet marks the mirror of a static pod. */
    boolean isMarkedAsMirror() {
        return annotations.haveMirrorMark();
    }

    PodOwner owner() {
        return owner.owner();
    }

    private final class ContainerFields {

        private final Object place;
        private final JsonFieldSet seen;
        private final ResourceFields resources;
        private String name = "";
        private String restartPolicy = "";

        ContainerFields(Object container) {
            this.place = new DecodedFieldPath(container, ".");
            this.seen = new JsonFieldSet(cursor, place, CONTAINER_FIELDS);
            this.resources = new ResourceFields(new DecodedFieldPath(container, ".resources."));
        }

        void read(String field) throws IOException {
            if (seen.isToBeRead(field)) {
                switch (field) {
                    case "name" -> name = cursor.name(new DecodedFieldPath(place, field));
                    case "restartPolicy" -> restartPolicy = cursor.name(new DecodedFieldPath(place, field));
                    default -> cursor.object(new DecodedFieldPath(place, field), resources::read);
                }
            }
        }
    }

    /** Collects the resources of a container, or of the pod as a whole. */
    private final class ResourceFields {

        private final Object place;
        private final JsonFieldSet seen;
        private @Nullable ResourceListDecoder limits;
        private @Nullable ResourceListDecoder requests;

        ResourceFields(Object place) {
            this.place = place;
            this.seen = new JsonFieldSet(cursor, place, RESOURCE_FIELDS);
        }

        void read(String field) throws IOException {
            if (seen.isToBeRead(field)) {
                switch (field) {
                    case "limits" -> limits = quantities(new DecodedFieldPath(place, field));
                    default -> requests = quantities(new DecodedFieldPath(place, field));
                }
            }
        }

        /**
         * Restores entries with the quantity 0 that the decoder has dropped ({@link ResourceListDecoder#complete}).
         * Returns false if there are no resources.
         */
        boolean complete() {
            if (limits != null && requests != null) {
                ResourceListDecoder.complete(limits, requests);
            }
            return !isEmpty(limits()) || !isEmpty(requests());
        }

        @Nullable
        Map<ResourceName, Quantity> limits() {
            return limits == null ? null : limits.resources();
        }

        @Nullable
        Map<ResourceName, Quantity> requests() {
            return requests == null ? null : requests.resources();
        }

        private static boolean isEmpty(@Nullable Map<ResourceName, Quantity> quantities) {
            return quantities == null || quantities.isEmpty();
        }

        ExactAmounts asked() {
            boolean there = complete();
            return there ? ExactAmounts.of(limits()).replacedBy(ExactAmounts.of(requests())) : ExactAmounts.NONE;
        }
    }
}
