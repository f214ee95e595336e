package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What {@code k8s/overlays/availability} adds: the rights to a Lease, and gateways that reserve and are asked instead
 * of the stage's own. Ends as it began.
 */
final class AvailabilityMode implements AutoCloseable {

    private final ControlPlane plane;
    private final String javaOptions;
    private final KubernetesClient client;
    private final Gateway usual;
    private final Account account;
    private final List<Gateway> gateways = new ArrayList<>();
    private final List<HasMetadata> granted = new ArrayList<>();

    AvailabilityMode(ControlPlane plane, Gateway usual) throws IOException {
        this(plane, usual, "");
    }

    private AvailabilityMode(ControlPlane plane, Gateway usual, String javaOptions) throws IOException {
        this.plane = plane;
        this.javaOptions = javaOptions;
        this.client = plane.client();
        this.usual = usual;
        grant();
        account = Account.inItsNamespace(plane);
    }

    /** Creates a mode whose gateways wait a quarter of the usual time when the lease changes hands. */
    static AvailabilityMode withShortWaits(ControlPlane plane, Gateway usual) throws IOException {
        return new AvailabilityMode(plane, usual, "-Dsluice.takeover.divisor=4");
    }

    private void grant() {
        String rendered =
                plane.kubectl("kustomize", "k8s/overlays/availability").output();
        for (HasMetadata object :
                client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items()) {
            boolean isOfBase = object.getMetadata().getName().equals("gpu-webhook-summary");
            if (!isOfBase && (object instanceof Role || object instanceof RoleBinding)) {
                var _ = client.resource(object).create();
                granted.add(object);
            }
        }
        Eventually.holds("the gateway may hold a Lease", () -> mayHold("create") && mayHold("update"));
    }

    private boolean mayHold(String verb) {
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser("system:serviceaccount:" + Account.NAMESPACE + ":gpu-webhook")
                        .withNewResourceAttributes()
                        .withNamespace(Account.NAMESPACE)
                        .withGroup("coordination.k8s.io")
                        .withResource("leases")
                        .withName("gpu-webhook")
                        .withVerb(verb)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    /** Started with this policy and the API server at that address, but perhaps not ready yet, and not asked yet. */
    Gateway gateway(String name, String policy, String server) throws IOException {
        Path kubeconfig = plane.scratch("kubeconfig-of-" + name).resolve("kubeconfig");
        Files.writeString(
                kubeconfig, Files.readString(Path.of(account.kubeconfig())).replace(plane.server(), server));
        return gateway(name, policy, new Account(account.name(), kubeconfig.toString(), account.environment()));
    }

    /** Started with this policy, but perhaps not ready yet, and not asked yet. */
    Gateway gateway(String name, String policy) throws IOException {
        return gateway(name, policy, account);
    }

    Gateway gateway(String name, String policy, Account as) throws IOException {
        return added(Gateway.cold(plane, name, waiting(as), file(name, policy)));
    }

    /** The same, warmed up as it ships, by this launcher. */
    Gateway warmGateway(String name, String policy, Account as, Path launcher) throws IOException {
        return added(new Gateway(plane, name, waiting(as), file(name, policy), "", Gateway.startedBy(launcher)));
    }

    private Account waiting(Account as) {
        return javaOptions.isEmpty() ? as : as.withJavaOptions(javaOptions);
    }

    private Path file(String name, String policy) throws IOException {
        return Files.writeString(plane.scratch("policy-of-" + name).resolve("policy.yaml"), policy);
    }

    private Gateway added(Gateway gateway) {
        gateways.add(gateway);
        return gateway;
    }

    /** Writes Events, and is in a pod of that name. */
    Account announcingIn(String pod) {
        return account.announcingIn(pod);
    }

    /** As it is in a pod of that name. */
    Account inPod(String name) {
        return new Account(account.name(), account.kubeconfig(), Map.of("HOSTNAME", name));
    }

    /** From soon on the API server asks there. */
    void register(String url, String authorities) {
        register(url, authorities.getBytes(UTF_8), "NoneOnDryRun");
    }

    private void register(String url, byte[] caBundle, String sideEffects) {
        var _ = client.resources(MutatingWebhookConfiguration.class)
                .withName(Registration.NAME)
                .edit(found -> {
                    found.getWebhooks().forEach(webhook -> {
                        webhook.getClientConfig().setUrl(url);
                        webhook.getClientConfig()
                                .setCaBundle(Base64.getEncoder().encodeToString(caBundle));
                        webhook.setSideEffects(sideEffects);
                    });
                    return found;
                });
    }

    /** Until the API server has noticed whom to ask. */
    void awaitAsked(Gateway gateway, String namespace) {
        Eventually.holds("the API server asks the other gateway", () -> {
            double before = gateway.decisions();
            var _ = plane.api()
                    .create(
                            Pods.asking("first", "nvidia.com/gpu"),
                            "/api/v1/namespaces/" + namespace + "/pods?dryRun=All");
            return gateway.decisions() > before;
        });
    }

    /** The next holder of the Lease finds no trace of these. */
    @Override
    public void close() {
        try {
            for (Gateway gateway : gateways) {
                gateway.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        register(usual.url(), usual.caBundle(), "None");
        awaitAsked(usual, "default");
        var _ = client.leases().inNamespace(Account.NAMESPACE).delete();
        granted.forEach(object -> {
            var _ = client.resource(object).delete();
        });
    }
}
