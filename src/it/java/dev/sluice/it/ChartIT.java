package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart says the same as the overlays of {@code k8s/overlays}, in the words of Helm. */
@AgainstControlPlane
class ChartIT {

    private static final Path CHART = Path.of("k8s", "chart");
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Helm's own labels, and a version, which kustomize does not know. */
    private static final Set<String> OF_HELM =
            Set.of("helm.sh/chart", "app.kubernetes.io/managed-by", "app.kubernetes.io/version");

    private static final String CONFIG = "gpu-webhook-config";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "self-managed |",
                "script-certs | config.tls.mode=files",
                "cert-manager | config.tls.mode=files,certManager.enabled=true",
                "availability | config.policy.mode=availability",
                "fail-closed  | config.tls.mode=files,failurePolicy=Fail",
                "hardened     | config.tls.mode=files,config.policy.mode=availability,failurePolicy=Fail,"
                        + "config.tls.clientCa=/etc/webhook/client-ca/ca.crt,"
                        + "config.tls.clientNames={gpu-webhook-caller},clientCa.configMap=gpu-webhook-client-ca",
                "secure-management | config.tls.mode=files,config.management.access=kubernetes",
                "monitoring   | monitoring.enabled=true"
            })
    void rendersTheObjectsOfTheOverlay(String overlay, String values, Cluster cluster) throws Exception {
        rendersTheObjectsOf("k8s/overlays/" + overlay, values == null ? "" : values, cluster);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host-network | hostNetwork=true",
                "openshift    | securityContext.runAsUser=null,securityContext.runAsGroup=null,"
                        + "securityContext.fsGroup=null",
                "later-name   | configurationName=zz-gpu-allocation-webhook",
                "opt-in       | webhook.namespaceSelector.matchLabels.gpu-webhook=enabled",
            })
    void rendersTheObjectsOfTheComponent(String component, String values, Cluster cluster) throws Exception {
        Files.writeString(directory.resolve("kustomization.yaml"), """
                resources: [%s]
                components: [%s]
                """.formatted(
                        relative("k8s/overlays/self-managed"), relative("k8s/components/" + component)));
        rendersTheObjectsOf(directory.toString(), values, cluster);
    }

    private Path relative(String path) throws IOException {
        return directory.toRealPath().relativize(Path.of(path).toRealPath());
    }

    private void rendersTheObjectsOf(String manifests, String values, Cluster cluster) throws IOException {
        String rendered = cluster.plane().kubectl("kustomize", manifests).output();
        String ours = template(values);
        SortedMap<String, JsonNode> wanted = objects(rendered);
        SortedMap<String, JsonNode> found = objects(ours);
        assertThat(found).containsOnlyKeys(wanted.keySet());
        wanted.forEach((name, object) -> assertThat(found.get(name)).as(name).isEqualTo(object));
        assertThat(configuration(ours)).isEqualTo(configuration(rendered));
    }

    @Test
    void isWithoutFaultForHelmItself() {
        assertThat(helm("lint", "--strict", CHART.toString())).contains("0 chart(s) failed");
    }

    @Test
    void refusesWhatTheGatewayWouldRefuse() {
        assertThat(refused("config.policy.mood=keep")).contains("additional properties 'mood' not allowed");
        assertThat(refused("config.policy.mode=maybe")).contains("/config/policy/mode");
        assertThat(refused("replica=3")).contains("additional properties 'replica' not allowed");
        assertThat(refused("certManager.enabled=true")).contains("set config.tls.mode: files as well");
        assertThat(refused("config.tls.clientCa=/etc/ca/ca.crt")).contains("clientCa.configMap");
    }

    /** Helm would install it, and no pod would ever be decided. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hostNetwork=true,config.webhook.port=443 | config.webhook.port: with hostNetwork",
                "hostNetwork=true,config.management.port=10250 | config.management.port: with hostNetwork",
                "config.webhook.host=[::] | /config/webhook/host",
                "config.policy.namespaces.x.whenExhausted=maybe | /config/policy/namespaces/x/whenExhausted",
                "config.policy.namespaces.x.mood=keep | additional properties 'mood' not allowed",
                "config.policy.helpText=a\u001bb | /config/policy/helpText",
                "config.tls.selfManaged.certificateSeconds=1 | /config/tls/selfManaged/certificateSeconds",
                "replicas=9999999999 | /replicas",
                "config.management.port=8443 | config.management.port: 8443 is the port of the webhook",
                "config.policy.mode=availability,config.peers.port=8443 | config.peers.port: 8443 is the port of another",
                "config.peers.key=/tmp/a | /config/peers/certificate",
                "config.policy.mode=availability,config.tls.mode=files,config.peers.key=/tmp/a,config.peers.certificate=/tmp/b,"
                        + "config.peers.authority=/tmp/c | config.peers.authority: it must be",
                "config.peers.advertisedAddress=10.0.0.7 | /config/peers/advertisedAddress",
                "config.peers.host=127.0.0.1 | config.peers.host: at 127.0.0.1 nobody",
                "config.webhook.host=127.0.0.1 | config.webhook.host: at 127.0.0.1 nobody",
                "config.management.host=::1 | config.management.host: at ::1 nobody",
                "config.tls.clientCa=/tmp/ca.crt,clientCa.configMap=x | config.tls.clientCa: /tmp/ca.crt must be in",
                "config.tls.mode=files,config.tls.key=/etc/x/tls.key | config.tls.key: /etc/x/tls.key must be in",
                "config.injection.file=/etc/sluice/x.json | config.injection.file: put the text",
                "injectionRules=x | injectionRules: set config.injection.file",
                "securityContext.runAsUser=0 | /securityContext/runAsUser",
                "securityContext.user=1 | additional properties 'user' not allowed",
                "labels.app=other | /labels/app",
                "networkPolicy.apiServer.cidrs={10.0.0.1} | /networkPolicy/apiServer/cidrs/0",
                "config.kubernetes.kubeconfig=/x | /config/kubernetes/kubeconfig",
                "image.pullSecrets={x} | /image/pullSecrets/0",
                "config.policy.chains.a\\.b/c={a.b/d,a.b/c} | config.policy.chains.\"a.b/c\": the chain names its own head",
                "config.policy.namespaces.x.chains.a\\.b/c={a.b/c} | config.policy.namespaces.\"x\".chains.\"a.b/c\"",
                "config.policy.chains.a\\.b/c={a.b/d,a.b/d} | /config/policy/chains/a.b~1c",
                "config.policy.chains.a\\.b/c={gpu} | /config/policy/chains/a.b~1c/0",
                "config.policy.chains.gpu={a.b/c} | config.policy.chains.\"gpu\": this is not a qualified resource name",
                "config.policy.chains.a\\.b/c={requests.a.b/c} | a name that Kubernetes keeps for itself",
                "config.policy.chains.kubernetes\\.io/gpu={a.b/c} | a name that Kubernetes keeps for itself",
                "monitoring.runbookUrl=runbook.md | /monitoring/runbookUrl",
                "config.webhook.port=null | missing property 'port'",
                "webhook.timeoutSeconds=31 | /webhook/timeoutSeconds",
                "webhook.namespaceSelector.matchLabel.a=b | additional properties 'matchLabel' not allowed",
                "webhook.namespaceSelector.matchExpressions[0].operator=Is | /webhook/namespaceSelector/matchExpressions/0",
                "extraEnv[0].name=PORT | /extraEnv/0/name",
                "extraVolumes[0].name=certs | /extraVolumes/0/name",
                "extraVolumeMounts[0].name=a,extraVolumeMounts[0].mountPath=/etc/sluice | /extraVolumeMounts/0/mountPath",
                "fullnameOverride=1st | /fullnameOverride",
                "dnsPolicy=Cluster | /dnsPolicy",
                "config=null | missing property 'config'",
            })
    void refusesWhatCannotWork(String values, String named) {
        assertThat(refused(values)).contains(named);
    }

    @Test
    void takesAddressesOfBothFamilies() throws Exception {
        String rendered =
                template("config.webhook.host=::,networkPolicy.apiServer.cidrs={fd00::/8,::1/128,10.0.0.0/8}");
        assertThat(rendered).contains("cidr: \"fd00::/8\"", "cidr: \"::1/128\"");
        assertThat(YAML.readTree(configMap(rendered).at("/data/gateway.yaml").asText())
                        .at("/webhook/host")
                        .asText())
                .isEqualTo("::");
    }

    @Test
    void eachAlertLeadsToTheRunbookAtTheChosenPlace() throws Exception {
        String place = "https://git.example.com/sluice/runbook.md";
        JsonNode usual = Objects.requireNonNull(
                objects(template("monitoring.enabled=true")).get("PrometheusRule/gpu-webhook"));
        JsonNode chosen = objects(template("monitoring.enabled=true,monitoring.runbookUrl=" + place))
                .get("PrometheusRule/gpu-webhook");

        assertThat(chosen)
                .isEqualTo(JSON.readTree(usual.toString().replace("src/docs/runbook.md", place)))
                .isNotEqualTo(usual);
    }

    /** Another release, whose names differ from those of the first one in whatever is not in a namespace. */
    @Test
    void aSecondInstallationHasOtherNames() throws Exception {
        String rendered = template("fullnameOverride=second,nameOverride=other,configurationName=second,"
                + "config.policy.mode=availability,config.management.access=kubernetes,rights.listPods=true,"
                + "rights.listClaims=true,config.kubernetes.events=true,config.management.diagnosisSeconds=60");
        for (ObjectNode object : documents(rendered)) {
            if (object.at("/metadata/name").asText().equals("gpu-webhook-summary")) {
                continue;
            }
            if (object.at("/metadata/annotations").has("helm.sh/hook")) {
                // The objects of "helm test" may exist for two releases at the same time.
                assertThat(object.at("/metadata/name").asText()).startsWith("second-test");
                continue;
            }
            assertThat(object.at("/metadata/name").asText()).startsWith("second");
            assertThat(object.at("/metadata/labels/app.kubernetes.io~1name").asText())
                    .isEqualTo("other");
        }
        SortedMap<String, JsonNode> found = objects(rendered);
        found.forEach((name, object) -> {
            if (name.contains("Binding/second") && !name.startsWith("ValidatingAdmission")) {
                assertThat(found)
                        .containsKey(object.at("/roleRef/kind").asText() + "/"
                                + object.at("/roleRef/name").asText());
                assertThat(object.at("/subjects/0/name").asText())
                        .isEqualTo(name.contains("Binding/second-test") ? "second-test" : "second");
            }
        });
        JsonNode pod = Objects.requireNonNull(found.get("Deployment/second")).at("/spec/template/spec");
        assertThat(pod.path("serviceAccountName").asText()).isEqualTo("second");
        assertThat(pod.path("priorityClassName").asText()).isEqualTo("second");
        assertThat(pod.at("/volumes/0/configMap/name").asText()).isEqualTo("second-config");
        assertThat(Objects.requireNonNull(found.get("MutatingWebhookConfiguration/second"))
                        .at("/webhooks/0/clientConfig/service/name")
                        .asText())
                .isEqualTo("second");
        assertThat(configMap(rendered).at("/data/gateway.yaml").asText()).contains("second.gpu-webhook.svc");
    }

    @Test
    void theSelectorOfTheUserIsAddedToTheExclusions() throws Exception {
        String rendered = template("webhook.timeoutSeconds=7,webhook.namespaceSelector.matchLabels.gpu=on,"
                + "webhook.namespaceSelector.matchExpressions[0].key=team,"
                + "webhook.namespaceSelector.matchExpressions[0].operator=Exists");
        JsonNode webhook = Objects.requireNonNull(
                        objects(rendered).get("MutatingWebhookConfiguration/gpu-allocation-webhook"))
                .at("/webhooks/0");
        JsonNode usual = Objects.requireNonNull(
                        objects(template("")).get("MutatingWebhookConfiguration/gpu-allocation-webhook"))
                .at("/webhooks/0");

        assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(7);
        assertThat(webhook.at("/namespaceSelector/matchLabels").toString()).isEqualTo("{\"gpu\":\"on\"}");
        assertThat(webhook.at("/namespaceSelector/matchExpressions"))
                .containsAll(usual.at("/namespaceSelector/matchExpressions"))
                .last()
                .hasToString("{\"key\":\"team\",\"operator\":\"Exists\"}");
    }

    @Test
    void aPlatformMayChooseTheWholeSecurityContext() throws Exception {
        JsonNode pod = Objects.requireNonNull(objects(template(
                                "securityContext=null,containerSecurityContext=null,topologySpreadConstraints=null,"
                                        + "serviceAccount.annotations.a=b,extraEnv[0].name=A,extraEnv[0].value=b,"
                                        + "extraVolumes[0].name=more,extraVolumeMounts[0].name=more,"
                                        + "extraVolumeMounts[0].mountPath=/more,dnsPolicy=Default"))
                        .get("Deployment/gpu-webhook"))
                .at("/spec/template/spec");

        assertThat(pod.has("securityContext")).isFalse();
        assertThat(pod.has("topologySpreadConstraints")).isFalse();
        assertThat(pod.path("dnsPolicy").asText()).isEqualTo("Default");
        assertThat(pod.path("volumes")).last().hasToString("{\"name\":\"more\"}");
        JsonNode container = pod.at("/containers/0");
        assertThat(container.has("securityContext")).isFalse();
        assertThat(container.path("env")).last().hasToString("{\"name\":\"A\",\"value\":\"b\"}");
        assertThat(container.path("volumeMounts")).last().hasToString("{\"mountPath\":\"/more\",\"name\":\"more\"}");
    }

    /** Otherwise each upgrade would set the number back. */
    @Test
    void anAutoscalerMaySetTheNumberOfReplicas() throws Exception {
        for (String values : List.of("replicas=null", "replicas=null,failurePolicy=Fail")) {
            JsonNode deployment =
                    Objects.requireNonNull(objects(template(values)).get("Deployment/gpu-webhook"));
            assertThat(deployment.path("spec").has("replicas")).as(values).isFalse();
        }
        assertThat(template("failurePolicy=Fail")).contains("\n  replicas: 3\n");
    }

    /** AKS adds terms to the namespaceSelector of a configuration without this annotation. */
    @Test
    void annotatesTheConfiguration() throws Exception {
        String values = "webhookAnnotations.admissions\\.enforcer/disabled=true";
        String rendered = helm("template", "gpu-webhook", CHART.toString(), "--set-string", values);
        JsonNode configuration =
                Objects.requireNonNull(objects(rendered).get("MutatingWebhookConfiguration/gpu-allocation-webhook"));
        assertThat(configuration.at("/metadata/annotations").toString())
                .isEqualTo("{\"admissions.enforcer/disabled\":\"true\"}");
    }

    @Test
    void theNotesNameWhatIsLeftToDo(Cluster cluster) {
        assertThat(notes(cluster, "config.tls.mode=files"))
                .contains("\n  tls/make-certs.sh\n")
                .doesNotContain("pod-security");
        assertThat(notes(cluster, "config.tls.mode=files,configurationName=zz-gpu,hostNetwork=true"))
                .contains("\n  WEBHOOK_CONFIGURATION=zz-gpu tls/make-certs.sh\n")
                .contains("namespace gpu-webhook pod-security.kubernetes.io/enforce=privileged");
    }

    private static String notes(Cluster cluster, String values) {
        String shown = helm(
                "install",
                "gpu-webhook",
                CHART.toString(),
                "--dry-run=client",
                "--take-ownership",
                "--kubeconfig",
                cluster.plane().kubeconfig().toString(),
                "--namespace",
                "gpu-webhook",
                "--set",
                values);
        return shown.substring(shown.indexOf("\nNOTES:\n"));
    }

    @Test
    void chainsOfTheUserTakeThePlaceOfTheDefault() throws Exception {
        String rendered =
                template("config.policy.chains.example\\.com/gpu={nvidia.com/gpu},extraGpuResources={example.com/gpu}");

        assertThat(YAML.readTree(configMap(rendered).at("/data/gateway.yaml").asText())
                        .at("/policy/chains")
                        .toString())
                .isEqualTo("{\"example.com/gpu\":[\"nvidia.com/gpu\"]}");
        assertThat(rendered).contains("'example.com/gpu' in resources ||");
    }

    /** While any namespace is in availability mode, the gateway counts all pods and holds the Lease. */
    @Test
    void availabilityModeOfOneNamespaceBringsTheSameRightsAsThatOfAll() throws Exception {
        SortedMap<String, JsonNode> all = objects(template("config.policy.mode=availability"));
        SortedMap<String, JsonNode> one = objects(
                template(
                        "config.policy.namespaces.team-a.mode=availability,config.policy.namespaces.team-b.whenNotOffered=deny"));

        assertThat(one).containsKey("Role/gpu-webhook").isEqualTo(all);
    }

    private static String template(String values) {
        return helm(
                "template",
                "gpu-webhook",
                CHART.toString(),
                "--skip-tests",
                "--namespace",
                "gpu-webhook",
                "--set",
                values);
    }

    private static String helm(String... words) {
        return command(words).output();
    }

    static Command command(String... words) {
        return Command.in(
                Path.of("."),
                Stream.concat(Stream.of(Programs.helm().toString()), Stream.of(words))
                        .toList());
    }

    private static String refused(String values) {
        Command.Ended ended = command("template", "gpu-webhook", CHART.toString(), "--set", values)
                .run();
        assertThat(ended.code()).isNotZero();
        return ended.complaint();
    }

    /** By kind and name, without what only one of the two tools has. */
    private static SortedMap<String, JsonNode> objects(String rendered) throws IOException {
        SortedMap<String, JsonNode> objects = new TreeMap<>();
        for (ObjectNode object : documents(rendered)) {
            String name = object.at("/metadata/name").asText();
            String kind = object.path("kind").asText();
            // Helm makes the namespace itself, and kustomize appends a hash to the name of the configuration.
            if (!kind.equals("Namespace") && !name.startsWith(CONFIG)) {
                objects.put(kind + "/" + name, comparable(object));
            }
        }
        return objects;
    }

    private static JsonNode comparable(ObjectNode object) throws IOException {
        for (String place : List.of("/metadata", "/spec/template/metadata")) {
            if (object.at(place) instanceof ObjectNode metadata) {
                if (metadata.get("labels") instanceof ObjectNode labels) {
                    labels.remove(OF_HELM);
                }
                if (metadata.get("annotations") instanceof ObjectNode annotations) {
                    annotations.remove("checksum/config");
                    if (annotations.isEmpty()) {
                        metadata.remove("annotations");
                    }
                }
            }
        }
        return JSON.readTree(object.toString().replaceAll(CONFIG + "-[0-9a-z]{10}", CONFIG));
    }

    private static List<ObjectNode> documents(String rendered) throws IOException {
        List<ObjectNode> documents = new ArrayList<>();
        try (var all = YAML.readerFor(JsonNode.class).<JsonNode>readValues(rendered)) {
            while (all.hasNext()) {
                if (all.next() instanceof ObjectNode object) {
                    documents.add(object);
                }
            }
        }
        return documents;
    }

    private static JsonNode configMap(String rendered) throws IOException {
        return documents(rendered).stream()
                .filter(object -> object.path("kind").asText().equals("ConfigMap")
                        && object.path("data").has("gateway.yaml"))
                .findFirst()
                .orElseThrow();
    }

    /** As the gateway reads it, because the chart writes every key and the overlays only a few. */
    private GatewayConfig configuration(String rendered) throws IOException {
        Path files = Files.createTempDirectory(directory, "config");
        for (Map.Entry<String, JsonNode> file : configMap(rendered).path("data").properties()) {
            Files.writeString(files.resolve(file.getKey()), file.getValue().asText());
        }
        if (ConfigLoader.load(files, Map.of()) instanceof ConfigLoader.Loading.Loaded loaded) {
            return loaded.config();
        }
        throw new AssertionError("the gateway refuses " + configMap(rendered));
    }
}
