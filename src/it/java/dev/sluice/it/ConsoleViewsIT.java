package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each view of the console has data where no API server is: in the demo, and with a file of a cluster. The test with
 * the demo makes the pictures of the documents.
 */
@WithChromium
class ConsoleViewsIT {

    private static final Path DEMO = Path.of("conf", "demo").toAbsolutePath();
    private static final Path FLEET = DEMO.resolve("clusters/fleet.yaml");

    /** With src/docs/pictures, the committed pictures are replaced. */
    private static final Path PICTURES = Path.of(System.getProperty("console.pictures", "target/console/demo"));

    private static final Set<String> PICTURED = Set.of("fleet", "flow");

    /** The pictures that people look at after a change. */
    private static final Path SEEN = Path.of("target", "console", "demo");

    /** The limit for a picture that everybody gets who clones the project. */
    private static final long MOST_BYTES = 100_000;

    private static final String CUSTOM_RESOURCE = """
            apiVersion: ray.io/v1
            kind: RayCluster
            metadata:
              name: rays
              namespace: research
            spec:
              workerGroupSpecs:
              - groupName: workers
                replicas: 3
                template:
                  spec:
                    containers:
                    - name: worker
                      image: ray
                      resources:
                        limits:
                          nvidia.com/mig-3g.40gb: 1
            """;

    private static final Duration TOUR = Duration.ofMinutes(1);

    /**
     * A state of the page.
     *
     * @param fragment the address of the view
     * @param expression it is true in the browser only if the view shows its data
     * @param then what a person does then
     */
    private record Shown(String name, String fragment, String expression, Consumer<Browser> then) {

        private Shown(String name, String fragment, String expression) {
            this(name, fragment, expression, _ -> {});
        }
    }

    private static final List<Shown> VIEWS = List.of(
            new Shown("fleet", "/fleet", contains("a100-2g-1")),
            new Shown(
                    "capacity",
                    "/capacity?resource=nvidia.com%2Fmig-2g.20gb",
                    "document.querySelector('.chart canvas') && document.querySelector('.holders')?.innerText.startsWith('nlp')"),
            new Shown("flow", "/flow", "document.querySelector('.sankey a')"),
            new Shown("node", "/fleet?group=pool&node=h100-3", contains("Pods with devices")),
            new Shown("decisions", "/decisions", "document.querySelector('tbody .pod')"),
            new Shown(
                    "record",
                    "/decisions?verdict=changed",
                    "document.querySelector('tbody .pod')",
                    ConsoleViewsIT::followsADecision),
            new Shown("what-if", "/what-if", "document.querySelector('textarea')", ConsoleViewsIT::explains),
            new Shown(
                    "waiting",
                    "/waiting",
                    String.join(
                            " && ",
                            contains("serve-chat-4"),
                            contains("Plugin stopped"),
                            contains("Next: Move smaller pods"),
                            contains("sluice capacity --by pod"))),
            new Shown("health", "/health", contains("ready")));

    @TempDir
    private Path directory;

    private static String contains(String text) {
        return "document.querySelector('main').innerText.includes(" + Browser.quoted(text) + ")";
    }

    @Test
    void eachViewHasDataInTheDemo() throws Exception {
        List<Integer> ports = Ports.free(2);
        Undertaker undertaker = new Undertaker();
        Daemon demo = new Daemon(
                undertaker,
                directory.resolve("demo.log"),
                List.of(
                        Gateway.LAUNCHER.toString(),
                        "demo",
                        "--port",
                        ports.get(0).toString(),
                        "--management-port",
                        ports.get(1).toString()),
                Map.of("SLUICE_JAVA_HOME", System.getProperty("java.home")));
        demo.start();
        try (Browser browser = new Browser(directory)) {
            Eventually.within(
                    TOUR,
                    "the tour has ended",
                    () -> demo.runs() && Files.readString(demo.log()).contains("Serving on until Ctrl-C"));
            walk(browser, ports.get(1));
            drawPictures(browser, ports.get(1));
        } finally {
            demo.kill();
            undertaker.finish();
        }
    }

    @Test
    void eachViewHasDataFromAFile() throws Exception {
        try (Siege gateway = Siege.diagnosingFile(FLEET);
                Browser browser = new Browser(directory)) {
            try (RawConnection webhook = gateway.connect()) {
                webhook.send(RawConnection.post(Files.readAllBytes(DEMO.resolve("review.json"))));
                assertThat(webhook.answer().status()).isEqualTo(200);
            }
            walk(browser, gateway.managementPort());
        }
    }

    @Test
    void withoutADiagnosisTheViewSaysWhichKeyIsMissing() throws Exception {
        try (Siege gateway = Siege.onFile(FLEET, "");
                Browser browser = new Browser(directory)) {
            browser.size(1280, 900);
            browser.open(address(gateway.managementPort(), "/waiting"));
            browser.until("the key is named", contains("set management.diagnosisSeconds to 60"));
            browser.picture(SEEN.resolve("waiting-without.png"));
            assertThat(browser.errors()).isEmpty();
        }
    }

    /** Opens each view, and waits until it shows what only its data shows. */
    private static void walk(Browser browser, int port) {
        browser.size(1280, 900);
        // A view asks again after a minute, so the page is opened when the first data is there.
        has(port, "diagnosis", "\"pods\":[{");
        has(port, "capacity/history", "24,24],\"reserved\"");
        for (Shown each : VIEWS) {
            open(browser, port, each);
        }
        assertThat(browser.errors()).isEmpty();
    }

    private static void has(int port, String path, String text) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest question = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/" + path))
                    .build();
            Eventually.holds(
                    path + " has data",
                    () -> client.send(question, BodyHandlers.ofString()).body().contains(text));
        }
    }

    private static void open(Browser browser, int port, Shown view) {
        browser.open(address(port, view.fragment()));
        browser.until("the page is live", "document.querySelector('.connection.live')");
        browser.until(view.name() + " shows its data", view.expression());
        assertThat(browser.text("main .note:not(.panel .note), main [role=alert]"))
                .as(view.name())
                .isEmpty();
        view.then().accept(browser);
    }

    private static String address(int port, String fragment) {
        return URI.create("http://localhost:" + port + "/console/") + "#" + fragment;
    }

    private static void followsADecision(Browser browser) {
        browser.click("tbody .pod");
        browser.until("its record is shown", contains("How it was decided") + " && " + contains("Candidates"));
    }

    private static void explains(Browser browser) {
        browser.type("textarea", Pods.json(Pods.asking("try-it", "nvidia.com/mig-3g.40gb", 1)));
        browser.click("form button.primary");
        browser.until(
                "the answer names what is given",
                "document.querySelector('.explained')?.innerText.includes('2g.20gb')");
        // All slices of the demo are in use, and the gateway decides by what nodes offer.
        browser.until("it says that the pod would wait", contains("free now, so the pod would wait"));
        var _ = browser.value("document.querySelector('textarea').select()");
        browser.type("textarea", CUSTOM_RESOURCE);
        browser.click("form button.primary");
        browser.until(
                "the pods of a custom resource are explained",
                "document.querySelector('.explained')?.innerText.includes('rays')");
    }

    private static void drawPictures(Browser browser, int port) throws IOException {
        for (Shown view : VIEWS) {
            String name = view.name();
            browser.theme(name.equals("flow") ? "dark" : "light");
            browser.size(1200, 760);
            open(browser, port, view);
            if (PICTURED.contains(name)) {
                Path file = PICTURES.resolve("console-" + name + ".png");
                browser.picture(file);
                assertThat(Files.size(file)).as(name).isLessThan(MOST_BYTES);
            }
            for (int width : new int[] {360, 1280, 3840}) {
                browser.size(width, width == 360 ? 780 : width * 9 / 16);
                for (String theme : new String[] {"light", "dark"}) {
                    browser.theme(theme);
                    browser.until(
                            "the page is as wide as the window", "document.documentElement.scrollWidth <= " + width);
                    browser.picture(SEEN.resolve(name + "-" + width + "-" + theme + ".png"));
                }
            }
            browser.size(1280, 720);
            browser.print(SEEN.resolve(name + ".pdf"));
        }
    }
}
