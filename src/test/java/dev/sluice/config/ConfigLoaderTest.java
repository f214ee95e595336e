package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.cluster.VendorNames;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig.Management;
import dev.sluice.log.LogFormat;
import dev.sluice.log.LogLevel;
import dev.sluice.tls.TlsEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {

    private static final ResourceName MIG_1G = new ResourceName("nvidia.com/mig-1g.10gb");
    private static final ResourceName MIG_2G = new ResourceName("nvidia.com/mig-2g.20gb");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "# nothing but a comment\n",
                "---\n",
                "---\n...\n",
                "null\n",
                "~",
                "{}",
                "\uFEFF",
                "webhook:\ntls:\nmanagement: null\nkubernetes: ~\npolicy:\ninjection:\nlog:\n",
                "webhook: {}\ntls: {}\nmanagement: {}\nkubernetes: {}\npolicy: {}\ninjection: {}\nlog: {}\n",
                "log: {format: }\n",
                "webhook: {host: , port: null, maxBodyBytes: ~}\n",
                "tls: {mode: , engine: , certificate: , key: , clientCa: , clientNames: }\n",
                "policy: {mode: , whenNotOffered: , whenClusterHasNoGpu: , whenExhausted: , whenStale: , chains: , namespaces: }\n",
            })
    void whatIsNotSaidIsTheDefault(String yaml) {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(Loads.text(yaml));
        assertThat(loaded.config()).isEqualTo(GatewayConfig.DEFAULT);
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void withoutAFileTheDefaultsHold() {
        assertThat(Loads.loaded(ConfigLoader.load(null, Map.of())).config()).isEqualTo(GatewayConfig.DEFAULT);
    }

    @Test
    void theDefaultsAreThoseOfTheContract() {
        assertThat(GatewayConfig.DEFAULT)
                .hasToString(
                        "GatewayConfig[webhook=Webhook[host=0.0.0.0, port=8443, maxBodyBytes=8388608, drainSeconds=5,"
                                + " warmUpReviews=400],"
                                + " tls=Tls[mode=FILES, engine=OPENSSL, certificate=/etc/webhook/certs/tls.crt,"
                                + " key=/etc/webhook/certs/tls.key, clientCa=null,"
                                + " clientNames=[], selfManaged=SelfManaged[names=[],"
                                + " certificateSeconds=7776000, authoritySeconds=63072000]],"
                                + " management=Management[host=0.0.0.0, port=9090, diagnosisSeconds=0, access=OPEN, nodeSeries=100,"
                                + " vertxSeries=false],"
                                + " peers=PeerPort[host=0.0.0.0, port=8444, advertisedAddress=null, certificate=null, key=null,"
                                + " authority=null],"
                                + " kubernetes=Kubernetes[kubeconfig=null, context=null, events=false, summary=true],"
                                + " gpus=GpuTable[nvidia=VendorNames[resources=[], images=[], namespaces=[]],"
                                + " amd=VendorNames[resources=[], images=[], namespaces=[]],"
                                + " intel=VendorNames[resources=[], images=[], namespaces=[]]],"
                                + " policy=" + GatewayConfig.DEFAULT.policy()
                                + ", injection=InjectionFile[file=null, keepUserValues=false], log=Log[format=TEXT, level=INFO]]");
        assertThat(GatewayConfig.DEFAULT.policy().base()).isEqualTo(Policy.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management: {host: 192.0.2.7}",
                "management: {host: gateway.example.com, access: open}",
                "management: {host: '2001:db8::1'}",
                "kubernetes: {kubeconfig: /home/k/config}",
                "kubernetes: {context: c}"
            })
    void warnsOfAnOpenManagementPortOfAMachine(String text) {
        Loading.Loaded loaded = Loads.loaded(Loads.text(text));

        assertThat(loaded.warnings())
                .singleElement()
                .asString()
                .contains(": management.access is open while management.host is ")
                .endsWith(", set it to kubernetes, or management.host to 127.0.0.1");
        assertThat(loaded.warningOutsideOfPods(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management: {host: localhost}",
                "management: {host: 127.0.0.2}",
                "management: {host: '::1'}",
                "management: {host: 192.0.2.7, access: kubernetes}",
                "management: {access: kubernetes}"
            })
    void warnsOfNoManagementPortThatIsGuarded(String text) {
        Loading.Loaded loaded = Loads.loaded(Loads.text(text));

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.warningOutsideOfPods(Map.of())).isEmpty();
    }

    /** In a pod the NetworkPolicy of the manifests says who reaches it. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "management: {host: 0.0.0.0, access: open}", "management: {host: '::'}"})
    void whatListensEverywhereIsAWarningOutsideOfPodsOnly(String text) {
        Loading.Loaded loaded = Loads.loaded(Loads.text(text));

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.warningOutsideOfPods(Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1")))
                .isEmpty();
        assertThat(loaded.warningOutsideOfPods(Map.of()))
                .hasValueSatisfying(warning -> assertThat(warning.key()).isEqualTo("management.access"));
    }

    @Test
    void readsEveryKey() {
        GatewayConfig config = Loads.config("""
                webhook: { host: "::1", port: 1, maxBodyBytes: 1024 }
                tls: { mode: files, engine: jdk, certificate: a.crt, key: b.key, clientCa: c.pem, clientNames: [a, b.c] }
                management: { host: localhost, port: 65535, diagnosisSeconds: 60, access: kubernetes, nodeSeries: 7, vertxSeries: true }
                kubernetes: { kubeconfig: /home/k/config, context: "5" }
                gpus: { amd: { resources: [example.com/gpu-*], images: [our-plugin], namespaces: [our-gpus] } }
                policy:
                  mode: allocatable
                  whenNotOffered: deny
                  whenClusterHasNoGpu: keep
                  whenExhausted: deny
                  whenStale: retry
                  chains: { amd.com/gpu: [gpu.intel.com/i915, nvidia.com/gpu] }
                injection: { file: null }
                log: { format: json, level: warn }
                """);
        assertThat(config.log()).isEqualTo(new GatewayConfig.Log(LogFormat.JSON, LogLevel.WARN));
        assertThat(config.webhook()).isEqualTo(new GatewayConfig.Webhook("::1", 1, 1024));
        assertThat(config.tls())
                .isEqualTo(new GatewayConfig.Tls(
                        GatewayConfig.TlsMode.FILES,
                        TlsEngine.JDK,
                        Path.of("a.crt"),
                        Path.of("b.key"),
                        Path.of("c.pem"),
                        Set.of("a", "b.c")));
        assertThat(config.management())
                .isEqualTo(new Management(
                        "localhost",
                        65_535,
                        60,
                        GatewayConfig.ManagementAccess.KUBERNETES,
                        7,
                        /* vertxSeries= */ true));
        assertThat(config.kubernetes()).isEqualTo(new GatewayConfig.Kubernetes(Path.of("/home/k/config"), "5"));
        assertThat(config.gpus().amd())
                .isEqualTo(new VendorNames(Set.of("example.com/gpu-*"), Set.of("our-plugin"), Set.of("our-gpus")));
        assertThat(config.gpus().nvidia()).isEqualTo(VendorNames.NONE);
        assertThat(config.policy().base())
                .isEqualTo(PolicySwitches.with(
                        Policy.DEFAULT,
                        Policy.Mode.ALLOCATABLE,
                        Policy.WhenNotOffered.DENY,
                        Policy.WhenClusterHasNoGpu.KEEP,
                        Policy.WhenExhausted.DENY,
                        Policy.WhenStale.RETRY,
                        FallbackChains.of(Map.of(
                                new ResourceName("amd.com/gpu"),
                                List.of(new ResourceName("gpu.intel.com/i915"), ResourceName.NVIDIA_GPU)))));
    }

    @Test
    void writtenChainsReplaceTheDefaultMap() {
        FallbackChains chains = Loads.config("policy: {chains: {nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb]}}")
                .policy()
                .base()
                .chains();
        assertThat(chains.byHead()).containsExactly(Map.entry(MIG_2G, List.of(MIG_1G)));
    }

    @Test
    void anEmptyMapOfChainsMeansNoFallback() {
        assertThat(Loads.config("policy: {chains: {}}").policy().base().chains().byHead())
                .isEmpty();
    }

    @Test
    void anEmptyChainIsAHeadWithoutFallback() {
        assertThat(Loads.config("policy: {chains: {example.com/npu: []}}")
                        .policy()
                        .base()
                        .chains()
                        .byHead())
                .containsExactly(Map.entry(new ResourceName("example.com/npu"), List.of()));
    }

    @Test
    void chainsMayLeadToEachOther() {
        assertThat(Loads.config("""
                policy:
                  chains:
                    nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb]
                    nvidia.com/mig-1g.10gb: [nvidia.com/mig-2g.20gb]
                """).policy().base().chains().byHead()).hasSize(2);
    }

    @Test
    void whatIsUnreadableFollowsTheOtherSwitchesUnlessItIsWritten() {
        var policy = Loads.config("""
                policy:
                  namespaces:
                    strict: { whenNotOffered: deny }
                    lenient: { whenNotOffered: deny, whenUnreadable: keep }
                    closed: { whenUnreadable: deny }
                """).policy();
        assertThat(policy.base().unreadable()).isEqualTo(Policy.WhenUnreadable.KEEP);
        assertThat(policy.forNamespace("strict").unreadable()).isEqualTo(Policy.WhenUnreadable.DENY);
        assertThat(policy.forNamespace("lenient").unreadable()).isEqualTo(Policy.WhenUnreadable.KEEP);
        assertThat(policy.forNamespace("closed").unreadable()).isEqualTo(Policy.WhenUnreadable.DENY);
        var written = Loads.config("""
                policy:
                  whenUnreadable: deny
                  namespaces:
                    open: { whenUnreadable: keep }
                    other: { whenNotOffered: keep }
                """).policy();
        assertThat(written.forNamespace("open").unreadable()).isEqualTo(Policy.WhenUnreadable.KEEP);
        assertThat(written.forNamespace("other").unreadable()).isEqualTo(Policy.WhenUnreadable.DENY);
    }

    @Test
    void aNamespaceIsLaidOverTheBaseKeyByKey() {
        var policy = Loads.config("""
                policy:
                  namespaces:
                    "team-*": { whenNotOffered: deny }
                    team-a: { chains: {} }
                    team-b:
                    "t*": { whenExhausted: deny, chains: null }
                    "?": { chains: { nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb] } }
                  whenClusterHasNoGpu: keep
                  chains: { nvidia.com/mig-1g.10gb: [nvidia.com/mig-2g.20gb] }
                """).policy();
        Policy base = policy.base();
        assertThat(base.whenClusterHasNoGpu()).isEqualTo(Policy.WhenClusterHasNoGpu.KEEP);
        assertThat(policy.forNamespace("other")).isEqualTo(base);
        assertThat(policy.forNamespace("team-x")).isEqualTo(PolicySwitches.with(base, Policy.WhenNotOffered.DENY));
        assertThat(policy.forNamespace("team-a")).isEqualTo(PolicySwitches.with(base, FallbackChains.NONE));
        assertThat(policy.forNamespace("team-b")).isEqualTo(base);
        assertThat(policy.forNamespace("tx").whenExhausted()).isEqualTo(Policy.WhenExhausted.DENY);
        assertThat(policy.forNamespace("tx").chains()).isEqualTo(base.chains());
        assertThat(policy.forNamespace("x").chains().byHead()).containsExactly(Map.entry(MIG_2G, List.of(MIG_1G)));
    }

    @Test
    void theEnvironmentsPortGoesBeforeTheFiles() {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(Loads.text("webhook: {port: 1}", Map.of("PORT", "9443")));
        assertThat(loaded.config().webhook().port()).isEqualTo(9443);
        assertThat(loaded.keyPositions().positionOf("webhook.port")).hasToString("Optional[environment]");
    }

    @Test
    void anEmptyPortInTheEnvironmentIsNone() {
        assertThat(Loads.loaded(Loads.text("webhook: {port: 7}", Map.of("PORT", "")))
                        .config()
                        .webhook()
                        .port())
                .isEqualTo(7);
    }

    @Test
    void theEnvironmentsPortResolvesACollisionInTheFile() {
        assertThat(Loads.loaded(Loads.text("webhook: {port: 9090}", Map.of("PORT", "8443")))
                        .config())
                .isEqualTo(GatewayConfig.DEFAULT);
    }

    @Test
    void whoeverUsesAKeyCanReportItAtItsLine() {
        KeyPositions written =
                Loads.loaded(Loads.text("\ntls:\n  certificate: a.crt\n")).keyPositions();
        ConfigProblem atLine = written.problem("tls.certificate", "is a.crt, which does not exist", "create it");
        ConfigProblem ofDefault = written.problem("tls.key", "does not exist", "create it");
        assertThat(Loads.lines(List.of(atLine, ofDefault)))
                .containsExactly(
                        "gateway.yaml:3: tls.certificate is a.crt, which does not exist, create it",
                        "gateway.yaml: tls.key does not exist, create it");
    }
}
