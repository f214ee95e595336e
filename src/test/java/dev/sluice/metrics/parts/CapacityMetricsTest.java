package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.ClusterUsageReply.DevicesReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Story;
import dev.sluice.metrics.PartMetricValues;
import dev.sluice.metrics.ScrapeFormat;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapacityMetricsTest {

    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    private static final Amounts EIGHT = Amounts.of(GPU, 8).plus(Amounts.of(ResourceName.CPU, 64_000));

    private final Vertx vertx = Vertx.vertx();
    private final Story story = new Story();
    private boolean podsKnown = true;
    private long version = 1;

    @BeforeEach
    void serveDevices() {
        Topic.install(vertx);
        var _ = story.ledger.apply(new NodeEvent.NodesListed(
                List.of(node("a", EIGHT), node("b", EIGHT), node("cpu", Amounts.of(ResourceName.CPU, 64_000))), 1));
        story.bound("team/a", "a", Story.gpus(5));
        story.bound("team/b", "b", Story.gpus(10));
        story.bound("team/ghost", "ghost", Story.gpus(1));
        story.unbound("team/waits", Story.gpus(1), NodeConstraints.NONE);
        Service.DEVICES.serve(
                vertx, question -> new DevicesReply(story.ledger.devices(question.mostNodes()), podsKnown));
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private static Node node(String name, Amounts has) {
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, has, has, 0);
    }

    /** The page of metrics, without its comments. */
    private List<String> scraped(int mostNodes) {
        new CapacityMetrics(mostNodes).answer(vertx);
        return scrapedAgain();
    }

    private List<String> scrapedAgain() {
        PartMetricValues numbers = Service.SCRAPE
                .of("capacity")
                .ask(vertx, new Service.ScrapeQuestion())
                .await();
        return new String(ScrapeFormat.PROMETHEUS.of(numbers), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("\\.0$", ""))
                .toList();
    }

    /** What is overallocated on one node is still available on another. */
    @Test
    void devicesAreAddedUpAndShownByNode() {
        assertThat(scraped(2))
                .containsExactlyInAnyOrder(
                        "gpu_webhook_resources_without_series 0",
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 16",
                        "gpu_webhook_resource_allocated{resource=\"nvidia.com/gpu\"} 15",
                        "gpu_webhook_resource_reserved{resource=\"nvidia.com/gpu\"} 1",
                        "gpu_webhook_resource_available{resource=\"nvidia.com/gpu\"} 2",
                        "gpu_webhook_node_allocatable{node=\"a\",resource=\"nvidia.com/gpu\"} 8",
                        "gpu_webhook_node_allocated{node=\"a\",resource=\"nvidia.com/gpu\"} 5",
                        "gpu_webhook_node_available{node=\"a\",resource=\"nvidia.com/gpu\"} 2",
                        "gpu_webhook_node_allocatable{node=\"b\",resource=\"nvidia.com/gpu\"} 8",
                        "gpu_webhook_node_allocated{node=\"b\",resource=\"nvidia.com/gpu\"} 10",
                        "gpu_webhook_node_available{node=\"b\",resource=\"nvidia.com/gpu\"} 0");
    }

    @Test
    void aLargeClusterHasNoSeriesOfItsNodes() {
        assertThat(scraped(1)).hasSize(5).noneMatch(line -> line.contains("node="));
    }

    @Test
    void nothingIsSaidOfPodsThatAreNotKnown() {
        podsKnown = false;

        assertThat(scraped(2))
                .containsExactlyInAnyOrder(
                        "gpu_webhook_resources_without_series 0",
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 16",
                        "gpu_webhook_node_allocatable{node=\"a\",resource=\"nvidia.com/gpu\"} 8",
                        "gpu_webhook_node_allocatable{node=\"b\",resource=\"nvidia.com/gpu\"} 8");
    }

    @Test
    void sumsOfANodeThatReportsTheLargestNumberDoNotWrapAndAreRightAgainAfterIt() {
        listed("a", EIGHT);
        listed("lies", Amounts.of(GPU, Long.MAX_VALUE));

        assertThat(scraped(0))
                .contains(
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 9.223372036854776E18",
                        "gpu_webhook_resource_available{resource=\"nvidia.com/gpu\"} 9.223372036854776E18");

        listed("lies", Amounts.NONE);

        assertThat(scrapedAgain())
                .contains(
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 16",
                        "gpu_webhook_resource_available{resource=\"nvidia.com/gpu\"} 2");
    }

    @Test
    void namesThatOneNodeInventsShareOneSeriesBeyondABound() {
        listed("lies", invented("one", 2_000));

        List<String> lines = scraped(10);

        int others = 2_000 - DeviceSeries.MOST_NAMES;
        assertThat(lines)
                .contains(
                        "gpu_webhook_resources_without_series " + others,
                        "gpu_webhook_resource_allocatable{resource=\"(other)\"} " + others,
                        "gpu_webhook_node_allocatable{node=\"lies\",resource=\"(other)\"} " + others,
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 16");
        assertThat(lines.stream().filter(line -> line.startsWith("gpu_webhook_resource_allocatable")))
                .hasSize(DeviceSeries.MOST_NAMES + 2);
    }

    @Test
    void newNamesAgainAndAgainCreateNoSeriesWithoutEnd() {
        listed("b", EIGHT.plus(device("example.com/fpga")));
        Set<String> series = new HashSet<>(names(scraped(0)));
        for (int i = 0; i < 10; i++) {
            listed("lies", invented("round" + i, 200));
            List<String> lines = scrapedAgain();
            int round = i;
            assertThat(lines.stream().filter(line -> line.contains(".lies/")))
                    .as("series of names that are gone")
                    .allMatch(line -> line.contains("round" + round));
            series.addAll(names(lines));
        }

        assertThat(series.stream().filter(line -> line.startsWith("gpu_webhook_resource_allocatable")))
                .hasSize(DeviceSeries.MOST_NAMES + 2)
                .contains("gpu_webhook_resource_allocatable{resource=\"example.com/fpga\"}");

        listed("lies", device("nvidia.com/mig-1g.10gb"));
        assertThat(names(scrapedAgain()))
                .contains("gpu_webhook_resource_allocatable{resource=\"nvidia.com/mig-1g.10gb\"}")
                .noneMatch(line -> line.contains("/round"));
    }

    private static List<String> names(List<String> lines) {
        return lines.stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    private static Amounts invented(String domain, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> device(domain + ".lies/" + i))
                .reduce(Amounts.NONE, Amounts::plus);
    }

    private static Amounts device(String name) {
        return Amounts.of(new ResourceName(name), 1);
    }

    private void listed(String name, Amounts has) {
        version++;
        var _ = story.ledger.apply(new NodeEvent.NodeSeen(
                new Node(name, Map.of(), List.of(), /* unschedulable= */ false, has, has, version)));
    }
}
