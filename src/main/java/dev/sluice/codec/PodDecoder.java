package dev.sluice.codec;

import dev.sluice.admission.ContainerRequest;
import dev.sluice.admission.PodRequest;
import dev.sluice.cluster.ContainerKind;
import dev.sluice.cluster.ExactAmounts;
import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import dev.sluice.codec.AdmissionReview.PodObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one pod, or one pod template, and keeps only what a decision reads. For one pod only. */
public final class PodDecoder {

    private static final Set<String> SPEC_FIELDS = Set.of(
            "containers",
            "initContainers",
            "overhead",
            "resources",
            "schedulingGates",
            "nodeName",
            "nodeSelector",
            "affinity",
            "tolerations");

    private final JsonCursor cursor;
    private final NodeConstraintsDecoder constraints;
    private final AnnotationsDecoder annotations;
    private final List<ContainerRequest> main = new ArrayList<>();
    private final List<ContainerRequest> init = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private ExactAmounts overhead = ExactAmounts.NONE;
    private ExactAmounts podLevel = ExactAmounts.NONE;
    private boolean gated;
    private String name = "";
    private String generateName = "";

    public PodDecoder(JsonCursor cursor) {
        this.cursor = cursor;
        this.constraints = new NodeConstraintsDecoder(cursor);
        this.annotations = new AnnotationsDecoder(cursor);
    }

    /** The cursor stands on the first token of the pod, and afterwards on its last. */
    public void read() throws IOException {
        cursor.object("the pod", field -> {
            once(field);
            switch (field) {
                case "metadata" -> {
                    annotations.metadata(!cursor.isNull());
                    cursor.object(field, this::metadataField);
                }
                case "spec" -> cursor.object(field, this::specField);
                default -> cursor.skip();
            }
        });
    }

    /** The API server would take the last of two; to answer for the other one would be wrong. */
    private void once(String place) {
        if (!seen.add(place)) {
            cursor.report(place + " stands twice");
        }
    }

    private void metadataField(String field) throws IOException {
        switch (field) {
            case "name" -> name = cursor.textOrEmpty("metadata.name");
            case "generateName" -> generateName = cursor.textOrEmpty("metadata.generateName");
            case "annotations" -> {
                once("metadata.annotations");
                annotations.read();
            }
            case "managedFields" -> {
                // The API server writes them last, and of most pods nobody need know who wrote what.
                if (annotations.haveStamp()) {
                    new StampAuthor(cursor, annotations).managedFields();
                } else {
                    cursor.skip();
                }
            }
            default -> cursor.skip();
        }
    }

    private void specField(String field) throws IOException {
        if (!SPEC_FIELDS.contains(field)) {
            cursor.skip();
            return;
        }
        once("spec." + field);
        switch (field) {
            case "containers" -> containers("spec.containers", main, ContainerKind.MAIN);
            case "initContainers" -> containers("spec.initContainers", init, ContainerKind.INIT);
            case "overhead" -> overhead = ExactAmounts.of(cursor.quantities("spec.overhead"));
            case "resources" -> {
                ResourceFields fields = new ResourceFields("spec");
                cursor.object("spec.resources", fields::read);
                podLevel = fields.asked();
            }
            case "schedulingGates" ->
                cursor.array("spec.schedulingGates", () -> {
                    gated = true;
                    cursor.skip();
                });
            default -> constraints.specField(field);
        }
    }

    private void containers(String place, List<ContainerRequest> list, ContainerKind kind) throws IOException {
        cursor.array(place, () -> container(place + "[" + list.size() + "]", list, kind));
    }

    private void container(String place, List<ContainerRequest> list, ContainerKind kind) throws IOException {
        ContainerFields fields = new ContainerFields(place);
        if (cursor.isNull()) {
            cursor.report(place + " is null");
        }
        cursor.object(place, fields::read);
        ContainerKind actual =
                kind == ContainerKind.INIT && fields.restartPolicy.equals("Always") ? ContainerKind.SIDECAR : kind;
        list.add(new ContainerRequest(
                actual, list.size(), fields.name, fields.resources.limits, fields.resources.requests));
    }

    /** What was read, once {@link #read()} is through. */
    public PodObject object() {
        if (!seen.contains("spec.containers")) {
            cursor.report("it has no spec.containers");
        }
        List<ContainerRequest> containers = new ArrayList<>(main);
        containers.addAll(init);
        return cursor.problem()
                .<PodObject>map(PodObject.Unreadable::new)
                .orElseGet(() -> new PodObject.Pod(new PodRequest(
                        containers, podLevel, overhead, gated, constraints.constraints(), annotations.annotations())));
    }

    /** The pod's name, or its generateName followed by {@code *}. */
    public String name() {
        return name.isEmpty() && !generateName.isEmpty() ? generateName + "*" : name;
    }

    /** The field at {@code place}, which must not stand there twice; its whole path. */
    private String onceIn(String place, String field) {
        String path = place + "." + field;
        once(path);
        return path;
    }

    private final class ContainerFields {

        private final String place;
        private final ResourceFields resources;
        private String name = "";
        private String restartPolicy = "";

        ContainerFields(String place) {
            this.place = place;
            this.resources = new ResourceFields(place);
        }

        void read(String field) throws IOException {
            switch (field) {
                case "name" -> name = cursor.textOrEmpty(onceIn(place, field));
                case "restartPolicy" -> restartPolicy = cursor.textOrEmpty(onceIn(place, field));
                case "resources" -> cursor.object(onceIn(place, field), resources::read);
                default -> cursor.skip();
            }
        }
    }

    /** The resources of a container, or of the pod as a whole. */
    private final class ResourceFields {

        private final String place;
        private @Nullable Map<ResourceName, Quantity> limits;
        private @Nullable Map<ResourceName, Quantity> requests;

        ResourceFields(String place) {
            this.place = place;
        }

        void read(String field) throws IOException {
            switch (field) {
                case "limits" -> limits = cursor.quantities(onceIn(place, "resources.limits"));
                case "requests" -> requests = cursor.quantities(onceIn(place, "resources.requests"));
                default -> cursor.skip();
            }
        }

        ExactAmounts asked() {
            Map<ResourceName, Quantity> asked = new HashMap<>();
            if (limits != null) {
                asked.putAll(limits);
            }
            if (requests != null) {
                asked.putAll(requests);
            }
            return ExactAmounts.of(asked);
        }
    }
}
