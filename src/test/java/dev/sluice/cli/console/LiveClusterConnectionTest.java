package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.Cli;
import dev.sluice.cluster.Pod;
import dev.sluice.kube.facts.KubectlObjectBudget;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster of a kubeconfig: here a small server that knows one path. */
class LiveClusterConnectionTest {

    private final List<String> asked = new ArrayList<>();

    @TempDir
    private Path directory;

    private final HttpServer server;

    LiveClusterConnectionTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void serveTwoPages() {
        server.createContext("/api/v1/nodes", exchange -> {
            String query = exchange.getRequestURI().getRawQuery();
            asked.add(query);
            boolean first = !query.contains("continue=");
            byte[] page = """
                    {"kind": "NodeList", "metadata": {"resourceVersion": "7", "continue": "%s"}, "items": [
                      {"metadata": {"name": "%s"}, "status": {"allocatable": {"nvidia.com/mig-1g.10gb": "7"}}}]}""".formatted(first ? "a b&c" : "", first ? "gpu-1" : "gpu-2")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(page);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Path config() throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), "kubernetes: {kubeconfig: " + kubeconfig() + "}\n");
    }

    private Path kubeconfig() throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: lab
                clusters: [{name: lab, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                """.formatted(
                        server.getAddress().getPort()));
    }

    @Test
    void listsTheNodesPageByPage() throws IOException {
        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err()).isEmpty();
        assertThat(explained.out()).contains("fits      7     gpu-1, gpu-2");
        assertThat(asked).containsExactly("limit=500", "limit=500&continue=a+b%26c");
    }

    /** The nodes alone show it to an account that may list nothing else. */
    @Test
    void tellsAFaultOfANodeThatIsListedOnce() throws IOException {
        server.removeContext("/api/v1/nodes");
        server.createContext("/api/v1/nodes", exchange -> {
            asked.add(exchange.getRequestURI().getRawQuery());
            byte[] page = """
                    {"kind": "NodeList", "metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "gpu-1"},
                      "status": {"capacity": {"nvidia.com/mig-2g.20gb": "3"}, "allocatable": {"nvidia.com/mig-2g.20gb": "0",
                      "nvidia.com/mig-1g.10gb": "7"}}}]}""".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(page);
            }
        });

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err()).isEmpty();
        assertThat(explained.out()).containsPattern("what is known of nvidia.com/mig-2g.20gb\\R[^\\n]*node gpu-1");
        assertThat(asked).containsExactly("limit=500");
    }

    @Test
    void saysInOneLineThatTheUserMayNotListNodes() throws IOException {
        server.removeContext("/api/v1/nodes");
        server.createContext("/api/v1/nodes", exchange -> {
            byte[] status = "{\"kind\": \"Status\", \"code\": 403, \"message\": \"nodes is forbidden: no\"}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(403, status.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(status);
            }
        });

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.code()).isEqualTo(2);
        assertThat(explained.err())
                .contains("the API server answered 403 (nodes is forbidden: no)")
                .hasLineCount(1);
    }

    @Test
    void limitRangesThatCannotBeListedAreTold() throws IOException {
        answerLimitRanges(500, "{\"kind\": \"Status\", \"code\": 500, \"message\": \"etcd has gone\"}");

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err())
                .startsWith("the LimitRanges of http://127.0.0.1:")
                .contains(" cannot be listed: the API server answered 500 (etcd has gone);"
                        + " pods are decided as if there were none")
                .hasLineCount(1);
        assertThat(explained.out()).contains("fits      7     gpu-1, gpu-2");
    }

    @Test
    void limitRangesThatAreNoJsonAreTold() throws IOException {
        answerLimitRanges(200, "<html>");

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err())
                .startsWith("the LimitRanges of http://127.0.0.1:")
                .contains(" cannot be listed: ");
    }

    @Test
    void aMalformedLimitRangeIsTold() throws IOException {
        answerLimitRanges(
                200,
                "{\"kind\": \"LimitRangeList\", \"metadata\": {}, \"items\": [{\"metadata\": {\"name\": \"l\","
                        + " \"namespace\": \"team\"}, \"spec\": 7}]}");

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err().strip()).isEqualTo("1 LimitRange could not be read and is not counted: team/l");
    }

    @Test
    void anAccountThatMayNotListLimitRangesIsToldNothing() throws IOException {
        answerLimitRanges(403, "{\"kind\": \"Status\", \"code\": 403, \"message\": \"limitranges is forbidden\"}");

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config());

        assertThat(explained.err()).isEmpty();
    }

    private void answerLimitRanges(int status, String text) {
        server.createContext("/api/v1/limitranges", exchange -> {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            try (OutputStream stream = exchange.getResponseBody()) {
                stream.write(body);
            }
        });
    }

    @Test
    void listsThePodsThatHaveNotEnded() throws Exception {
        server.createContext("/api/v1/pods", exchange -> {
            asked.add(exchange.getRequestURI().getQuery());
            byte[] page = "{\"items\": [{\"metadata\": {\"name\": \"p\", \"namespace\": \"team\"}}]}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(page);
            }
        });
        try (KubernetesClient client = client()) {
            assertThat(new LiveClusterConnection(client, KubectlObjectBudget.ofCommand())
                            .pods()
                            .objects())
                    .extracting(Pod::name)
                    .containsExactly("team/p");
        }
        assertThat(asked).containsExactly("fieldSelector=status.phase!=Succeeded,status.phase!=Failed&limit=500");
    }

    @Test
    void capacityShowsWhatNodesOfferWhereThePodsMayNotBeListed() throws Exception {
        forbidPods();
        Cli table = Cli.run("capacity", "--kubeconfig", kubeconfig());
        Cli json = Cli.run("capacity", "--kubeconfig", kubeconfig(), "-o", "json");

        assertThat(table).isEqualTo(new Cli(0, """
                        RESOURCE                 ALLOCATABLE   ON NODES   MAX PER NODE
                        nvidia.com/mig-1g.10gb            14     2 of 2              7

                        NODE    RESOURCE                 ALLOCATABLE
                        gpu-1   nvidia.com/mig-1g.10gb             7
                        gpu-2   nvidia.com/mig-1g.10gb             7

                        What of this is allocated, reserved and available is unknown, because this account may not list the
                          pods of all namespaces.
                        """, ""));
        assertThat(json.out()).contains("\"podsKnown\":false").doesNotContain("\"available\"");
    }

    @Test
    void whoHasTheCapacityCannotBeShownWithoutThePods() throws Exception {
        forbidPods();
        Cli refused = Cli.run("capacity", "--by", "namespace", "--kubeconfig", kubeconfig());

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).startsWith("the pods of http://127.0.0.1:").contains("pods is forbidden");
    }

    private void forbidPods() {
        server.createContext("/api/v1/pods", exchange -> {
            byte[] status = "{\"kind\": \"Status\", \"code\": 403, \"message\": \"pods is forbidden: no\"}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(403, status.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(status);
            }
        });
    }

    @Test
    void saysWhichOfTheTwoCannotBeListed() throws Exception {
        try (KubernetesClient client = client()) {
            assertThatThrownBy(() -> new LiveClusterConnection(client, KubectlObjectBudget.ofCommand()).pods())
                    .isInstanceOf(UserProblem.class)
                    .hasMessageContaining("the pods of http://127.0.0.1:")
                    .hasMessageContaining("answered 404")
                    .hasMessageContaining("try kubectl get pods -A");
        }
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    @Test
    void saysInOneLineThatTheServerCannotBeReached() throws IOException {
        Path config = config();
        server.stop(0);

        Cli explained = Cli.run("explain", "-f", "conf/demo/pods/train-2g.yaml", "--config", config);

        assertThat(explained.code()).isEqualTo(2);
        assertThat(explained.err())
                .startsWith("the nodes of http://127.0.0.1:")
                .contains("cannot be listed: connection refused or closed; try")
                .hasLineCount(1);
    }
}
