package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The spec of a pod or of a pod template. */
record PodSpecItem(
        String nodeName,
        Map<String, String> nodeSelector,
        @Nullable AffinityItem affinity,
        List<TolerationItem> tolerations,
        List<SpreadItem> topologySpreadConstraints,
        List<ContainerItem> initContainers,
        List<ContainerItem> containers,
        @Nullable ResourcesItem resources,
        @FactQuantities @Nullable Map<String, String> overhead,
        String schedulerName,
        List<GateItem> schedulingGates,
        List<ClaimReferenceItem> resourceClaims,
        @Nullable Long priority,
        String priorityClassName,
        @Nullable Long activeDeadlineSeconds,
        String runtimeClassName,
        String restartPolicy,
        List<VolumeItem> volumes) {

    PodSpecItem {
        volumes = volumes.stream().filter(VolumeItem::needsClaim).toList();
    }

    static final PodSpecItem NONE = new PodSpecItem(
            "", Map.of(), null, List.of(), List.of(), List.of(), List.of(), null, null, "", List.of(), List.of(), null,
            "", null, "", "", List.of());

    record TolerationItem(String key, String operator, String value, String effect) {
        Toleration toleration() {
            return new Toleration(key, Toleration.TolerationOperator.of(operator), value, effect);
        }
    }

    record SpreadItem(
            @Nullable SelectorItem labelSelector,
            String topologyKey,
            String whenUnsatisfiable,
            @Nullable Long maxSkew,
            @Nullable Long minDomains,
            String nodeAffinityPolicy,
            String nodeTaintsPolicy,
            List<String> matchLabelKeys) {}

    /**
     * The fields of a container that a diagnosis needs.
     *
     * @param image the name of the image without its registry
     */
    record ContainerItem(
            String name,
            String restartPolicy,
            @JsonDeserialize(using = FactImageReader.class) String image,

            @JsonDeserialize(using = FactSchedulerWordsReader.class)
            List<String> command,

            @JsonDeserialize(using = FactSchedulerWordsReader.class)
            List<String> args,

            @Nullable ResourcesItem resources) {

        boolean asksForGpus() {
            return resources != null
                    && Stream.concat(Stream.ofNullable(resources.requests()), Stream.ofNullable(resources.limits()))
                            .flatMap(amounts -> amounts.keySet().stream())
                            .anyMatch(name -> GpuVendor.isGpu(new ResourceName(name)));
        }

        private ContainerItem withImageIf(Predicate<String> isKept) {
            return image.isEmpty() || isKept.test(image)
                    ? this
                    : new ContainerItem(name, restartPolicy, "", command, args, resources);
        }
    }

    record ResourcesItem(
            @FactQuantities @Nullable Map<String, String> requests,
            @FactQuantities @Nullable Map<String, String> limits) {}

    record GateItem(String name) {}

    /** A reference to a claim. Before Kubernetes 1.31, the name of the claim was in {@code source}. */
    record ClaimReferenceItem(
            String name, String resourceClaimName, @Nullable ClaimSourceItem source) {

        String claim() {
            return !resourceClaimName.isEmpty() || source == null ? resourceClaimName : source.resourceClaimName();
        }
    }

    record ClaimSourceItem(String resourceClaimName) {}

    /**
     * A volume of the pod, of which only the PersistentVolumeClaim is needed. The name of an ephemeral volume is kept,
     * because it is a part of the claim's name. The names of other volumes are not kept, because they are private.
     */
    record VolumeItem(
            String name,
            @Nullable VolumeClaimItem persistentVolumeClaim,
            @Nullable EphemeralItem ephemeral) {

        VolumeItem {
            name = ephemeral == null ? "" : name;
        }

        private boolean needsClaim() {
            return persistentVolumeClaim != null || ephemeral != null;
        }

        private String claim(String pod) {
            return persistentVolumeClaim == null ? pod + "-" + name : persistentVolumeClaim.claimName();
        }
    }

    record VolumeClaimItem(String claimName) {}

    /** Marks an ephemeral volume. Kubernetes creates a PersistentVolumeClaim for each such volume of a pod. */
    record EphemeralItem() {}

    /**
     * Returns a copy of this spec without the images that {@code isKept} rejects. The images of users' pods are private
     * and not needed.
     */
    PodSpecItem withImagesIf(Predicate<String> isKept) {
        return new PodSpecItem(
                nodeName,
                nodeSelector,
                affinity,
                tolerations,
                topologySpreadConstraints,
                images(initContainers, isKept),
                images(containers, isKept),
                resources,
                overhead,
                schedulerName,
                schedulingGates,
                resourceClaims,
                priority,
                priorityClassName,
                activeDeadlineSeconds,
                runtimeClassName,
                restartPolicy,
                volumes);
    }

    private static List<ContainerItem> images(List<ContainerItem> containers, Predicate<String> isKept) {
        return containers.stream()
                .map(container -> container.withImageIf(isKept))
                .toList();
    }

    /**
     * Returns true if the kubelet does not restart a container that has ended.
     *
     * @param endedWell true if the exit code of the container was 0
     */
    boolean isOver(boolean endedWell) {
        return restartPolicy.equals("Never") || (restartPolicy.equals("OnFailure") && endedWell);
    }

    /** Returns the names of the PersistentVolumeClaims that a pod of this name uses. */
    List<String> volumeClaims(String pod) {
        return volumes.stream().map(volume -> volume.claim(pod)).distinct().toList();
    }

    /** Returns the values of {@code --scheduler-name} in the commands of the containers. */
    Set<String> schedulers() {
        return containers.stream()
                .flatMap(container -> Stream.of(container.command(), container.args()))
                .flatMap(words -> FactSchedulerWordsReader.names(words).stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
