package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBindingBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods that something behind the gateway refuses, or keeps waiting, under Kubernetes' own controllers. */
@AgainstControlPlane
class RetriesIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    /** Promises to pods outlive their test, so each of the other tests asks for another device. */
    private static final String OTHER = "amd.com/gpu";

    private static final String SEVEN = "nvidia.com/mig-7g.80gb";

    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final int PODS_OF_JOB = 4;

    private static final int DEVICES = 8;
    private static final Duration SLOW = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** KAI-Scheduler#2074: a ReplicaSet tries eight times within a second. */
    @Test
    void aDeploymentWhosePodsArePolicyRefusedHoldsOneDevice(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(GPU, Integer.toString(DEVICES)));
        String namespace = cluster.sibling(Reserving.DENY);
        String other = cluster.sibling("-other" + Reserving.DENY);
        try (AutoCloseable _ = refusing(cluster, namespace)) {
            double before = reserving.gateway().decisions();
            deploy(cluster, namespace, GPU, 1);
            Eventually.holds(
                    "it was tried nine times", () -> reserving.gateway().decisions() >= before + 9);
            Eventually.within(
                    Duration.ofSeconds(5), "one device at most is reserved", () -> free(reserving, GPU) >= DEVICES - 1);
            assertThat(create(cluster, "same", 4, namespace)).isEqualTo(201);
            assertThat(create(cluster, "other", 3, other)).isEqualTo(201);
            Eventually.holds(
                    "what was replaced is counted",
                    () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_replaced_total") >= 7);
            assertThat(reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total"))
                    .isZero();
        }
    }

    /** One try takes all devices. The next ones are denied, and show that the first one was refused. */
    @Test
    void aRefusedTryThatTookAllDevicesGivesThemBackSoon(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(SEVEN, Integer.toString(DEVICES)));
        String namespace = cluster.sibling("-all" + Reserving.DENY);
        String other = cluster.sibling("-all-other" + Reserving.DENY);
        try (AutoCloseable _ = refusing(cluster, namespace)) {
            double denied = denied(reserving);
            deploy(cluster, namespace, SEVEN, DEVICES);
            Eventually.holds("a try was denied", () -> denied(reserving) > denied);
            Instant begun = Instant.now();
            Eventually.within(
                    Duration.ofSeconds(4),
                    "another namespace is served",
                    () -> cluster.dryRun(Pods.asking("honest", SEVEN, DEVICES), other)
                                    .status()
                            == 201);
            System.out.printf(
                    "another namespace was served after %d ms%n",
                    Duration.between(begun, Instant.now()).toMillis());
            assertThat(reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total"))
                    .isZero();
        }
    }

    private static double denied(Reserving reserving) throws Exception {
        return reserving.gateway().metrics().sum("gpu_webhook_decisions_total", "\"denied\"");
    }

    private static int create(Cluster cluster, String name, int devices, String namespace) throws Exception {
        return cluster.create(Pods.asking(name, GPU, devices), namespace).status();
    }

    /** The limit that the quota controller has taken over from the spec. */
    private static int podQuota(Cluster cluster, String namespace) {
        return Optional.ofNullable(cluster.client()
                        .resourceQuotas()
                        .inNamespace(namespace)
                        .withName("none")
                        .get())
                .map(quota -> quota.getStatus().getHard().get("pods"))
                .map(pods -> pods.getNumericalAmount().intValue())
                .orElse(0);
    }

    private static long free(Reserving reserving, String device) throws Exception {
        return reserving.gateway().available().values().stream()
                .map(node -> node.getOrDefault(device, BigDecimal.ZERO))
                .mapToLong(BigDecimal::longValue)
                .sum();
    }

    /** A policy for one namespace: cpu must have equal requests and limits. */
    private static AutoCloseable refusing(Cluster cluster, String namespace) {
        var policies = cluster.client().admissionRegistration().v1().validatingAdmissionPolicies();
        var _ = policies.resource(new ValidatingAdmissionPolicyBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withFailurePolicy("Fail")
                        .withNewMatchConstraints()
                        .withNewNamespaceSelector()
                        .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                        .endNamespaceSelector()
                        .addNewResourceRule()
                        .withApiGroups("")
                        .withApiVersions("v1")
                        .withOperations("CREATE")
                        .withResources("pods")
                        .endResourceRule()
                        .endMatchConstraints()
                        .addNewValidation()
                        .withExpression("object.spec.containers.all(c, !has(c.resources) || !has(c.resources.requests)"
                                + " || !('cpu' in c.resources.requests) || (has(c.resources.limits) && 'cpu' in"
                                + " c.resources.limits && c.resources.limits['cpu'] == c.resources.requests['cpu']))")
                        .withMessage("cpu must have equal requests and limits")
                        .endValidation()
                        .endSpec()
                        .build())
                .create();
        var bindings = cluster.client().admissionRegistration().v1().validatingAdmissionPolicyBindings();
        var _ = bindings.resource(new ValidatingAdmissionPolicyBindingBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withPolicyName(namespace)
                        .withValidationActions("Deny")
                        .endSpec()
                        .build())
                .create();
        Eventually.holds(
                "the policy is in force",
                () -> cluster.dryRun(burstable(Pods.plain("probe")), namespace).status() == 422
                        || cluster.dryRun(burstable(Pods.plain("probe")), namespace)
                                        .status()
                                == 403);
        return () -> {
            var _ = bindings.withName(namespace).delete();
            var _ = policies.withName(namespace).delete();
        };
    }

    private static Pod burstable(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .editOrNewResources()
                .addToRequests("cpu", new Quantity("1"))
                .addToLimits("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static void deploy(Cluster cluster, String namespace, String device, int devices) {
        var _ = cluster.client()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("doomed")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(1)
                        .withNewSelector()
                        .addToMatchLabels("app", "doomed")
                        .endSelector()
                        .withTemplate(new PodTemplateSpecBuilder()
                                .withNewMetadata()
                                .addToLabels("app", "doomed")
                                .endMetadata()
                                .withSpec(burstable(Pods.asking("doomed", device, devices))
                                        .getSpec())
                                .build())
                        .endSpec()
                        .build())
                .create();
    }

    /** Nobody can tell them from a burst, so they keep what they were given until somebody else needs it. */
    @Test
    void podsWithoutANameThatWereRefusedGiveWayAfterSomeSeconds(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(OTHER, Integer.toString(DEVICES)));
        String full = QuotaIT.withoutPods(cluster, cluster.sibling(Reserving.DENY));
        for (int i = 0; i < DEVICES; i++) {
            assertThat(cluster.create(generated(OTHER), full).message()).contains("exceeded quota");
        }
        Eventually.holds("the pods wait for a quota that allows some", () -> {
            allow(cluster, full);
            return podQuota(cluster, full) == DEVICES;
        });
        Eventually.within(
                Duration.ofSeconds(15),
                "the same namespace is served",
                () -> cluster.create(generated(OTHER), full).status() == 201);
        Eventually.holds(
                "it is counted",
                () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_gave_way_total") > 0);
    }

    private static void allow(Cluster cluster, String namespace) {
        var _ = cluster.client()
                .resourceQuotas()
                .inNamespace(namespace)
                .withName("none")
                .edit(quota -> {
                    quota.getSpec().setHard(Map.of("pods", new Quantity(Integer.toString(DEVICES))));
                    return quota;
                });
    }

    private static Pod generated(String device) {
        return new PodBuilder(Pods.asking("", device))
                .editMetadata()
                .withName(null)
                .withGenerateName("bare-")
                .endMetadata()
                .build();
    }

    /** kubernetes-sigs/jobset#1187: all pods of an Indexed Job but the first are refused until that one is bound. */
    @Test
    void refusedPodsOfAnIndexedJobTakeNothingFromTheOthers(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(ONE, Integer.toString(PODS_OF_JOB)));
        AtomicBoolean leaderIsBound = new AtomicBoolean();
        try (Witness witness = new Witness(
                        cluster,
                        "jobset" + Reserving.DENY,
                        call -> leaderIsBound.get()
                                        || Objects.equals(call.annotations().get(INDEX), "0")
                                ? Reply.allow()
                                : Reply.deny("leader pod not yet scheduled"))
                .registered()) {
            String namespace = witness.withGateway(reserving.gateway()).namespace();
            double denied = denied(reserving);
            run(cluster, namespace, "job", ONE, PODS_OF_JOB, "Indexed");
            Eventually.holds("it was tried again", () -> witness.calls().size() >= 4);
            leaderIsBound.set(true);
            Eventually.within(PATIENCE, "all pods run", () -> running(cluster, namespace) == PODS_OF_JOB);
            assertThat(denied(reserving)).isEqualTo(denied);
        }
    }

    /** Jobs and pods without an owner want more than there is; nobody is refused, and nobody gives way. */
    @Test
    void burstsBehindASlowWebhookRunAsManyAsCan(Cluster cluster, Reserving reserving) throws Exception {
        int devices = 12;
        reserving.node(cluster, "worker", Map.of(TWO, Integer.toString(devices)));
        try (Witness witness = new Witness(cluster, _ -> Reply.allow()).registered()) {
            String namespace = witness.withGateway(reserving.gateway()).namespace();
            witness.delay(SLOW);
            double late = reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total");
            double replaced = reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_replaced_total");
            run(cluster, namespace, "one", TWO, 5, "NonIndexed");
            run(cluster, namespace, "two", TWO, 4, "NonIndexed");
            List<Callable<Api.Answer>> writers = new ArrayList<>();
            IntStream.range(0, 6).forEach(_ -> writers.add(() -> witness.create(generated(TWO))));
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Api.Answer> answer : threads.invokeAll(writers, 1, TimeUnit.MINUTES)) {
                    assertThat(answer.get().status()).isEqualTo(201);
                }
            }
            Eventually.within(
                    PATIENCE,
                    "all pods are created",
                    () -> cluster.client()
                                    .pods()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems()
                                    .size()
                            == 15);
            Eventually.within(PATIENCE, "all devices are in use", () -> running(cluster, namespace) == devices);
            assertThat(reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total"))
                    .isEqualTo(late);
            assertThat(reserving.gateway().metrics().sum("gpu_webhook_ledger_decisions_replaced_total"))
                    .isEqualTo(replaced);
        }
    }

    private static void run(
            Cluster cluster, String namespace, String name, String device, int pods, String completionMode) {
        var _ = cluster.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withParallelism(pods)
                        .withCompletions(pods)
                        .withCompletionMode(completionMode)
                        .withTemplate(new PodTemplateSpecBuilder()
                                .withNewMetadata()
                                .addToLabels("endless", "true")
                                .endMetadata()
                                .withSpec(Pods.asking("job", device).getSpec())
                                .editSpec()
                                .withRestartPolicy("Never")
                                .endSpec()
                                .build())
                        .endSpec()
                        .build())
                .create();
    }

    private static int running(Cluster cluster, String namespace) {
        return cluster.client()
                .pods()
                .inNamespace(namespace)
                .withField("status.phase", "Running")
                .list()
                .getItems()
                .size();
    }
}
