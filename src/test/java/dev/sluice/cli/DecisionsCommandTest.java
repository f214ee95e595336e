package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the command says of lists that a gateway has cut. */
class DecisionsCommandTest {

    private static final String SENTENCE =
            "The answer would be too long, so the oldest of these decisions are left out: ";

    /** Stands for an answer with 429. */
    private static final String BUSY = "{\"detail\":\"busy\"}";

    /** Stands for a connection that is closed without an answer. */
    private static final String GONE = "";

    /** Stands for an answer with 503 that says when to come again. */
    private static final String LATER = "{\"detail\":\"later\"}";

    /** Answers in this order, and 500 after them, which ends a command that follows. */
    private final Queue<String> pages = new ArrayDeque<>();

    /** The queries of all requests. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/decisions", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI().getRawQuery());
        String page = pages.poll();
        if (page != null && page.equals(GONE)) {
            exchange.close();
            return;
        }
        byte[] body = (page == null ? "{\"detail\":\"over\"}" : page).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Retry-After", "1");
        exchange.sendResponseHeaders(
                page == null ? 500 : page.equals(BUSY) ? 429 : page.equals(LATER) ? 503 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Decisions with these numbers, the newest first. */
    private static String page(int leftOut, int newest, int oldest) {
        return IntStream.iterate(newest, number -> number >= oldest, number -> number - 1)
                .mapToObj(number -> "{\"id\":\"p-" + number + "\",\"time\":\"2026-11-23T12:00:00Z\","
                        + "\"decision\":\"kept\",\"reason\":\"NotOffered\",\"namespace\":\"team\",\"name\":\"pod-"
                        + number + "\"}")
                .collect(Collectors.joining(",", "{\"total\":9,\"leftOut\":" + leftOut + ",\"decisions\":[", "]}"));
    }

    private Cli decisions(String... options) {
        String url = "http://localhost:" + server.getAddress().getPort();
        return Cli.run(Stream.concat(Stream.of("decisions", "--url", url), Arrays.stream(options))
                .toArray());
    }

    /** The names of pods, and the numbers of decisions that are left out, in the order of the lines. */
    private static List<String> told(String out) {
        return out.lines()
                .skip(1)
                .map(line -> line.startsWith(SENTENCE)
                        ? line.substring(SENTENCE.length())
                        : line.substring(line.lastIndexOf('/') + 1))
                .toList();
    }

    @Test
    void aCutListIsSaidWhereTheOldestWouldBe() {
        pages.add(page(7, 9, 8));
        Cli shown = decisions();

        assertThat(told(shown.out())).containsExactly("7", "pod-8", "pod-9");
        assertThat(shown.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(shown.err()).isEmpty();
    }

    @Test
    void aDecisionThatWasOnlyObservedIsNoDeed() {
        pages.add(page(0, 9, 9).replace("\"reason\"", "\"enforcement\":\"observe\",\"reason\""));
        pages.add(page(0, 9, 9));

        List<String> observed = decisions().out().lines().toList();
        assertThat(observed.get(1)).contains("  would be kept  ");
        assertThat(observed.get(1).indexOf("NotOffered"))
                .isEqualTo(observed.getFirst().indexOf("REASON"));
        assertThat(decisions().out()).contains("  kept ").doesNotContain("would be");
    }

    /** The gateway does not know what such a pod asked for. */
    @Test
    void aChainWithoutANameHasADashInTheSummary() {
        pages.add("{\"since\":\"2026-11-23T12:00:00Z\",\"chains\":[{\"namespace\":\"team\",\"chain\":\"\","
                + "\"enforcement\":\"enforce\",\"decisions\":2,\"undecided\":2}],"
                + "\"totals\":[{\"enforcement\":\"enforce\",\"decisions\":2,\"undecided\":2}]}");

        assertThat(decisions("--summary").out())
                .containsPattern("(?m)^team +- +2 +0 +0 +0 +0 +2$")
                .containsPattern("(?m)^\\(all\\) +2 +0 +0 +0 +0 +2$");
    }

    @Test
    void theFilterByEnforcementGoesToTheGateway() {
        pages.add(page(0, 9, 9));
        pages.add("{\"since\":\"2026-11-23T12:00:00Z\",\"chains\":[]}");
        var _ = decisions("--enforcement", "observe");
        var _ = decisions("--summary", "--enforcement", "enforce");

        assertThat(asked).hasSize(2);
        assertThat(asked.getFirst()).contains("enforcement=observe", "limit=20");
        assertThat(asked.getLast()).isEqualTo("enforcement=enforce");
    }

    @Test
    void nothingIsSaidOfAWholeList() {
        pages.add(page(0, 9, 8));

        assertThat(decisions().out()).doesNotContain("left out");
    }

    @Test
    void linesOfJsonStayJson() {
        pages.add(page(7, 9, 8));
        Cli shown = decisions("-o", "json");

        assertThat(shown.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"id\":"));
        assertThat(shown.err()).isEqualTo(SENTENCE + "7" + System.lineSeparator());
    }

    @Test
    void whoFollowsIsToldOnlyOfThoseThatWereNotShownBefore() {
        pages.add(page(0, 2, 1));
        pages.add(page(5, 3, 2));
        pages.add(page(4, 9, 8));

        assertThat(told(decisions("-f").out())).containsExactly("pod-1", "pod-2", "pod-3", "4", "pod-8", "pod-9");
    }

    /** A page of all replicas: decisions with these ids, the newest first. */
    private static String merged(String missing, String... ids) {
        return Arrays.stream(ids)
                .map(id -> "{\"id\":\"" + id + "\",\"time\":\"2026-11-23T12:00:00Z\",\"decision\":\"kept\","
                        + "\"reason\":\"NotOffered\",\"namespace\":\"team\",\"name\":\"" + id + "\"}")
                .collect(Collectors.joining(
                        ",", "{\"total\":9,\"leftOut\":0,\"missing\":[" + missing + "],\"decisions\":[", "]}"));
    }

    @Test
    void whoFollowsAllReplicasIsToldEachDecisionOnce() {
        pages.add(merged("", "b-7", "a-1"));
        pages.add(merged("", "b-8", "a-2", "b-7", "a-1"));
        pages.add(merged("", "c-1", "a-2", "b-8", "b-7", "a-1"));

        assertThat(told(decisions("-f").out())).containsExactly("a-1", "b-7", "a-2", "b-8", "c-1");
    }

    @Test
    void replicasThatDoNotAnswerAreNamedOnceEachTime() {
        String silent = "\"pod-c_3\"";
        pages.add(merged(silent, "a-1"));
        pages.add(merged(silent, "a-1"));
        pages.add(merged("", "a-1"));
        pages.add(merged(silent, "a-2"));
        Cli shown = decisions("-f", "-o", "json");

        assertThat(shown.out().lines()).hasSize(2);
        assertThat(shown.err().lines().filter(line -> line.contains("pod-c_3")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("The decisions of these replicas are missing"));
    }

    @Test
    void whoFollowsABusyGatewayWaitsAndGoesOn() {
        pages.add(page(0, 1, 1));
        pages.add(BUSY);
        pages.add(BUSY);
        pages.add(page(0, 2, 1));

        assertThat(told(decisions("-f").out())).containsExactly("pod-1", "pod-2");
    }

    @Test
    void whoFollowsAGatewayThatRestartsIsToldItOnceEachTimeAndGoesOn() {
        pages.add(page(0, 1, 1));
        for (int i = 0; i < 4; i++) {
            pages.add(GONE);
        }
        pages.add(LATER);
        pages.add(page(0, 2, 1));
        for (int i = 0; i < 4; i++) {
            pages.add(GONE);
        }
        pages.add(page(0, 3, 2));
        Cli shown = decisions("-f");

        assertThat(told(shown.out())).containsExactly("pod-1", "pod-2", "pod-3");
        // Once for each time that it was gone.
        assertThat(shown.err().lines().filter(line -> line.contains("it is asked again until Ctrl-C")))
                .hasSize(2);
    }

    @Test
    void aSingleQuestionIsAskedOnceMore() {
        pages.add(BUSY);
        pages.add(page(0, 1, 1));
        assertThat(told(decisions().out())).containsExactly("pod-1");

        pages.add(BUSY);
        pages.add(BUSY);
        pages.add(page(0, 1, 1));
        Cli refused = decisions();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("is asked more than it answers at once, and was so a moment ago; try again later")
                .doesNotContain(" 429");
    }

    @Test
    void endsAnAnswerWithoutEnd() {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                byte[] blanks = " ".repeat(1 << 20).getBytes(UTF_8);
                for (int i = 0; i < 1_000; i++) {
                    body.write(blanks);
                }
            } catch (IOException _) {
                // The client has read enough.
            }
        });
        server.removeContext("/api/v1/decisions");
        String url = "http://localhost:" + server.getAddress().getPort();

        for (String command : List.of("decisions", "metrics")) {
            Cli answered = Cli.run(command, "--url", url);

            assertThat(answered.err())
                    .startsWith(url + " answers with more than ")
                    .endsWith(" MiB; --url must name the management port of a gateway\n")
                    .hasLineCount(1);
            assertThat(answered.code()).isEqualTo(2);
        }
    }
}
