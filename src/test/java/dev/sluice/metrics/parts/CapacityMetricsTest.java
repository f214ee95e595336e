package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.ClusterUsage.DevicesReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Story;
import dev.sluice.metrics.PartNumbers;
import dev.sluice.metrics.ScrapeFormat;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapacityMetricsTest {

    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    private static final Amounts EIGHT = Amounts.of(GPU, 8).plus(Amounts.of(ResourceName.CPU, 64_000));

    private final Vertx vertx = Vertx.vertx();
    private boolean podsKnown = true;

    @BeforeEach
    void serveDevices() {
        Topic.install(vertx);
        Story story = new Story();
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
        CapacityMetrics metrics = new CapacityMetrics(mostNodes);
        metrics.answer(vertx);
        PartNumbers numbers = Service.SCRAPE
                .of(metrics.part())
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
        assertThat(scraped(1)).hasSize(4).noneMatch(line -> line.contains("node="));
    }

    @Test
    void nothingIsSaidOfPodsThatAreNotKnown() {
        podsKnown = false;

        assertThat(scraped(2))
                .containsExactlyInAnyOrder(
                        "gpu_webhook_resource_allocatable{resource=\"nvidia.com/gpu\"} 16",
                        "gpu_webhook_node_allocatable{node=\"a\",resource=\"nvidia.com/gpu\"} 8",
                        "gpu_webhook_node_allocatable{node=\"b\",resource=\"nvidia.com/gpu\"} 8");
    }
}
