package dev.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;

/** The control plane of the integration tests and the packaged gateway, opened to {@code dev.sluice.bench}. */
public final class LoadStage implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final KubernetesClient client;
    private final Registration registration;
    private final Gateway gateway;
    private boolean logsWanted = true;

    /** The API server asks nobody yet. */
    public LoadStage() throws IOException, InterruptedException {
        plane = ControlPlane.named("load");
        client = plane.client();
        registration = new Registration(plane);
        gateway = new Gateway(plane, "gateway", Account.byKubeconfig(plane), Gateway.SHIPPED_POLICY).ready();
        gateway.stop();
    }

    /** As {@code kubectl get -o json} prints it. */
    public void addNode(String json) {
        Node node = Serialization.unmarshal(json, Node.class);
        node.getMetadata().setResourceVersion(null);
        node.getMetadata().setUid(null);
        var _ = client.nodes().resource(node).create();
    }

    public void newNamespace(String name) {
        var _ = client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Eventually.holds(
                "namespace " + name + " has its default account",
                () -> client.serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
    }

    /** All at once; nothing runs in them. */
    public void deletePods(String namespace) {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        var _ = client.raw(pods + "?gracePeriodSeconds=0", "DELETE", null);
        Eventually.within(
                PATIENCE,
                "the pods of " + namespace + " are gone",
                () -> Serialization.unmarshal(plane.api().get(pods + "?limit=1").body(), JsonNode.class)
                        .path("items")
                        .isEmpty());
    }

    /** The API server's answer to a pod: the status, and the pod as it was stored or why it was refused. */
    public Answer create(String namespace, String pod) throws IOException, InterruptedException {
        return answer(plane.api().create(pod, "/api/v1/namespaces/" + namespace + "/pods"));
    }

    /** The same way through the API server and the gateway, but nothing is stored. */
    public Answer tryOut(String namespace, String pod) throws IOException, InterruptedException {
        return answer(plane.api().create(pod, "/api/v1/namespaces/" + namespace + "/pods?dryRun=All"));
    }

    private static Answer answer(Api.Answer answer) {
        return new Answer(answer.status(), answer.body());
    }

    /** What came back. */
    public record Answer(int status, String body) {

        public boolean isCreated() {
            return status == 201;
        }

        /** The gateway says on the pod that it gave another resource. */
        public boolean isChanged() {
            return body.contains("\"gpu-webhook.k8s.io/fallback\"");
        }
    }

    /** What becomes of the gateway in rounds without it. */
    public enum Absence {
        /** It ends, and starts anew for the next round with it: its JVM is cold then. */
        STOPPED,
        /** Nobody asks it, but it goes on following the pods, and stays warm. */
        UNREGISTERED
    }

    /** Registers the gateway; back when it knows all nodes and the API server asks it about such a pod. */
    public void bringGateway(String namespace, String pod) throws IOException, InterruptedException {
        if (!gateway.daemon().isAlive()) {
            gateway.start();
        }
        gateway.awaitNodes(client.nodes().list().getItems().size());
        registration.register(gateway.url(), gateway.caBundle());
        double before = gateway.decisions();
        Eventually.holds("the API server asks the gateway", () -> {
            var _ = tryOut(namespace, pod);
            return gateway.decisions() > before;
        });
    }

    /** The registration goes first, so that the API server never asks in vain. */
    public void takeGatewayAway(String namespace, String pod, Absence absence) throws InterruptedException {
        var _ = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(Registration.NAME)
                .delete();
        Eventually.holds("the API server does not ask the gateway", () -> {
            double before = gateway.decisions();
            var _ = tryOut(namespace, pod);
            return gateway.decisions() == before;
        });
        if (absence == Absence.STOPPED) {
            gateway.stop();
        }
    }

    public Reading read() throws IOException, InterruptedException {
        return Gauges.read(plane, gateway);
    }

    /** All went well: nobody will read them. */
    public void forgetLogs() {
        logsWanted = false;
    }

    @Override
    public void close() throws IOException {
        try {
            gateway.stop();
            plane.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!logsWanted) {
            plane.forgetLogs();
        }
    }
}
