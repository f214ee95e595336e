package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.GpuModel;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ShippedConfigTest {

    private static final Path FILE = Path.of("conf/gateway.yaml");
    private static final String COMMENTED_CHAIN = "    # nvidia.com/";
    private static final Set<ResourceName> NO_GPU_HAS = Set.of(new ResourceName("nvidia.com/mig-3g.30gb"));

    @Test
    void equalsAnEmptyFile() {
        ConfigLoader.Loading.Loaded shipped = Loads.loaded(ConfigLoader.load(FILE, Map.of()));
        assertThat(shipped.config()).isEqualTo(GatewayConfig.DEFAULT);
        assertThat(List.copyOf(
                        shipped.config().policy().base().chains().byHead().keySet()))
                .isEqualTo(List.copyOf(FallbackChains.DEFAULT.byHead().keySet()));
    }

    @Test
    void hasNoWarningAboutItself() {
        assertThat(Loads.loaded(ConfigLoader.load(FILE, Map.of())).warnings()).isEmpty();
    }

    @Test
    void holdsEveryKeyOfTheRecord() {
        KeyPositions written = Loads.loaded(ConfigLoader.load(FILE, Map.of())).keyPositions();
        assertThat(keysOfTheRecord())
                .hasSizeGreaterThan(18)
                .contains("tls.clientCa", "policy.whenExhausted", "policy.namespaces")
                .allSatisfy(key -> assertThat(written.positionOf(key)).as(key).isPresent());
    }

    private static List<String> keysOfTheRecord() {
        Stream<String> sections = Arrays.stream(GatewayConfig.class.getRecordComponents())
                // The keys of the policy are those of Policy itself, and the namespaces beside them.
                .filter(section -> section.getType().isRecord() && section.getType() != Policies.class)
                .flatMap(section -> keys(section.getName(), section.getType()));
        Stream<String> policy = Stream.concat(keys("policy", Policy.class), Stream.of("policy.namespaces"));
        return Stream.concat(sections, policy).toList();
    }

    private static Stream<String> keys(String section, Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> section + '.' + name);
    }

    @Test
    void hasACommentAboveEveryKey() throws IOException {
        List<String> lines = Files.readAllLines(FILE);
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).matches(" {0,2}[a-zA-Z]+:.*")) {
                assertThat(lines.get(i - 1).strip()).as("above " + lines.get(i)).startsWith("#");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "  host: 0.0.0.0 | host: 127.0.0.1",
                "  port: 8443 | port: 8444",
                "  maxBodyBytes: 8388608 | maxBodyBytes: 4194304",
                "  engine: openssl | engine: jdk",
                "  certificate: /etc/webhook/certs/tls.crt | certificate: other.crt",
                "  key: /etc/webhook/certs/tls.key | key: other.key",
                "  clientCa: null | clientCa: ca.crt",
                "  mode: files | mode: self-managed",
                "    names: [] | names: [gpu-webhook.example.com, 192.0.2.7]",
                "    certificateSeconds: 7776000 | certificateSeconds: 3600",
                "    authoritySeconds: 63072000 | authoritySeconds: 31536000",
                "  port: 9090 | port: 9091",
                "  port: 8444 | port: 8445",
                "  advertisedAddress: null | advertisedAddress: 192.0.2.7",
                "  kubeconfig: null | kubeconfig: config",
                "  context: null | context: other",
                "  nvidia: { resources: [], images: [], namespaces: [] } | nvidia: { resources: [example.com/gpu] }",
                "  amd: { resources: [], images: [], namespaces: [] } | amd: { images: [plugin] }",
                "  intel: { resources: [], images: [], namespaces: [] } | intel: { namespaces: [gpus] }",
                "  file: null | file: conf/gpu-injection.json",
                "  format: text | format: json",
                "  keepUserValues: false | keepUserValues: true",
                "  whenNotOffered: keep | whenNotOffered: deny",
                "  whenClusterHasNoGpu: deny | whenClusterHasNoGpu: keep",
                "  whenExhausted: wait | whenExhausted: deny",
                "  preemption: count | preemption: ignore",
                "  whenStale: decide | whenStale: retry",
                "    nvidia.com/mig-2g.20gb: [nvidia.com/mig-1g.10gb, nvidia.com/gpu] | nvidia.com/mig-2g.20gb: []",
                "  namespaces: {} | namespaces: { a: { whenNotOffered: deny } }",
            })
    void everyKeyOfTheFileHasAnEffect(String line, String other) throws IOException {
        String shipped = Files.readString(FILE);
        assertThat(shipped).contains("  " + line.strip() + "\n");
        String changed = shipped.replaceFirst("(?m)^( +)" + Pattern.quote(line.strip()) + "$", "$1" + other);
        assertThat(Loads.config(changed)).isNotEqualTo(GatewayConfig.DEFAULT);
    }

    @Test
    void theShippedInjectionFileLoadsWithoutDoubtAndServesV100H100AndSlices() throws IOException {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(Loads.text("injection: { file: conf/gpu-injection.json }"));
        assertThat(loaded.warnings()).hasSize(0);
        InjectionRules rules = loaded.injector().rules();
        assertThat(rules.defaults().byType().keySet()).containsExactly("V100", "H100", "H800");
        assertThat(rules.defaults().byType().getOrDefault("H100", Map.of()).keySet())
                .contains(ResourceName.NVIDIA_GPU)
                .filteredOn(ResourceName::isMig)
                .hasSize(5)
                .allSatisfy(name -> assertThat(MigProfile.ofResource(name).filter(MigTables::isKnown))
                        .isPresent());
        assertThat(rules.namespaces().keySet()).containsExactly("inference");
        assertThat(rules.skipped()).containsExactlyInAnyOrder("kube-system", "gpu-webhook");
        assertThat(Files.readString(FILE)).contains("conf/gpu-injection.json");
    }

    @Test
    void theCommentedChainsLoadAndNameOnlyRealProfiles() throws IOException {
        ConfigLoader.Loading.Loaded loaded = Loads.loaded(Loads.text(uncommented()));
        FallbackChains chains = loaded.config().policy().base().chains();
        assertThat(chains.byHead())
                .hasSizeGreaterThan(FallbackChains.DEFAULT.byHead().size() + 30);
        assertThat(chains.names())
                .filteredOn(name -> !name.equals(ResourceName.NVIDIA_GPU) && !NO_GPU_HAS.contains(name))
                .allSatisfy(name -> assertThat(MigProfile.ofResource(name).filter(MigTables::isKnown))
                        .as(name.value())
                        .isPresent());
        assertThat(loaded.warnings())
                .extracting(ConfigProblem::key)
                .containsExactly("policy.chains", "policy.chains.\"nvidia.com/mig-3g.30gb\"");
    }

    @ParameterizedTest
    @EnumSource
    void aChainStandsReadyForThePlainSlicesOfEveryModelThatStepDownOnThatModel(GpuModel model) throws IOException {
        FallbackChains chains = Loads.config(uncommented()).policy().base().chains();
        Set<ResourceName> ofModel =
                model.profiles().stream().map(MigProfile::resource).collect(Collectors.toSet());
        ResourceName smallest = model.profiles().getFirst().resource();
        assertThat(model.profiles().stream().filter(ShippedConfigTest::hasAChain))
                .isNotEmpty()
                .map(MigProfile::resource)
                .allSatisfy(head -> {
                    List<ResourceName> chain = chains.after(head);
                    assertThat(chain).as(head.value()).endsWith(ResourceName.NVIDIA_GPU);
                    assertThat(chain).containsAnyElementsOf(ofModel);
                    if (!head.equals(smallest)) {
                        assertThat(chain).contains(smallest);
                    }
                });
    }

    /** 2g and 3g, and 4g where there is no 3g but a 2g. */
    private static boolean hasAChain(MigProfile profile) {
        boolean fourSliceCard = Set.of(24, 96).contains(profile.memoryGb()) && profile.slices() == 4;
        boolean plain = profile.toString().endsWith("gb");
        return plain && (profile.slices() == 2 || profile.slices() == 3 || fourSliceCard);
    }

    private static String uncommented() throws IOException {
        return Files.readString(FILE).replace(COMMENTED_CHAIN, COMMENTED_CHAIN.replace("# ", ""));
    }

    @Test
    void theExampleForNamespacesLoads() throws IOException {
        String example = Files.readString(FILE)
                .lines()
                .filter(line -> line.matches("  # {3}.*"))
                .map(line -> line.replaceFirst("# ", ""))
                .collect(Collectors.joining("\n", "policy:\n", "\n"))
                .replaceAll("(?m)^ {4}", "  ");
        GatewayConfig config = Loads.config(example);
        assertThat(config.policy().forNamespace("research").whenNotOffered()).isEqualTo(Policy.WhenNotOffered.DENY);
        assertThat(config.policy().forNamespace("team-a").chains().byHead()).hasSize(1);
    }
}
