package dev.sluice;

import static dev.sluice.ProjectFiles.DOCS;
import static dev.sluice.ProjectFiles.README;
import static dev.sluice.ProjectFiles.found;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigHostRule;
import dev.sluice.config.ConfigIntRange;
import dev.sluice.text.SafeText;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The values of the chart are the configuration's own keys, with their comments. */
class ChartTest {

    private static final Path CHART = Path.of("k8s", "chart");
    private static final String VALUES = text(CHART.resolve("values.yaml"));
    private static final String CONF = text(Path.of("conf/gateway.yaml"));
    private static final Pattern VERSION = Pattern.compile("(?m)^(?:app)?[vV]ersion: (.+)$");
    private static final Pattern TAG = Pattern.compile("newTag: (\\S+)");
    private static final Pattern PACKAGED = Pattern.compile("sluice-([0-9]\\S*)\\.tgz");
    private static final Pattern OF_POM =
            Pattern.compile("<artifactId>sluice[a-z-]*</artifactId>\\s+<version>(.+)</version>");

    @Test
    void theConfigurationIsThatOfTheShippedFileWithTwoDifferences() {
        String body = CONF.substring(CONF.indexOf("\n\n") + 2)
                .replace("  mode: files\n", "  mode: self-managed\n")
                .replace("  chains:\n", "  chains: null\n")
                .replaceAll("(?m)^    (nvidia\\.com/)", "    # $1");
        String indented =
                body.lines().map(line -> line.isEmpty() ? "" : "  " + line).collect(Collectors.joining("\n"));

        assertThat(VALUES.substring(VALUES.indexOf("\nconfig:\n") + "\nconfig:\n".length())
                        .strip())
                .isEqualTo(indented.strip());
    }

    /** Replicas that trust another authority would never trust each other. */
    @Test
    void theFilesOfReplicasAreThoseOfTheComponentAndOfTheOverlay() throws Exception {
        String helpers = text(CHART.resolve("templates/_helpers.tpl"));
        String begin = "{{- define \"sluice.peerFiles\" -}}\n";
        String files = helpers.substring(helpers.indexOf(begin) + begin.length());
        String component = text(Path.of("k8s/components/availability/availability.yaml"));
        assertThat(new YAMLMapper().readTree(files.substring(0, files.indexOf("{{- end }}"))))
                .isEqualTo(new YAMLMapper().readTree(component).path("peers"));

        String overlay = text(Path.of("k8s/overlays/cert-manager/kustomization.yaml"));
        String items = overlay.substring(overlay.indexOf("name: gpu-webhook-peers\n"), overlay.indexOf("  - patch:"));
        assertThat(text(CHART.resolve("templates/deployment.yaml")).replaceAll("\\s+", " "))
                .contains(items.strip().replaceAll("\\s+", " "));
    }

    @Test
    void theSchemaKnowsEveryValueAndNoOther() throws Exception {
        JsonNode values = new YAMLMapper().readTree(VALUES);
        JsonNode schema = new ObjectMapper().readTree(text(CHART.resolve("values.schema.json")));
        for (String place : List.of("", "/image", "/networkPolicy", "/networkPolicy/apiServer", "/config")) {
            assertThat(names(schema, place)).as(place).isEqualTo(keys(values.at(place), place));
        }
        for (var section : values.path("config").properties()) {
            String place = "/config/" + section.getKey();
            assertThat(names(schema, place)).as(place).isEqualTo(keys(section.getValue(), place));
        }
    }

    /** A policy of a namespace has every key of the base policy, but no namespaces. */
    @Test
    void theSchemaChecksThePoliciesOfNamespaces() throws Exception {
        JsonNode schema = new ObjectMapper().readTree(text(CHART.resolve("values.schema.json")));
        String policy = "/properties/config/properties/policy/properties";
        JsonNode overlay = schema.at(policy + "/namespaces/additionalProperties");
        NavigableSet<String> keys = new TreeSet<>();
        schema.at(policy).fieldNames().forEachRemaining(keys::add);
        keys.remove("namespaces");

        assertThat(overlay.path("additionalProperties").asBoolean(true)).isFalse();
        assertThat(overlay.path("properties").fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(keys);
        for (String key : keys) {
            assertThat(overlay.at("/properties/" + key + "/$ref").asText()).isEqualTo("#" + policy + "/" + key);
        }
    }

    @Test
    void theSchemaAllowsWhatTheGatewayAllows() throws Exception {
        JsonNode config = new ObjectMapper()
                .readTree(text(CHART.resolve("values.schema.json")))
                .at("/properties/config/properties");
        for (String host : List.of("::", "0.0.0.0", "gateway.example", "[::]", "http://a", "a b", "-a", "")) {
            assertThat(host.matches(
                            config.at("/webhook/properties/host/pattern").asText()))
                    .as(host)
                    .isEqualTo(ConfigHostRule.allows(host));
        }
        assertThat(config.at("/management/properties/host")).isEqualTo(config.at("/webhook/properties/host"));
        for (String help : List.of("ask #gpu", "größer\n", "a\u001bb", "a\nb", "a\u202eb", "a\u0085b")) {
            assertThat(help.matches(
                            config.at("/policy/properties/helpText/pattern").asText()))
                    .as(help)
                    .isEqualTo(SafeText.isSafe(help.strip()));
        }
        JsonNode chains = config.at("/policy/properties/chains");
        JsonNode entries = chains.at("/additionalProperties/items/pattern");
        for (String name :
                List.of("nvidia.com/mig-1g.10gb", "a/b", "gpu", "/gpu", "Nvidia.com/gpu", "a.-b/c", "a/b/c")) {
            assertThat(name.matches(entries.asText()))
                    .as(name)
                    .isEqualTo(ResourceName.qualified(name).isPresent());
        }
        assertThat(text(CHART.resolve("templates/_helpers.tpl"))).contains('`' + entries.asText() + '`');
        assertThat(chains.at("/additionalProperties/uniqueItems").asBoolean()).isTrue();
        for (String lifetime : List.of("certificateSeconds", "authoritySeconds")) {
            JsonNode range = config.at("/tls/properties/selfManaged/properties/" + lifetime);
            assertThat(new ConfigIntRange(
                            range.path("minimum").asInt(), range.path("maximum").asInt()))
                    .isEqualTo(ConfigIntRange.LIFETIME_SECONDS);
        }
    }

    /** A chart may be part of another one, whose {@code global} values Helm adds. */
    private static NavigableSet<String> keys(JsonNode values, String place) {
        NavigableSet<String> keys = new TreeSet<>();
        values.fieldNames().forEachRemaining(keys::add);
        if (place.isEmpty()) {
            keys.add("global");
        }
        return keys;
    }

    private static NavigableSet<String> names(JsonNode schema, String place) {
        JsonNode object = schema.at(place.replace("/", "/properties/"));
        assertThat(object.path("additionalProperties").asBoolean(true))
                .as(place)
                .isFalse();
        NavigableSet<String> names = new TreeSet<>();
        object.path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The chart's version names the tag of the image, and src/build/release takes one version for all. */
    @Test
    void theChartAndAllThatIsBuiltHaveOneVersion() {
        Set<String> version = found(VERSION, text(CHART.resolve("Chart.yaml")));
        assertThat(version).hasSize(1);

        for (String pom : List.of(
                "pom.xml",
                "src/build/pom.xml",
                "src/build/image/pom.xml",
                "src/bench/pom.xml",
                "src/bench/rig/echo/pom.xml")) {
            assertThat(found(OF_POM, text(Path.of(pom)))).as(pom).isEqualTo(version);
        }
        assertThat(found(TAG, text(Path.of("k8s/base/kustomization.yaml"))))
                .as("the tag in the manifests")
                .isEqualTo(version);
        Set<String> charts = found(PACKAGED, text(README));
        Set<String> tags = new TreeSet<>();
        ProjectFiles.below(DOCS, file -> file.toString().endsWith(".md")).forEach(page -> {
            charts.addAll(found(PACKAGED, text(page)));
            tags.addAll(found(TAG, text(page)));
        });
        assertThat(charts).as("the chart's file in the documents").isEqualTo(version);
        assertThat(tags).as("the tag in the documents").isEqualTo(version);
    }
}
