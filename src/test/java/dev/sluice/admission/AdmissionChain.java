package dev.sluice.admission;

import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestAuthoredFields;
import dev.sluice.admission.request.PodRequestAuthoredFields.ContainerResource;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the API server does with a pod that is created: LimitRanger, the webhooks in their order, both once more where a
 * webhook has changed something, and LimitRanger's judgement at the end.
 */
final class AdmissionChain {

    /** A pod on its way, of which only GPUs, annotations and tolerations matter. */
    static final class TestPod {
        final Map<String, TreeMap<ResourceName, Quantity>> limits = new TreeMap<>();
        final Map<String, TreeMap<ResourceName, Quantity>> requests = new TreeMap<>();
        final TreeMap<String, String> annotations = new TreeMap<>();
        final List<Toleration> tolerations = new ArrayList<>();
        private Set<ContainerResource> authored = new HashSet<>();

        Map<ResourceName, Quantity> limits(String container) {
            return Objects.requireNonNull(limits.get(container));
        }

        private Map<ResourceName, Quantity> requests(String container) {
            return Objects.requireNonNull(requests.get(container));
        }

        /** Another one that is the same. */
        TestPod copy() {
            TestPod copy = new TestPod();
            limits.forEach((name, map) -> copy.limits.put(name, new TreeMap<>(map)));
            requests.forEach((name, map) -> copy.requests.put(name, new TreeMap<>(map)));
            copy.annotations.putAll(annotations);
            copy.tolerations.addAll(tolerations);
            copy.authored = authored;
            return copy;
        }

        void ask(String container, ResourceName name, long count) {
            limits(container).put(name, Quantity.of(count));
            requests(container).put(name, Quantity.of(count));
        }

        /** The API server takes the pod from its author. */
        void accepted() {
            authored = new HashSet<>();
            limits.forEach((container, map) ->
                    map.keySet().forEach(name -> authored.add(new ContainerResource(container, name))));
        }

        /** Missing requests are filled in from limits, as after each webhook. */
        void defaulted() {
            limits.forEach((container, map) ->
                    map.forEach((name, quantity) -> requests(container).putIfAbsent(name, quantity)));
        }

        long total(String container) {
            Set<ResourceName> names = new TreeSet<>(limits(container).keySet());
            names.addAll(requests(container).keySet());
            return names.stream()
                    .mapToLong(name -> limits(container)
                            .getOrDefault(name, requests(container).getOrDefault(name, Quantity.ZERO))
                            .value())
                    .sum();
        }

        long names(String container) {
            return limits(container).values().stream()
                    .filter(quantity -> !quantity.isZero())
                    .count();
        }

        boolean isLegal() {
            return requests.keySet().stream()
                    .allMatch(container -> requests(container).entrySet().stream()
                            .allMatch(asked -> Objects.equals(
                                    asked.getValue(), limits(container).get(asked.getKey()))));
        }

        PodRequest request() {
            List<ContainerRequest> containers = new ArrayList<>();
            limits.keySet()
                    .forEach(name -> containers.add(new ContainerRequest(
                            PodContainerKind.MAIN, containers.size(), name, limits(name), requests(name))));
            return new PodRequest(
                    containers,
                    ExactAmounts.NONE,
                    ExactAmounts.NONE,
                    /* gated= */ false,
                    new NodeConstraints(null, Map.of(), null, tolerations),
                    new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, Map.copyOf(annotations), 0),
                    PodPriority.NORMAL,
                    new PodRequestAuthoredFields(/* fallback= */ false, authored));
        }

        void patch(List<PatchOperation> patch) {
            for (PatchOperation step : patch) {
                String[] path = step.path().text().split("/", -1);
                String key = path[path.length - 1].replace("~1", "/").replace("~0", "~");
                if (path[1].equals("metadata")) {
                    write(annotations, key, text(step));
                } else {
                    String container = List.copyOf(limits.keySet()).get(Integer.parseInt(path[3]));
                    write(
                            path[5].equals("limits") ? limits(container) : requests(container),
                            new ResourceName(key),
                            text(step).flatMap(Quantity::parse));
                }
            }
        }

        private static Optional<String> text(PatchOperation step) {
            return switch (step) {
                case PatchOperation.Add(var _, PatchOperation.Text(String text)) -> Optional.of(text);
                case PatchOperation.Replace(var _, PatchOperation.Text(String text)) -> Optional.of(text);
                case PatchOperation.Remove _ -> Optional.empty();
                default -> throw new AssertionError(step);
            };
        }

        private static <K, V> void write(Map<K, V> map, K key, Optional<V> value) {
            value.ifPresentOrElse(written -> map.put(key, written), () -> map.remove(key));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof TestPod that && toString().equals(that.toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }

        @Override
        public String toString() {
            return limits + " " + requests + " " + annotations + " " + tolerations;
        }
    }

    /** Changes the pod. Returns false to refuse it. */
    interface Change {
        boolean apply(TestPod pod);
    }

    /** A registered webhook. */
    record Webhook(String name, boolean reinvocable, Change change) {
        @Override
        public String toString() {
            return name + (reinvocable ? " IfNeeded" : " Never");
        }
    }

    /** An item of a LimitRange for one resource, with the defaults that the API server fills in when it is written. */
    record Limits(
            boolean ofPod,
            ResourceName resource,
            @Nullable Long standard,
            @Nullable Long min,
            @Nullable Long max,
            @Nullable Long ratio) {

        @Nullable
        Long limit() {
            return ofPod ? null : standard != null ? standard : max;
        }

        @Nullable
        Long request() {
            return ofPod ? null : limit() != null ? limit() : min;
        }

        void fill(TestPod pod) {
            for (String container : pod.limits.keySet()) {
                if (limit() != null) {
                    pod.limits(container).putIfAbsent(resource, Quantity.of(limit()));
                }
                if (request() != null) {
                    pod.requests(container).putIfAbsent(resource, Quantity.of(request()));
                }
            }
        }

        boolean allows(TestPod pod) {
            if (!ofPod) {
                return pod.limits.keySet().stream()
                        .allMatch(container -> allows(
                                pod.limits(container).get(resource),
                                pod.requests(container).get(resource)));
            }
            boolean isThere = pod.limits.values().stream().anyMatch(map -> map.containsKey(resource));
            Quantity sum = Quantity.of(pod.limits.values().stream()
                    .mapToLong(map -> map.getOrDefault(resource, Quantity.ZERO).value())
                    .sum());
            return isThere ? allows(sum, sum) : allows(null, null);
        }

        private boolean allows(@Nullable Quantity limit, @Nullable Quantity request) {
            return (min == null || (request != null && request.value() >= min))
                    && (max == null || (limit != null && limit.value() <= max))
                    && (ratio == null || (limit != null && request != null && !request.isZero()));
        }
    }

    private final List<Webhook> webhooks;
    private final List<Limits> limits;

    /** @param webhooks in the order of their configurations' names */
    AdmissionChain(List<Webhook> webhooks, List<Limits> limits) {
        this.webhooks = webhooks;
        this.limits = limits;
    }

    /** The stored pod; empty for one that is refused. */
    Optional<TestPod> create(TestPod written) {
        TestPod pod = written.copy();
        pod.accepted();
        Set<Webhook> called = new HashSet<>();
        Set<Webhook> due = new HashSet<>(webhooks);
        boolean changed = false;
        for (int round = 0; round < 2 && (round == 0 || changed); round++) {
            TestPod before = pod.copy();
            limits.forEach(each -> each.fill(pod));
            if (round == 1 && !before.equals(pod)) {
                due.addAll(called);
            }
            for (Webhook webhook : webhooks) {
                if (!due.remove(webhook)) {
                    continue;
                }
                TestPod last = pod.copy();
                if (!webhook.change().apply(pod)) {
                    return Optional.empty();
                }
                pod.defaulted();
                if (!last.equals(pod)) {
                    changed = true;
                    due.addAll(called);
                }
                if (webhook.reinvocable()) {
                    called.add(webhook);
                }
            }
        }
        return pod.isLegal() && limits.stream().allMatch(each -> each.allows(pod))
                ? Optional.of(pod)
                : Optional.empty();
    }
}
