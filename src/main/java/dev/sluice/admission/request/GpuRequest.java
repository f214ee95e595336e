package dev.sluice.admission.request;

import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The GPU resources that a pod requests.
 *
 * @param resources the resources, each only once; those of main containers come first, in alphabetical order within a
 *     container
 * @param gpuContainers the containers with GPU resources, in the order of the pod; other containers have none and are
 *     skipped
 */
public record GpuRequest(
        PodRequest pod, Predicate<ResourceName> isGpu, List<ResourceName> resources, List<GpuContainer> gpuContainers) {

    /**
     * Reads the request. The policy determines which resources are GPUs, even if the pod has switched its fallbacks
     * off.
     */
    public static GpuRequest of(PodRequest pod, Policy policy) {
        return of(pod, policy.chains()::isGpu);
    }

    public static GpuRequest of(PodRequest pod, Predicate<ResourceName> isGpu) {
        List<GpuContainer> gpuContainers = new ArrayList<>(1);
        for (int i = 0; i < pod.containers().size(); i++) {
            GpuContainer gpuContainer = GpuContainer.of(i, pod.containers().get(i), isGpu);
            if (!gpuContainer.names().isEmpty()) {
                gpuContainers.add(gpuContainer);
            }
        }
        return new GpuRequest(pod, isGpu, distinct(gpuContainers), gpuContainers);
    }

    private static List<ResourceName> distinct(List<GpuContainer> gpuContainers) {
        if (gpuContainers.size() == 1) {
            return gpuContainers.getFirst().names();
        }
        Set<ResourceName> names = new LinkedHashSet<>();
        gpuContainers.forEach(gpuContainer -> names.addAll(gpuContainer.names()));
        return new ArrayList<>(names);
    }

    /**
     * Returns the amounts that one node must have after {@code given} has replaced the names of the requested
     * resources.
     */
    public Amounts need(UnaryOperator<ResourceName> given) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (GpuContainer gpuContainer : gpuContainers) {
            requests.add(gpuContainer.request().kind(), gpuContainer.amounts(given));
        }
        return requests.total(Amounts.NONE, pod.overhead().only(isGpu).rounded());
    }

    /**
     * Returns the amounts of all other resources that the pod takes of its node, as kube-scheduler calculates them.
     * They include one unit of the resource {@code pods}.
     */
    public Amounts rest() {
        PodRequests<ExactAmounts> requests = PodRequests.exact();
        for (ContainerRequest container : pod.containers()) {
            requests.add(
                    container.kind(),
                    ExactAmounts.of(container.effectiveRequests()).only(this::isOfTheRest));
        }
        return requests.total(pod.podLevel(), pod.overhead().only(this::isOfTheRest))
                .rounded()
                .plus(Amounts.of(ResourceName.PODS, 1));
    }

    private boolean isOfTheRest(ResourceName name) {
        return !isGpu.test(name);
    }

    /**
     * Returns the amount of {@code asked}, or of its substitute, that one node must have, regardless of the pod's other
     * resources.
     */
    public long needOf(ResourceName asked) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (GpuContainer gpuContainer : gpuContainers) {
            requests.add(gpuContainer.request().kind(), gpuContainer.amount(asked, asked));
        }
        return requests.total(Amounts.NONE, Amounts.NONE).get(asked);
    }

    public List<ContainerRequest> containersRequesting(ResourceName name) {
        return containers(gpuContainer -> gpuContainer.requests(name));
    }

    /** Returns the containers that have the resource in their requests only. The API server would refuse them. */
    public List<ContainerRequest> containersWithoutLimit(ResourceName name) {
        return containers(gpuContainer -> gpuContainer.requestsWithoutLimit(name));
    }

    private List<ContainerRequest> containers(Predicate<GpuContainer> wanted) {
        List<ContainerRequest> found = new ArrayList<>(gpuContainers.size());
        for (GpuContainer gpuContainer : gpuContainers) {
            if (wanted.test(gpuContainer)) {
                found.add(gpuContainer.request());
            }
        }
        return found;
    }

    /**
     * Returns false if the API server will refuse the pod in any case, because of a fraction, a negative number, or a
     * request that differs from its limit (pkg/apis/core/validation, non-overcommittable resources).
     */
    public boolean isLegal() {
        for (GpuContainer gpuContainer : gpuContainers) {
            for (ResourceName name : gpuContainer.names()) {
                if (!gpuContainer.isLegal(name)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns one sentence for each invalid quantity of a GPU. */
    public List<String> illegalQuantities() {
        Stream<String> ofThePod = pod.podLevel().names().stream()
                .filter(isGpu)
                .sorted()
                .map(name ->
                        "the pod asks for " + name + " in its own spec.resources, where Kubernetes allows cpu, memory"
                                + " and hugepages only: write it into the limits of a container");
        return Stream.concat(
                        ofThePod,
                        gpuContainers.stream()
                                .flatMap(container -> container.names().stream()
                                        .filter(name -> !container.isLegal(name))
                                        .map(container::whyIllegal)))
                .toList();
    }

    /** Returns the resources that some container has in its requests only. */
    public List<ResourceName> withoutLimit() {
        List<ResourceName> found = new ArrayList<>(0);
        for (ResourceName name : resources) {
            if (isWithoutLimit(name)) {
                found.add(name);
            }
        }
        return found;
    }

    private boolean isWithoutLimit(ResourceName name) {
        for (GpuContainer gpuContainer : gpuContainers) {
            if (gpuContainer.requestsWithoutLimit(name)) {
                return true;
            }
        }
        return false;
    }
}
