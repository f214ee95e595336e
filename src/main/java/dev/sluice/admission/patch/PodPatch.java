package dev.sluice.admission.patch;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Line;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.GpuContainerRequest;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespaceLimits;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.ReinvokedPodRequest;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod and all changes to it: replaced resources, added limits, and the resources that are injected for its GPUs.
 *
 * @param containers the change to each container, in the order of the pod; it includes the injected resources
 * @param annotations the annotations to write
 * @param injection the result of injection
 */
public record PodPatch(
        PodRequest pod, List<ContainerPatch> containers, Map<String, String> annotations, Injection injection) {

    /** The result of an attempt to change a pod. */
    public sealed interface Attempt {

        record PodChanged(PodPatch change) implements Attempt {}

        /** The injection rules refuse the pod, so there is no change. */
        record ChangeRefused(Injection.Refusal refusal) implements Attempt {}
    }

    /** Makes the replacements, and then injects resources for the GPUs of the pod by the rules of {@code policy}. */
    public static Attempt attempt(GpuRequest request, List<PodRequestReplacement> moves, NamespacePolicy policy) {
        List<ContainerPatch> containers = moved(request, moves, policy.limits());
        Map<String, String> annotations = PodRequestReplacement.annotations(request.pod(), moves);
        String type = request.pod().annotations().gpuType();
        Injection injection = type == null
                ? new Injection.NothingInjected()
                : policy.injector().inject(resources(request.pod(), containers, type, policy.namespace()));
        return switch (injection) {
            case Injection.NothingInjected _ -> done(request, containers, annotations, injection);
            case Injection.Refused refused -> new Attempt.ChangeRefused(refused.refusal());
            case Injection.Injected given -> {
                Map<String, String> all = new TreeMap<>(annotations);
                all.putAll(given.use().rule().annotations());
                yield done(request, injected(containers, given.lines()), all, injection);
            }
        };
    }

    private static Attempt done(
            GpuRequest request, List<ContainerPatch> containers, Map<String, String> annotations, Injection injection) {
        return new Attempt.PodChanged(new PodPatch(request.pod(), containers, annotations, injection));
    }

    private static List<ContainerPatch> moved(
            GpuRequest request, List<PodRequestReplacement> moves, NamespaceLimits limits) {
        List<ContainerPatch> containers =
                new ArrayList<>(request.pod().containers().size());
        for (ContainerRequest container : request.pod().containers()) {
            containers.add(ContainerPatch.none(container));
        }
        for (GpuContainerRequest gpuContainer : request.gpuContainers()) {
            if (gpuContainer.requestsAny()) {
                containers.set(gpuContainer.index(), ContainerPatch.of(gpuContainer, moves, limits));
            }
        }
        return containers;
    }

    private static InjectionPodResources resources(
            PodRequest pod, List<ContainerPatch> containers, String type, String namespace) {
        return new InjectionPodResources(
                namespace,
                type,
                containers.stream()
                        .map(change -> new InjectionPodResources.Container(
                                change.container().kind(),
                                change.container().name(),
                                orEmpty(change.limits().after()),
                                orEmpty(change.requests().after())))
                        .toList(),
                pod.podLevel().names(),
                pod.annotations().limitRanger());
    }

    private static Map<ResourceName, Quantity> orEmpty(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null ? Map.of() : quantities;
    }

    private static List<ContainerPatch> injected(List<ContainerPatch> containers, List<Line> lines) {
        List<ContainerPatch> injected = new ArrayList<>(containers);
        for (Line line : lines) {
            for (Portion portion : line.portions()) {
                injected.set(
                        portion.container(),
                        injected.get(portion.container()).with(line.rule().name(), portion.request(), portion.limit()));
            }
        }
        return injected;
    }

    /** Returns a copy of this change that also writes the given annotation. */
    public PodPatch annotated(String annotation, String value) {
        Map<String, String> all = new TreeMap<>(annotations);
        all.put(annotation, value);
        return new PodPatch(pod, containers, all, injection);
    }

    /** Returns the pod after the change. */
    public PodRequest after() {
        List<ContainerRequest> after =
                containers.stream().map(ContainerPatch::after).toList();
        return new PodRequest(
                after,
                pod.podLevel(),
                pod.overhead(),
                pod.gated(),
                pod.constraints(),
                pod.annotations().with(annotations),
                pod.priority(),
                pod.authored());
    }

    /**
     * Returns the patch operations: first the operations for the resource maps, then the operations for the
     * annotations. The list is empty if nothing changes.
     */
    public List<PatchOperation> patch() {
        List<PatchOperation> operations = new ArrayList<>();
        for (ContainerPatch change : containers) {
            change.addSteps(operations);
        }
        operations.addAll(AnnotationPatch.of(pod.annotations(), annotations));
        return operations;
    }

    /** Returns true if one of these operations changes the resources of the container. */
    public static boolean changes(ContainerRequest container, List<PatchOperation> operations) {
        String place = PatchResourcePlaces.of(container).resources().text() + "/";
        return operations.stream().anyMatch(operation -> operation.path().text().startsWith(place));
    }

    /**
     * Returns the patch for the second review of a pod that Sluice has changed in the first review. The patch turns
     * {@link ReinvokedPodRequest#stored}, the pod before the second review, into {@link #after}. If no replacement of
     * the first review remains, the patch also removes the annotations about replacements.
     */
    public List<PatchOperation> patchOf(ReinvokedPodRequest look) {
        PodRequest stored = look.stored();
        List<PatchOperation> operations = new ArrayList<>();
        for (int i = 0; i < containers.size(); i++) {
            containers.get(i).from(stored.containers().get(i)).addSteps(operations);
        }
        Map<String, String> written = new TreeMap<>(annotations);
        if (!stored.annotations().values().containsKey(PodRequestAnnotations.ASKED)) {
            // This annotation is for a later review. None follows, because the API server calls a webhook at most twice
            // for a request.
            written.remove(PodRequestAnnotations.ASKED);
        }
        operations.addAll(AnnotationPatch.of(stored.annotations(), written));
        boolean isOver = look.undone() || annotations.containsKey(PodRequestAnnotations.FALLBACK_MODE);
        if (isOver && !annotations.containsKey(PodRequestAnnotations.FALLBACK)) {
            operations.addAll(AnnotationPatch.without(stored.annotations(), PodRequestAnnotations.OF_A_CHANGE));
        } else if (!annotations.containsKey(PodRequestAnnotations.ASKED)) {
            operations.addAll(AnnotationPatch.without(stored.annotations(), List.of(PodRequestAnnotations.ASKED)));
        }
        return operations;
    }
}
