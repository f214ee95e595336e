package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A tenant with the stock role {@code edit} in one namespace, who attacks the diagnosis with what that role allows. */
final class HostileTenant {

    /** Ends a word of a shell and begins a comment. */
    static final String SHELL = "t;touch${IFS}pwned|sh #";

    /** Sets the title of a terminal, turns the direction of the text, ends a line and forges a verdict. */
    static final String CONTROLS = "\u001b]0;owned\u0007\u202e\u2028\r\n\u009b31m forged: Healthy\n";

    /** The beginnings of messages that the kinds of Kubernetes write, each of which a rule reads. */
    private static final List<String> MESSAGES = List.of(
            "exceeded quota: a, requested: b, used: ",
            "must be equal to ",
            "Limit must be set for non overcommitable resources ",
            "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "failed quota: q: must specify a for: b,b,b,b,b,b,b,b,b",
            "preemption: pod \"pods \"persistent volume, ",
            "0/9 nodes are available: 1 node(s) had untolerated taint {a: b}, ",
            CONTROLS);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WRITERS = 4;

    private final Api api;
    private final String namespace;

    HostileTenant(Cluster cluster, String namespace) {
        this.namespace = namespace;
        var client = cluster.client();
        Account.create(cluster, namespace, "tenant");
        var _ = client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("tenant")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "edit")
                        .addNewSubject("", "ServiceAccount", "tenant", namespace)
                        .build())
                .create();
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName("tenant")
                .tokenRequest(new TokenRequest())
                .getStatus()
                .getToken();
        api = Api.to(cluster.plane().server(), token, cluster.plane().trust());
        Eventually.holds(
                "the tenant may create Events",
                () -> create("/api/v1", "events", event("first", "FailedScheduling", "first", "told"))
                                .status()
                        == 201);
    }

    private Api.Answer create(String group, String plural, ObjectNode object) throws Exception {
        return api.create(object.toString(), group + "/namespaces/" + namespace + "/" + plural);
    }

    private void createAll(int count, String group, String plural, IntFunction<ObjectNode> object) throws Exception {
        List<Callable<Api.Answer>> calls = IntStream.range(0, count)
                .mapToObj(number -> (Callable<Api.Answer>) () -> create(group, plural, object.apply(number)))
                .toList();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (Future<Api.Answer> answer : writers.invokeAll(calls)) {
                assertThat(answer.get().status())
                        .as(() -> plural + ": " + beginning(answer.resultNow().body()))
                        .isEqualTo(201);
            }
        }
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(300, text.length()));
    }

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object =
                JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private static ObjectNode labels(ObjectNode object) {
        return ((ObjectNode) object.path("metadata")).withObject("labels");
    }

    private static ObjectNode pod(String name) {
        ObjectNode pod = object("v1", "Pod", name);
        ObjectNode container = pod.putObject("spec").putArray("containers").addObject();
        container.put("name", "c").put("image", "none");
        container.putObject("resources").putObject("limits").put("nvidia.com/gpu", "1");
        return pod;
    }

    private ObjectNode event(String name, String reason, String about, String message) {
        ObjectNode event = object("v1", "Event", name);
        event.putObject("involvedObject")
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("namespace", namespace)
                .put("name", about);
        event.put("reason", reason).put("message", message).put("type", "Warning");
        event.put("lastTimestamp", "2026-11-20T12:00:00Z");
        event.putObject("source").put("component", "default-scheduler");
        return event;
    }

    /** Objects with this many labels of three letters; the API server stores no more of them in an object. */
    void labelled(int objects, int labels) throws Exception {
        createAll(objects, "/api/v1", "pods", number -> labelled(pod("labelled-" + number), labels));
        createAll(
                1,
                "/apis/coordination.k8s.io/v1",
                "leases",
                number -> labelled(object("coordination.k8s.io/v1", "Lease", "labelled-" + number), labels));
        createAll(
                1,
                "/api/v1",
                "events",
                number -> labelled(event("labelled-" + number, "FailedScheduling", "labelled-" + number, "m"), labels));
    }

    private static ObjectNode labelled(ObjectNode object, int count) {
        ObjectNode labels = labels(object);
        for (int label = 0; label < count; label++) {
            labels.put(Integer.toString(36 * 36 * 36 + label, 36).substring(1), "");
        }
        return object;
    }

    /** Pods with as many labels as are read, which are as long as they may be. */
    void podsWithLongLabels(int pods) throws Exception {
        createAll(pods, "/api/v1", "pods", number -> {
            ObjectNode pod = pod("long-" + number);
            for (int label = 0; label < 1_000; label++) {
                labels(pod).put("k".repeat(57) + (100_000 + label), "v".repeat(57) + (100_000 + number));
            }
            return pod;
        });
    }

    /** Messages of 40 and 112 KB about pods, and about an owner with a name for a shell. */
    void longMessages() throws Exception {
        createAll(6 * MESSAGES.size(), "/api/v1", "events", number -> {
            String message = MESSAGES.get(number % MESSAGES.size());
            int length = number % 2 == 0 ? 40_000 : 112_000;
            String reason = number % 3 == 0 ? "FailedCreate" : "FailedScheduling";
            ObjectNode event =
                    event("long-" + number, reason, "waits-" + number, message.repeat(1 + length / message.length()));
            if (number % 3 == 0) {
                ((ObjectNode) event.path("involvedObject"))
                        .put("apiVersion", "train/v1")
                        .put("kind", "Trainer" + SHELL)
                        .put("name", SHELL + number);
                event.put(
                        "message",
                        "exceeded quota: q" + SHELL + ", requested: requests.nvidia.com/gpu=1, used:"
                                + " requests.nvidia.com/gpu=1, limited: requests.nvidia.com/gpu=1 " + CONTROLS);
            }
            return event;
        });
    }

    void leaseOfTheYear9999() throws Exception {
        createAll(1, "/apis/coordination.k8s.io/v1", "leases", _ -> {
            ObjectNode lease = object("coordination.k8s.io/v1", "Lease", "future");
            lease.putObject("spec")
                    .put("holderIdentity", CONTROLS)
                    .put("leaseDurationSeconds", 1_000_000_000)
                    .put("renewTime", "9999-12-31T23:59:59.000000Z");
            return lease;
        });
    }

    /** Pods of as many schedulers, of which the names have equal hashes. */
    void podsOfManySchedulers(int pods) throws Exception {
        createAll(pods, "/api/v1", "pods", number -> {
            ObjectNode pod = pod("waits-" + number);
            StringBuilder scheduler = new StringBuilder();
            for (int bit = 0; bit < 13; bit++) {
                scheduler.append((number >> bit & 1) == 0 ? "an" : "c0");
            }
            ((ObjectNode) pod.path("spec")).put("schedulerName", number == 0 ? SHELL : scheduler.toString());
            return pod;
        });
    }
}
