package dev.sluice.admission.request;

import dev.sluice.cluster.ClusterExtendedResources;
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
 * @param resources the resources without duplicates. Main containers come before init containers. Within a container,
 *     the order is alphabetical
 * @param gpuContainers the containers that request GPUs, in the order of the pod
 */
public record GpuRequest(
        PodRequest pod,
        Predicate<ResourceName> isGpu,
        List<ResourceName> resources,
        List<GpuContainerRequest> gpuContainers) {

    /** Reads the GPU resources of a pod. The policy determines which resources are GPUs. */
    public static GpuRequest of(PodRequest pod, Policy policy) {
        return of(pod, policy.chains()::isGpu);
    }

    /**
     * Reads the GPU resources of a pod. A resource counts as a GPU if the policy treats it as a GPU, or if DRA provides
     * GPUs under this resource name in the cluster.
     */
    public static GpuRequest of(PodRequest pod, Policy policy, ClusterExtendedResources claimed) {
        return of(pod, claimed.orGpusOf(policy.chains()::isGpu));
    }

    public static GpuRequest of(PodRequest pod, Predicate<ResourceName> isGpu) {
        List<GpuContainerRequest> gpuContainers = new ArrayList<>(1);
        for (int i = 0; i < pod.containers().size(); i++) {
            GpuContainerRequest gpuContainer =
                    GpuContainerRequest.of(i, pod.containers().get(i), isGpu);
            if (!gpuContainer.names().isEmpty()) {
                gpuContainers.add(gpuContainer);
            }
        }
        return new GpuRequest(pod, isGpu, distinct(gpuContainers), gpuContainers);
    }

    private static List<ResourceName> distinct(List<GpuContainerRequest> gpuContainers) {
        if (gpuContainers.size() == 1) {
            return gpuContainers.getFirst().names();
        }
        Set<ResourceName> names = new LinkedHashSet<>();
        gpuContainers.forEach(gpuContainer -> names.addAll(gpuContainer.names()));
        return new ArrayList<>(names);
    }

    /**
     * Returns the amounts of GPU resources that a node must have to run the pod after the replacement.
     *
     * @param given a function that returns the replacement of a resource, or the resource itself
     */
    public Amounts need(UnaryOperator<ResourceName> given) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (GpuContainerRequest gpuContainer : gpuContainers) {
            requests.add(gpuContainer.request().kind(), gpuContainer.amounts(given));
        }
        return requests.total(Amounts.NONE, pod.overhead().only(isGpu).rounded());
    }

    /**
     * Returns the amounts of all resources other than GPUs that the pod uses on its node, as kube-scheduler calculates
     * them. They include one unit of the resource {@code pods}. They do not include resources that an extender of the
     * scheduler manages.
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
        return !isGpu.test(name) && !name.isManagedByExtender();
    }

    /**
     * Returns the amount of {@code given} that one node must have if {@code given} replaces {@code asked} in the pod.
     * {@code given} may be {@code asked} itself. The amount includes the overhead of the pod's runtime class.
     */
    public long needOf(ResourceName asked, ResourceName given) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (GpuContainerRequest gpuContainer : gpuContainers) {
            requests.add(gpuContainer.request().kind(), gpuContainer.amount(asked, given));
        }
        return requests.total(Amounts.NONE, Amounts.NONE).get(given) + overheadOf(given);
    }

    /** Returns the amount of the resource in the overhead of the pod's runtime class. */
    public long overheadOf(ResourceName name) {
        return pod.overhead().only(name::equals).rounded().get(name);
    }

    public List<ContainerRequest> containersRequesting(ResourceName name) {
        return containers(gpuContainer -> gpuContainer.requests(name));
    }

    /**
     * Returns the containers that have the resource in their requests but not in their limits. The API server would
     * refuse a pod with such a container.
     */
    public List<ContainerRequest> containersWithoutLimit(ResourceName name) {
        return containers(gpuContainer -> gpuContainer.requestsWithoutLimit(name));
    }

    private List<ContainerRequest> containers(Predicate<GpuContainerRequest> wanted) {
        List<ContainerRequest> found = new ArrayList<>(gpuContainers.size());
        for (GpuContainerRequest gpuContainer : gpuContainers) {
            if (wanted.test(gpuContainer)) {
                found.add(gpuContainer.request());
            }
        }
        return found;
    }

    /**
     * Returns false if the API server will certainly refuse the pod because of a GPU quantity. The API server refuses a
     * fraction, a negative number, and a request that differs from its limit (pkg/apis/core/validation,
     * non-overcommittable resources). It also refuses every extended resource in {@code spec.resources} of the pod.
     */
    public boolean isLegal() {
        for (ResourceName name : pod.podLevel().names()) {
            if (isGpu.test(name)) {
                return false;
            }
        }
        for (GpuContainerRequest gpuContainer : gpuContainers) {
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

    /** Returns the resources that at least one container has in its requests but not in its limits. */
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
        for (GpuContainerRequest gpuContainer : gpuContainers) {
            if (gpuContainer.requestsWithoutLimit(name)) {
                return true;
            }
        }
        return false;
    }
}
