package dev.sluice.it;

import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A namespace and all nodes, for one test; both are gone afterwards. */
final class Cluster implements AutoCloseable {

    private final Stage stage;
    private final KubernetesClient client;
    private final String namespace;
    private final List<String> namespaces = new ArrayList<>();
    private final List<String> priorityClasses = new ArrayList<>();
    private final Instant begin = Instant.now();

    Cluster(Stage stage) {
        this.stage = stage;
        this.client = stage.plane().client();
        this.namespace = stage.freshNamespace();
        newNamespace(namespace, Map.of());
    }

    /** Another namespace for the same test, of which the name ends so. */
    String sibling(String end) {
        String name = namespace + end;
        if (!namespaces.contains(name)) {
            newNamespace(name, Map.of());
        }
        return name;
    }

    /** Makes another namespace for the same test, ready to take pods; it is gone afterwards, too. */
    void newNamespace(String name, Map<String, String> labels) {
        namespaces.add(name);
        var _ = client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
        awaitAccount(name);
    }

    void awaitAccount(String name) {
        Eventually.holds(
                "namespace " + name + " has its default account",
                () -> client.serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
    }

    ControlPlane plane() {
        return stage.plane();
    }

    Gateway gateway() {
        return stage.gateway();
    }

    KubernetesClient client() {
        return client;
    }

    String namespace() {
        return namespace;
    }

    /** A node that offers these beside cpu, memory and room for pods; back when the gateway knows it. */
    void node(String name, Map<String, String> offered, Taint... taints) {
        addNode(name, offered, taints);
        gateway().awaitNodes(client.nodes().list().getItems().size());
    }

    /** The same, but the gateway may not know it yet. */
    void addNode(String name, Map<String, String> offered, Taint... taints) {
        Node node = newNode(name, offered);
        node.setSpec(new NodeSpecBuilder().withTaints(taints).build());
        var _ = client.nodes().resource(node).create();
    }

    void deleteNode(String name) {
        var _ = client.nodes().withName(name).delete();
        gateway().awaitNodes(client.nodes().list().getItems().size());
    }

    private static Node newNode(String name, Map<String, String> offered) {
        Map<String, Quantity> amounts = amounts(offered);
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build();
    }

    private static Map<String, Quantity> amounts(Map<String, String> offered) {
        Map<String, Quantity> amounts = new HashMap<>(
                Map.of("cpu", new Quantity("64"), "memory", new Quantity("512Gi"), "pods", new Quantity("110")));
        offered.forEach((name, amount) -> amounts.put(name, new Quantity(amount)));
        return amounts;
    }

    /** As a device plugin does after MIG was configured anew. */
    void offer(String node, Map<String, String> offered) {
        capacity(node, offered);
        allocatable(node, offered);
    }

    void allocatable(String node, Map<String, String> amounts) {
        status(node, "allocatable", amounts);
    }

    void capacity(String node, Map<String, String> amounts) {
        status(node, "capacity", amounts);
    }

    /** Merges without a version, so that the node controllers, who write nodes too, cannot make it fail. */
    private void status(String node, String field, Map<String, String> amounts) {
        Map<String, Object> merged = Map.of("status", Map.of(field, amounts));
        var _ = client.nodes()
                .withName(node)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(merged));
    }

    /** Creates a pod as a user would. */
    Api.Answer create(Pod pod) throws IOException, InterruptedException {
        return plane().api().create(pod, path(namespace));
    }

    Api.Answer create(Pod pod, String inNamespace) throws IOException, InterruptedException {
        return plane().api().create(pod, path(inNamespace));
    }

    /** Asks what would become of a pod. */
    Api.Answer dryRun(Pod pod) throws IOException, InterruptedException {
        return plane().api().create(pod, path(namespace) + "?dryRun=All");
    }

    Api.Answer dryRun(Pod pod, String inNamespace) throws IOException, InterruptedException {
        return plane().api().create(pod, path(inNamespace) + "?dryRun=All");
    }

    /** Adds a LimitRange to the namespace of the test. */
    void limit(LimitRangeItem limits) {
        var _ = client.resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withName("gpus")
                        .withNamespace(namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withLimits(limits)
                        .endSpec()
                        .build())
                .create();
    }

    /** Adds a quota to a namespace, and waits until the API server counts by it. */
    void quota(String inNamespace, Map<String, Quantity> hard) {
        var quotas = client.resourceQuotas().inNamespace(inNamespace);
        var _ = quotas.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("quota")
                        .endMetadata()
                        .withNewSpec()
                        .withHard(hard)
                        .endSpec()
                        .build())
                .create();
        Eventually.holds(
                "the quota is in force",
                () -> Optional.ofNullable(
                                quotas.withName("quota").get().getStatus().getUsed())
                        .filter(used -> !used.isEmpty())
                        .isPresent());
    }

    /** Adds a PriorityClass whose pods preempt others; it is gone after the test. */
    void priorityClass(String name, int value) {
        priorityClass(name, value, "PreemptLowerPriority");
    }

    /** The same, with a preemption policy; back when the API server's admission, which reads a cache, knows it. */
    void priorityClass(String name, int value, String preemptionPolicy) {
        priorityClasses.add(name);
        var _ = client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withValue(value)
                        .withPreemptionPolicy(preemptionPolicy)
                        .build())
                .create();
        Pod pod = Pods.plain("has-priority");
        pod.getSpec().setPriorityClassName(name);
        Eventually.holds("pods may have the PriorityClass " + name, () -> {
            Api.Answer answer = dryRun(pod);
            return answer.status() == 201
                    && Objects.equals(answer.pod().getSpec().getPriority(), value)
                    && Objects.equals(answer.pod().getSpec().getPreemptionPolicy(), preemptionPolicy);
        });
    }

    /** Takes the finalizers of a pod that is {@link Pods#held}. */
    void letGo(String name) {
        var _ = client.pods().inNamespace(namespace).withName(name).edit(pod -> {
            pod.getMetadata().setFinalizers(List.of());
            return pod;
        });
    }

    void delete(String inNamespace, String name) {
        var _ = client.pods()
                .inNamespace(inNamespace)
                .withName(name)
                .withGracePeriod(0)
                .delete();
    }

    /** Until the gateway gives such a pod this resource. */
    void awaitDecision(Pod pod, String given, Duration patience) {
        Eventually.within(
                patience,
                "the gateway gives " + given,
                () -> Pods.limits(dryRun(pod).pod()).equals("{" + given + "=1}"));
    }

    private static String path(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    Pod pod(String name) {
        return Optional.ofNullable(
                        client.pods().inNamespace(namespace).withName(name).get())
                .orElseThrow();
    }

    List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    List<Pod> inPhase(String phase) {
        return pods().stream()
                .filter(pod -> pod.getStatus().getPhase().equals(phase))
                .toList();
    }

    void awaitPhase(String phase, int count) {
        Eventually.holds(
                () -> count + " pods " + phase + ", among "
                        + pods().stream()
                                .map(each -> each.getStatus().getPhase())
                                .toList(),
                () -> inPhase(phase).size() == count);
    }

    /** What the scheduler says about a pod that it cannot place. */
    String unschedulable(String name) {
        return Eventually.found("the scheduler's word about " + name, () -> unschedulable(pod(name)));
    }

    static Optional<String> unschedulable(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> Objects.equals(condition.getReason(), "Unschedulable"))
                .map(PodCondition::getMessage)
                .findFirst();
    }

    /** The API server has refused the gateway nothing: it never tries more than its role allows. */
    List<String> forbidden() throws IOException {
        return gateway().account().forbidden(plane(), begin);
    }

    /** What would make new pods goes first. */
    @Override
    public void close() {
        namespaces.forEach(this::clear);
        var _ = client.nodes().delete();
        priorityClasses.forEach(name -> {
            var _ = client.scheduling().v1().priorityClasses().withName(name).delete();
        });
        namespaces.forEach(name -> {
            var _ = client.namespaces().withName(name).delete();
        });
        Eventually.holds(
                "the test's pods and nodes are gone",
                () -> namespaces.stream().allMatch(this::isEmpty)
                        && client.nodes().list().getItems().isEmpty());
        if (gateway().daemon().isAlive()) {
            gateway().awaitNodes(0);
        }
    }

    private void clear(String name) {
        var _ = client.apps().deployments().inNamespace(name).delete();
        var _ = client.apps().replicaSets().inNamespace(name).delete();
        var _ = client.batch().v1().jobs().inNamespace(name).delete();
        var _ = client.pods().inNamespace(name).withGracePeriod(0).delete();
    }

    private boolean isEmpty(String name) {
        return client.pods().inNamespace(name).list().getItems().isEmpty();
    }
}
