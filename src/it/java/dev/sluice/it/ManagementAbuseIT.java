package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two nodes whose kubelets lie, and web pages and clients without credentials, against the management port and the
 * console of the packaged gateway.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagementAbuseIT {

    /** The maximum number of names of resources that have series of their own. */
    private static final int MOST_NAMES = 512;

    private static final Pattern INVENTED = Pattern.compile("evil\\.example/[0-9-]+");

    private Siege siege;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path snapshot = directory.resolve("cluster.json");
        new GeneratedCluster(10, 100).writeTo(snapshot);
        String honest = Files.readString(snapshot);
        Files.writeString(
                snapshot, honest.substring(0, honest.lastIndexOf("]}")) + "," + lying(1) + "," + lying(2) + "]}");
        siege = Siege.onFile(snapshot, "");
    }

    @AfterAll
    void stop() throws Exception {
        siege.close();
    }

    private static String lying(int node) {
        String amounts = IntStream.range(0, 2_000)
                .mapToObj(number -> "\"evil.example/" + node + "-" + number + "\":\"1\"")
                .collect(Collectors.joining(",", "{\"nvidia.com/gpu\":\"9223372036854775807\",", "}"));
        return "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"lies-" + node
                + "\"},\"status\":{\"allocatable\":" + amounts + ",\"capacity\":" + amounts + "}}";
    }

    @Test
    void theSumsOfKubeletsThatLieDoNotWrapAndTheirNamesShareASeries() throws Exception {
        String metrics = siege.get("/metrics").body();

        assertThat(metrics).contains("nvidia.com/gpu").doesNotContain(" -9");
        assertThat(INVENTED.matcher(metrics).results().map(MatchResult::group).distinct())
                .hasSizeLessThanOrEqualTo(MOST_NAMES);
        for (String path : new String[] {"/api/v1/capacity", "/api/v1/fleet", "/api/v1/capacity/history"}) {
            assertThat(siege.get(path).body()).as(path).doesNotContain(":-9", "[-9");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics", "/api/v1/decisions", "/api/v1/fleet", "/api/v1/events", "/console/"})
    void aPageThatHasThePortUnderItsOwnNameReadsNothing(String path) throws Exception {
        assertThat(answer("GET", path, "evil.example").status()).isEqualTo(421);
        assertThat(answer("GET", "/readyz?verbose", "evil.example").body()).doesNotContain("lies-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/..%2fapi/v1/decisions",
                "/console/../api/v1/decisions",
                "/console/%2e%2e/metrics",
                "/console/..;/metrics",
                "/console//metrics",
                "/console/%00",
                "/console/index.html",
                "/console/..%5c..%5cconf/gateway.yaml"
            })
    void noPathLeadsOutOfTheConsole(String path) throws Exception {
        assertThat(answer("GET", path, "localhost").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS", "TRACE", "PUT", "DELETE", "PATCH"})
    void theConsoleIsOnlyRead(String method) throws Exception {
        assertThat(answer(method, "/console/", "localhost").status()).isEqualTo(405);
    }

    private RawConnection.Answer answer(String method, String path, String host) throws IOException {
        try (RawConnection connection = Siege.plain(siege.managementPort())) {
            connection.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return connection.answer();
        }
    }
}
