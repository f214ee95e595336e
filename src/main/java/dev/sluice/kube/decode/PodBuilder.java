package dev.sluice.kube.decode;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/** Collects the fields of an existing pod, which may come in any order. */
final class PodBuilder {

    private static final Amounts ONE_POD = Amounts.of(ResourceName.PODS, 1);

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final ObjectHead.ObjectParts parts =
            new ObjectHead.ObjectParts("Pod", this::metadata, this::spec, this::status);
    private final DecodedValuePool internPool;
    private final NodeConstraintsDecoder constraints;
    private final PodResourcesDecoder resources;

    private String nodeName = "";
    private String nominated = "";
    private String phase = "";
    private String preemptionPolicy = "";
    private int priority;
    private boolean gated;

    PodBuilder(JsonCursor cursor, ObjectHead head, DecodedValuePool internPool) {
        this.cursor = cursor;
        this.head = head;
        this.internPool = internPool;
        this.constraints = new NodeConstraintsDecoder(cursor);
        this.resources = new PodResourcesDecoder(cursor, internPool);
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    void metadata(String field) throws IOException {
        head.stampedMetadata(field);
    }

    void spec(String field) throws IOException {
        switch (field) {
            case "nodeName" -> nodeName = cursor.name("spec.nodeName");
            case "schedulingGates" -> cursor.array("spec.schedulingGates", this::gate);
            case "priority" -> priority = cursor.integer("spec.priority");
            case "preemptionPolicy" -> preemptionPolicy = cursor.name("spec.preemptionPolicy");
            case "nodeSelector", "affinity", "tolerations" -> constraint(field);
            default -> resources.specField(field);
        }
    }

    private void gate() throws IOException {
        gated = true;
        cursor.skip();
    }

    /** Decodes a scheduling constraint. The constraint is skipped if the pod is already bound to a node. */
    private void constraint(String field) throws IOException {
        if (nodeName.isEmpty()) {
            constraints.specField(field);
        } else {
            cursor.skip();
        }
    }

    void status(String field) throws IOException {
        switch (field) {
            case "phase" -> phase = cursor.name("status.phase");
            case "nominatedNodeName" -> nominated = cursor.name("status.nominatedNodeName");
            default -> resources.statusField(field);
        }
    }

    /**
     * Returns the decoded pod, or the reason why there is none. If the pod is in a terminal phase, its spec need not be
     * valid, because such a pod uses no resources.
     */
    ObjectDecodeResult<Pod> build() {
        ObjectMeta meta = meta();
        if (hasEnded() && !meta.name().isEmpty() && !head.isOtherThan(parts)) {
            return new ObjectDecodeResult.Ended<>(head.kind(), meta);
        }
        String fullName = meta.namespace() + "/" + meta.name();
        return head.decoded(parts, fullName, () -> pod(meta, fullName));
    }

    private boolean hasEnded() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /**
     * Returns the metadata with defaults for the fields that pods in files may lack: the namespace is {@code default},
     * as in kubectl, and the uid is the name.
     */
    private ObjectMeta meta() {
        ObjectMeta meta = head.meta();
        String namespace = meta.namespace().isEmpty() ? "default" : meta.namespace();
        String uid = meta.uid().isEmpty() ? namespace + "/" + meta.name() : meta.uid();
        return new ObjectMeta(meta.name(), namespace, uid, meta.stamp(), meta.resourceVersion());
    }

    private Pod pod(ObjectMeta meta, String fullName) {
        Amounts requests = internPool.intern(resources.total().plus(ONE_POD));
        return new Pod(
                PodId.of(meta.uid()),
                fullName,
                internPool.intern(place()),
                requests,
                meta.stamp(),
                meta.resourceVersion(),
                head.created(),
                PodPriority.of(priority, preemptionPolicy),
                head.isOfDaemonSet() && GpuDevicePlugins.isPlugin(meta.name(), resources.hasPluginImage()));
    }

    private Place place() {
        if (!nodeName.isEmpty()) {
            return new Place.Bound(nodeName);
        }
        if (gated) {
            return new Place.Gated();
        }
        NodeConstraints where = constraints.constraints();
        return where.whyNotEvaluated().isPresent()
                ? new Place.UnknownPlace()
                : new Place.Unbound(where, nominated.isEmpty() ? null : nominated);
    }
}
