package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.FleetDocument.FleetChange;
import dev.sluice.api.FleetDocument.FleetKind;
import dev.sluice.api.FleetDocument.FleetNode;
import dev.sluice.api.FleetDocument.FleetReload;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.ledger.placement.PlacementNodes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetDocumentsTest {

    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-2g.20gb");
    private static final Instant NOW = Instant.EPOCH;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FleetDocuments fleet = new FleetDocuments("e", List.of());
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, LedgerNodeUsage> usage = new HashMap<>();

    private static Node node(String name, Map<String, String> labels, long slices) {
        Amounts has = Amounts.of(SLICE, slices).plus(Amounts.of(ResourceName.CPU, 1_000));
        return new Node(name, labels, List.of(), /* unschedulable= */ false, has, has, 0);
    }

    private void put(Node node) {
        nodes.put(node.name(), node);
    }

    private void use(String node, long allocated, long reserved) {
        usage.put(node, new LedgerNodeUsage(Amounts.of(SLICE, allocated), Amounts.of(SLICE, reserved)));
    }

    private void advance() throws Exception {
        advance(fleet);
    }

    private void advance(FleetDocuments shown) throws Exception {
        shown.advance(PlacementNodes.snapshotOf(List.copyOf(nodes.values())), new ClusterUse.UseKnown(usage, 0), NOW);
    }

    @Test
    void nodesThatDifferInNothingButWhatIsTakenAreOneKind() throws Exception {
        Map<String, String> labels = Map.of("nvidia.com/gpu.product", "A100", "agentpool", "train", "rack", "7");
        put(node("n1", labels, 3));
        put(node("n2", labels, 3));
        use("n2", 2, 1);
        advance();

        assertThat(ApiJson.text(fleet.document())).isEqualTo("""
                {"version":"e.0-f1","time":"1970-01-01T00:00:00Z","podsKnown":true,"unplaced":0,"withoutDevices":0,\
                "kinds":[{"kind":0,"model":"A100","pool":"train","labels":{},"cordoned":false,\
                "devices":[{"resource":"nvidia.com/mig-2g.20gb","capacity":3,"allocatable":3,"dra":false,\
                "slices":2,"memoryGb":20}]}],\
                "nodes":[{"node":"n1","kind":0},{"node":"n2","kind":0,"used":[2,1]}]}""");
    }

    @Test
    void aNodeWithAGpuThatNobodyOffersIsShownAndOneWithoutGpuIsCounted() throws Exception {
        put(new Node(
                "broken",
                Map.of("nvidia.com/gpu.present", "true"),
                List.of(),
                /* unschedulable= */ false,
                Amounts.NONE,
                Amounts.NONE,
                0));
        put(new Node("cpu", Map.of(), List.of(), /* unschedulable= */ false, Amounts.NONE, Amounts.NONE, 0));
        advance();

        assertThat(fleet.document().nodes()).extracting(FleetNode::node).containsExactly("broken");
        assertThat(fleet.document().withoutDevices()).isEqualTo(1);
    }

    @Test
    void nothingIsSaidOfWhatIsTakenWhilePodsAreNotKnown() throws Exception {
        put(node("n1", Map.of(), 3));
        fleet.advance(PlacementNodes.snapshotOf(List.copyOf(nodes.values())), new ClusterUse.UseUnknown(), NOW);
        String before = fleet.version();

        assertThat(fleet.document().unplaced()).isNull();
        advance();
        assertThat(fleet.since(before)).isPresent();
    }

    @Test
    void theSameClusterIsTheSameVersion() throws Exception {
        put(node("n1", Map.of(), 3));
        use("n1", 1, 0);
        advance();
        String version = fleet.version();
        // The usage of cpu is not shown.
        usage.put("n1", new LedgerNodeUsage(Amounts.of(SLICE, 1).plus(Amounts.of(ResourceName.CPU, 5)), Amounts.NONE));
        put(node("n1", Map.of("label", "that nobody sees"), 3));
        advance();

        assertThat(fleet.version()).isEqualTo(version);
        assertThat(fleet.since(version)).isEmpty();
    }

    @Test
    void aClientOfAnotherProcessLoadsTheWholeAgain() throws Exception {
        put(node("n1", Map.of(), 3));
        advance();

        for (String version : List.of("", "x.0-f1", "e.0-f2", "e.0-f", "e.0-f-1", "e.0-f0")) {
            assertThat(fleet.since(version)).as(version).contains(new FleetReload("e.0-f1", /* reload= */ true));
        }
    }

    @Test
    void aClientThatHasMissedTooMuchLoadsTheWholeAgain() throws Exception {
        put(node("stays", Map.of(), 3));
        advance();
        String before = fleet.version();
        for (int i = 0; i <= FleetDocuments.MOST_CHANGED; i++) {
            put(node("n" + i, Map.of(), 3));
        }
        advance();
        assertThat(fleet.since(before)).containsInstanceOf(FleetReload.class);
        String full = fleet.version();
        nodes.keySet().removeIf(name -> !name.equals("stays"));
        advance();
        assertThat(fleet.since(full)).containsInstanceOf(FleetReload.class);

        String after = fleet.version();
        use("stays", 1, 0);
        advance();
        assertThat(fleet.since(after)).containsInstanceOf(FleetChange.class);
    }

    @Test
    void aChangeOfManyKindsLoadsTheWholeAgain() throws Exception {
        put(node("stays", Map.of(), 1));
        advance();
        String before = fleet.version();
        for (int i = 0; i < FleetDocuments.MOST_CHANGED_KINDS; i++) {
            put(node("n" + i, Map.of("agentpool", "p" + i), 1));
        }
        advance();
        assertThat(fleet.since(before)).containsInstanceOf(FleetChange.class);

        put(node("one-more", Map.of("agentpool", "other"), 1));
        advance();
        assertThat(fleet.since(before)).containsInstanceOf(FleetReload.class);
    }

    @Test
    void anEventOfMoreThan128KibLoadsTheWholeAgain() throws Exception {
        put(node("stays", Map.of(), 1));
        advance();
        String before = fleet.version();
        for (int i = 0; i < 500; i++) {
            put(node(i + "-" + "x".repeat(250), Map.of(), 1));
        }
        advance();
        String known = fleet.version();

        assertThat(fleet.since(before)).containsInstanceOf(FleetChange.class);
        assertThat(fleet.eventSince(before))
                .contains(ApiEventEncoder.fleet(new FleetReload(known, /* reload= */ true)));
        use("stays", 1, 0);
        advance();
        assertThat(fleet.eventSince(known))
                .hasValueSatisfying(event -> assertThat(event).contains("\"node\":\"stays\""));
    }

    @Test
    void labelsThatTellTooManyNodesApartAreRefused() {
        for (int i = 0; i <= FleetDocuments.MOST_KINDS; i++) {
            put(node("n" + i, Map.of("kubernetes.io/hostname", "n" + i), 3));
        }

        assertThatExceptionOfType(FleetDocuments.TooManyKinds.class)
                .isThrownBy(() -> advance(new FleetDocuments("e", List.of("kubernetes.io/hostname"))));
    }

    @Test
    void kindsThatNoNodeHasAnyMoreAreForgotten() throws Exception {
        for (int i = 0; i <= 2 * FleetDocuments.MOST_GONE; i++) {
            put(node("n1", Map.of(), i + 1));
            advance();
        }

        assertThat(fleet.version()).startsWith("e.1-f");
        assertThat(fleet.document().kinds()).hasSize(1);
    }

    private static Node lying(String name, int round) {
        SortedMap<ResourceName, Long> devices = new TreeMap<>();
        for (int i = 0; i < 1_000; i++) {
            devices.put(new ResourceName("evil.example/" + round + "-" + i), 1L);
        }
        Amounts has = Amounts.ofUnits(devices);
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, has, has, 0);
    }

    @Test
    void aKubeletThatNamesOtherDevicesEachTimeTakesLittleMemory() throws Exception {
        int most = FleetDocuments.MOST_DEVICES / 1_000;
        for (int round = 0; round <= most + 2; round++) {
            put(lying("n1", round));
            advance();
        }

        assertThat(fleet.version()).startsWith("e.1-f");
    }

    @Test
    void aChangeWithTooManyDevicesIsNotMade() throws Exception {
        put(node("n1", Map.of(), 3));
        advance();
        String before = fleet.version();
        for (int round = 0; round <= FleetDocuments.MOST_DEVICES / 1_000; round++) {
            put(lying("n" + round, round));
        }
        advance();

        assertThat(fleet.since(before)).containsInstanceOf(FleetReload.class);
    }

    /** What a page does: it takes the whole once, and then only what it is told. */
    private static final class Page {

        private final Map<Integer, FleetKind> kinds = new HashMap<>();
        private final Map<String, FleetNode> nodes = new TreeMap<>();
        private String version = "";

        void load(FleetDocument document) {
            kinds.clear();
            nodes.clear();
            document.kinds().forEach(kind -> kinds.put(kind.kind(), kind));
            document.nodes().forEach(node -> nodes.put(node.node(), node));
            version = document.version();
        }

        void apply(FleetChange change) {
            change.kinds().forEach(kind -> kinds.put(kind.kind(), kind));
            change.gone().forEach(nodes::remove);
            change.nodes().forEach(node -> nodes.put(node.node(), node));
            version = change.version();
        }

        Map<FleetNode, FleetKind> shown() {
            Map<FleetNode, FleetKind> shown = new LinkedHashMap<>();
            nodes.values().forEach(node -> shown.put(node, kinds.get(node.kind())));
            return shown;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aPageThatIsToldTheChangesShowsTheSameAsOneThatLoadsTheWhole(long seed) throws Exception {
        Random random = new Random(seed);
        List<Page> pages = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            String name = "n" + random.nextInt(20);
            switch (random.nextInt(4)) {
                case 0 -> put(node(name, Map.of("agentpool", "p" + random.nextInt(3)), 1 + random.nextInt(3)));
                case 1 -> nodes.remove(name);
                default -> use(name, random.nextInt(3), random.nextInt(2));
            }
            advance();
            Page whole = new Page();
            whole.load(fleet.document());
            pages.add(whole);
            for (Page page : pages) {
                // A page that reads slowly is told several changes together.
                if (random.nextInt(3) == 0) {
                    fleet.since(page.version).ifPresent(change -> page.apply((FleetChange) change));
                    assertThat(page.shown()).as("seed %s, step %s", seed, step).isEqualTo(whole.shown());
                }
            }
            if (pages.size() > 5) {
                pages.remove(random.nextInt(pages.size()));
            }
        }
    }

    @Test
    void fiveThousandNodesAreLessThanHalfAMebibyte() throws Exception {
        for (int i = 0; i < 5_000; i++) {
            String name = String.format("gpu-node-%05d.eu-west-1.compute.internal", i);
            Amounts has = IntStream.range(1, 6)
                    .mapToObj(slices -> Amounts.of(new ResourceName("nvidia.com/mig-" + slices + "g.10gb"), 8))
                    .reduce(Amounts.NONE, Amounts::plus);
            put(new Node(
                    name,
                    Map.of("nvidia.com/gpu.product", "A100", "agentpool", "pool-" + i % 50),
                    List.of(),
                    /* unschedulable= */ false,
                    has,
                    has,
                    0));
            usage.put(name, new LedgerNodeUsage(has, i % 2 == 0 ? has : Amounts.NONE));
        }
        advance();

        String text = ApiJson.text(fleet.document());
        JsonNode document = JSON.readTree(text);
        assertThat(document.path("nodes")).hasSize(5_000);
        assertThat(document.path("kinds")).hasSize(50);
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThan(512 * 1_024);
    }
}
