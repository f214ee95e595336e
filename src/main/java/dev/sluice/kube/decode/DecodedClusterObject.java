package dev.sluice.kube.decode;

import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.List;

/**
 * One object in a document: a node, a pod, a LimitRange, a DaemonSet, an object of DRA, or something else. If the kind
 * comes after other fields, the object is read as a node, as a pod and as a LimitRange until the kind is known. The
 * kind of an object of DRA must come before its spec, as kubectl writes it.
 */
public final class DecodedClusterObject {

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final NodeBuilder node;
    private final PodBuilder pod;
    private final DeviceClassBuilder deviceClass;
    private final ResourceSliceBuilder slice;
    private final ResourceClaimBuilder claim;
    private final LimitRangeBuilder limitRange;
    private final DaemonSetBuilder daemonSet;
    private boolean specBeforeKind;
    private String itemsProblem = "items is missing";

    DecodedClusterObject(JsonCursor cursor, DecodedValuePool internPool, DecodedLabelPool labels, String kind) {
        this.cursor = cursor;
        this.head = new ObjectHead(cursor, kind);
        this.node = new NodeBuilder(cursor, head, internPool, labels);
        this.pod = new PodBuilder(cursor, head, internPool);
        this.deviceClass = new DeviceClassBuilder(cursor, head);
        this.slice = new ResourceSliceBuilder(cursor, head, internPool);
        this.claim = new ResourceClaimBuilder(cursor, head, internPool);
        this.limitRange = new LimitRangeBuilder(cursor, head);
        this.daemonSet = new DaemonSetBuilder(cursor, head);
    }

    void field(String field) throws IOException {
        switch (head.kind()) {
            case "" -> {
                specBeforeKind |= field.equals("spec");
                fieldOfEither(field);
            }
            case "Pod" -> pod.field(field);
            case DeviceClassBuilder.KIND -> deviceClass.field(field);
            case ResourceSliceBuilder.KIND -> slice.field(field);
            case ResourceClaimBuilder.KIND -> claim.field(field);
            case LimitRangeBuilder.KIND -> limitRange.field(field);
            case DaemonSetBuilder.KIND -> daemonSet.field(field);
            default -> node.field(field);
        }
    }

    /**
     * Decodes a field of an object whose kind is not known yet. Apart from the metadata, the decoded fields of nodes,
     * of pods and of LimitRanges have different names, so the name of a field shows to which kind it belongs.
     */
    private void fieldOfEither(String field) throws IOException {
        switch (field) {
            case "metadata" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "labels" -> node.metadata(part);
                        default -> pod.metadata(part);
                    }
                });
            case "spec" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "unschedulable", "taints" -> node.spec(part);
                        case "limits" -> limitRange.spec(part);
                        default -> pod.spec(part);
                    }
                });
            case "status" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "capacity", "allocatable" -> node.status(part);
                        default -> pod.status(part);
                    }
                });
            default -> head.field(field);
        }
    }

    /** Decodes the field {@code items}. The value null is an empty list, because Go writes null for a nil slice. */
    void items(JsonCursor.ValueReader eachOne) throws IOException {
        JsonCursor items = cursor.withOwnProblems();
        items.array("items", eachOne);
        itemsProblem = items.problem().orElse("");
    }

    /** Returns why {@code items} is not a list. Returns an empty text if it is a list. */
    public String itemsProblem() {
        return itemsProblem;
    }

    /**
     * Returns the kind that the object states or that follows from the kind of its list. Returns an empty text if
     * neither of them states a kind.
     */
    public String kind() {
        return head.kind();
    }

    String kindOfItems() {
        return switch (head.kind()) {
            case "NodeList" -> "Node";
            case "PodList" -> "Pod";
            case "DeviceClassList" -> DeviceClassBuilder.KIND;
            case "ResourceSliceList" -> ResourceSliceBuilder.KIND;
            case "ResourceClaimList" -> ResourceClaimBuilder.KIND;
            case "LimitRangeList" -> LimitRangeBuilder.KIND;
            case "DaemonSetList" -> DaemonSetBuilder.KIND;
            default -> "";
        };
    }

    public ObjectDecodeResult<Node> asNode() {
        return node.build();
    }

    public ObjectDecodeResult<Pod> asPod() {
        return pod.build();
    }

    public ObjectDecodeResult<DecodedObject<DeviceClass>> asDeviceClass() {
        reportLateKind();
        return deviceClass.build();
    }

    public ObjectDecodeResult<DecodedObject<ResourceSlice>> asSlice() {
        reportLateKind();
        return slice.build();
    }

    public ObjectDecodeResult<DecodedObject<ResourceClaim>> asClaim() {
        reportLateKind();
        return claim.build();
    }

    public ObjectDecodeResult<DecodedObject<List<NamespaceLimitRangeRule>>> asLimitRange() {
        return limitRange.build();
    }

    /**
     * Returns a result whose value is true if the DaemonSet is a device plugin for GPUs. A device plugin is recognized
     * by its name or by its images. If the kind came after the spec, the images were skipped and only the name is
     * compared.
     */
    public ObjectDecodeResult<DecodedObject<Boolean>> asDaemonSet() {
        return daemonSet.build();
    }

    private void reportLateKind() {
        if (specBeforeKind) {
            cursor.report("its kind comes after its spec");
        }
    }
}
