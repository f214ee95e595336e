package dev.sluice.kube.decode;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.ResizeState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the resources in a pod's spec, and the fields in the pod's status that concern a resize. It adds the
 * resources up as kube-scheduler does for existing pods ({@code PodInfo.CalculateResource},
 * pkg/scheduler/framework/types.go).
 */
public final class PodResourcesDecoder {

    private final JsonCursor cursor;
    private final DecodedValuePool internPool;
    private final List<PodResourcesBuilder> mainContainers = new ArrayList<>();
    private final List<PodResourcesBuilder> initContainers = new ArrayList<>();
    private final Map<String, PodResourcesBuilder> containerStatuses = new HashMap<>();
    private final DecodedResourceLimit entryLimit = new DecodedResourceLimit();
    private final PodResourcesBuilder podLevel = new PodResourcesBuilder();
    private final PodResourcesBuilder podStatus = new PodResourcesBuilder();
    private ExactAmounts overhead = ExactAmounts.NONE;
    private ResizeState.@Nullable Prospect prospect;
    private boolean pluginImage;

    public PodResourcesDecoder(JsonCursor cursor, DecodedValuePool internPool) {
        this.cursor = cursor;
        this.internPool = internPool;
    }

    public void specField(String field) throws IOException {
        switch (field) {
            case "containers" -> elements("spec.containers", place -> mainContainers.add(container(place)));
            case "initContainers" -> elements("spec.initContainers", place -> initContainers.add(container(place)));
            case "overhead" -> overhead = amounts("spec.overhead");
            case "resources" -> podLevel.read("spec.resources");
            default -> cursor.skip();
        }
    }

    public void statusField(String field) throws IOException {
        switch (field) {
            case "containerStatuses", "initContainerStatuses" ->
                elements("status." + field, place -> {
                    PodResourcesBuilder state = container(place);
                    containerStatuses.put(state.name, state);
                });
            case "resources" -> podStatus.read("status.resources");
            case "allocatedResources" -> podStatus.allocated = amounts("status.allocatedResources");
            case "conditions" -> elements("status.conditions", this::condition);
            default -> cursor.skip();
        }
    }

    private interface ElementReader {
        void read(DecodedFieldPath place) throws IOException;
    }

    private void elements(String list, ElementReader reader) throws IOException {
        int[] index = {0};
        cursor.array(list, () -> {
            reader.read(DecodedFieldPath.element(list, index[0]));
            index[0]++;
        });
    }

    private PodResourcesBuilder container(DecodedFieldPath place) throws IOException {
        PodResourcesBuilder container = new PodResourcesBuilder();
        DecodedFieldPath fields = new DecodedFieldPath(place, ".");
        cursor.object(place, field -> {
            switch (field) {
                case "name" -> container.name = cursor.name(new DecodedFieldPath(fields, field));
                case "image" -> image();
                case "restartPolicy" -> container.restartPolicy = cursor.name(new DecodedFieldPath(fields, field));
                case "resources" -> container.read(new DecodedFieldPath(fields, field));
                case "allocatedResources" -> container.allocated = amounts(new DecodedFieldPath(fields, field));
                default -> cursor.skip();
            }
        });
        return container;
    }

    /**
     * Reads the image of a container, which is only used to recognize device plugins. A value that is not a text is
     * ignored and does not make the pod invalid.
     */
    private void image() throws IOException {
        if (cursor.isText()) {
            pluginImage |= GpuDevicePlugins.isImage(cursor.name("image"));
        } else {
            cursor.skip();
        }
    }

    /** Returns true if a container has the image of a device plugin for GPUs. */
    boolean hasPluginImage() {
        return pluginImage;
    }

    /**
     * Reads a condition of the pod. If several conditions have the type {@code PodResizePending}, only the first is
     * used.
     */
    private void condition(DecodedFieldPath place) throws IOException {
        String[] texts = {"", ""};
        DecodedFieldPath fields = new DecodedFieldPath(place, ".");
        cursor.object(place, field -> {
            switch (field) {
                case "type" -> texts[0] = cursor.name(new DecodedFieldPath(fields, field));
                case "reason" -> texts[1] = cursor.name(new DecodedFieldPath(fields, field));
                default -> cursor.skip();
            }
        });
        if (prospect == null && texts[0].equals("PodResizePending")) {
            prospect = texts[1].equals("Infeasible") ? ResizeState.Prospect.INFEASIBLE : ResizeState.Prospect.POSSIBLE;
        }
    }

    private ExactAmounts amounts(Object what) throws IOException {
        ResourceListDecoder decoder = new ResourceListDecoder(cursor, entryLimit);
        decoder.read(what);
        return stored(decoder);
    }

    private static ExactAmounts stored(ResourceListDecoder decoder) {
        Map<ResourceName, Quantity> read = decoder.resources();
        if (read != null) {
            read.replaceAll((_, quantity) -> quantity.stored());
        }
        return ExactAmounts.of(read);
    }

    /**
     * Returns the requests of the pod as kube-scheduler counts them, and in its units. The sum is rounded, and not the
     * amount of each container. Resources with the amount 0 are left out.
     */
    public Amounts total() {
        PodRequests<ExactAmounts> containers = PodRequests.exact();
        mainContainers.forEach(container -> containers.add(PodContainerKind.MAIN, effective(container)));
        for (PodResourcesBuilder container : initContainers) {
            if (container.restartPolicy.equals("Always")) {
                containers.add(PodContainerKind.SIDECAR, effective(container));
            } else {
                containers.add(PodContainerKind.INIT, container.asked());
            }
        }
        Amounts total = containers.total(podLevel(containers), overhead).rounded();
        return total.only((name, amount) -> name.isCounted() && amount != 0).named(internPool::intern);
    }

    private ExactAmounts effective(PodResourcesBuilder container) {
        return effective(container.asked(), containerStatuses.get(container.name));
    }

    private ExactAmounts effective(ExactAmounts asked, @Nullable PodResourcesBuilder state) {
        if (state == null || !state.present) {
            return asked;
        }
        return new ResizeState(state.allocated, state.requests)
                .effective(asked, prospect == null ? ResizeState.Prospect.POSSIBLE : prospect);
    }

    /**
     * Returns the pod-level requests. A missing request is filled in from the pod-level limit, but only for hugepages
     * and for resources that no container requests.
     */
    private ExactAmounts podLevel(PodRequests<ExactAmounts> containers) {
        ExactAmounts ofContainers = containers.total(ExactAmounts.NONE, ExactAmounts.NONE);
        ExactAmounts limits =
                podLevel.limits.only(name -> name.value().startsWith("hugepages-") || !ofContainers.has(name));
        ExactAmounts asked = limits.replacedBy(podLevel.requests).only(PodRequests::canBePodLevel);
        // During an infeasible resize, the amounts that the node has allocated are counted. A resource without an
        // allocated amount counts as zero.
        return asked.zeros().replacedBy(effective(asked, podStatus).only(asked::has));
    }

    /** Collects the resources of a container or of the pod, from the spec or from the status. */
    private final class PodResourcesBuilder {
        private String name = "";
        private String restartPolicy = "";
        private boolean present;
        private ExactAmounts requests = ExactAmounts.NONE;
        private ExactAmounts limits = ExactAmounts.NONE;
        private ExactAmounts allocated = ExactAmounts.NONE;

        void read(Object place) throws IOException {
            present = !cursor.isNull();
            ResourceListDecoder[] maps = {
                new ResourceListDecoder(cursor, entryLimit), new ResourceListDecoder(cursor, entryLimit)
            };
            cursor.object(place, field -> {
                switch (field) {
                    case "requests" -> maps[0].read(new DecodedFieldPath(place, ".requests"));
                    case "limits" -> maps[1].read(new DecodedFieldPath(place, ".limits"));
                    default -> cursor.skip();
                }
            });
            ResourceListDecoder.complete(maps[0], maps[1]);
            requests = stored(maps[0]);
            limits = stored(maps[1]);
        }

        ExactAmounts asked() {
            return limits.replacedBy(requests);
        }
    }
}
