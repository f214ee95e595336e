package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a packaged gateway on a real control plane, as an administrator and as a tenant see it. */
@AgainstControlPlane
@WithChromium
class ConsoleOnClusterIT {

    private static final String SLICE = "nvidia.com/mig-2g.20gb";
    private static final String SECRET = "secret-";
    private static final String HOSTILE =
            "<img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script>\u202egnp.evil\u200b";

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final int webhook = Ports.free();
    private final int port = Ports.free();
    /** True while bytes pass between the browser and the gateway. */
    private volatile boolean passes = true;

    @TempDir
    private Path directory;

    @Test
    void aReaderFindsEverythingInThePageAndATenantOnlyItsOwn(Cluster cluster) throws Exception {
        String own = cluster.namespace();
        String other = cluster.sibling("-other");
        String tenant = TenantIT.tenant(cluster, own, "mine");
        cluster.node("gpu-a", Map.of(SLICE, "4"));
        for (String namespace : new String[] {own, other}) {
            Pod pod = Pods.asking(SECRET + "in-" + namespace, SLICE, namespace.equals(own) ? 2 : 1);
            assertThat(cluster.create(
                                    new PodBuilder(pod)
                                            .editSpec()
                                            .withNodeName("gpu-a")
                                            .endSpec()
                                            .build(),
                                    namespace)
                            .status())
                    .isEqualTo(201);
        }
        DoctorIT.created(cluster, Pods.asking("never", SLICE, 8));
        ClusterRoleBinding binding = TenantIT.trusted(cluster);
        Daemon gateway = TenantIT.start(cluster, authority, webhook, port);
        try (TcpProxy door = TcpProxy.stoppable(port, () -> passes);
                Browser browser = new Browser(directory);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
            browser.size(1280, 900);
            isRefused(browser, door, tenant);
            signIn(browser, door, token(cluster), "");
            readsAll(browser, client, own, other);
            continuesAfterACut(browser, client, other, door);
            showsHostileNamesAsText(browser, client, other);
            canBeUsedByEverybody(browser);
            noticesTheEndOfTheGateway(browser, gateway);
            signIn(browser, door, tenant, own);
            decided(client, own, "own-train");
            readsItsOwn(browser, other);
            assertThat(browser.errors()).isEmpty();
        } finally {
            gateway.kill();
            var _ = cluster.client().resource(binding).delete();
        }
    }

    /** A token of the gateway's own account, which has all rights here. */
    private static String token(Cluster cluster) {
        return cluster.client()
                .serviceAccounts()
                .inNamespace(cluster.namespace())
                .withName(TenantIT.GATEWAY)
                .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
                .getStatus()
                .getToken();
    }

    private static void opened(Browser browser, TcpProxy door) {
        Eventually.holds("the page is served", () -> {
            browser.open("https://localhost:" + door.port() + "/console/");
            return browser.value("document.title.includes('Sluice')").asBoolean();
        });
        browser.until("the page asks for a token", "document.querySelector('.sign-in')");
    }

    /** Shows a wrong token, and the token of a tenant who asks about all namespaces. */
    private static void isRefused(Browser browser, TcpProxy door, String tenant) {
        opened(browser, door);
        browser.type(".sign-in input[name=token]", "wrong");
        browser.press("Enter");
        browser.until("the page asks again", "document.querySelector('.sign-in input[name=token]')?.value === ''");
        browser.type(".sign-in input[name=token]", tenant);
        browser.press("Enter");
        browser.until(
                "the refusal is told",
                "document.querySelector('.broken[role=alert]')?.innerText.includes('gpu-webhook/api/v1')");
        assertThat(browser.value("document.querySelectorAll('.tile').length").asInt())
                .isZero();
        show(browser, "/capacity", "which the ClusterRole gpu-webhook-metrics-reader grants");
        assertThat(browser.text("main form")).contains("A namespace in which you may create pods");
        show(browser, "/health", "which the ClusterRole gpu-webhook-metrics-reader grants");
        assertThat(browser.text("main form"))
                .as("a namespace does not help here")
                .isEmpty();
    }

    private void continuesAfterACut(Browser browser, HttpClient client, String namespace, TcpProxy door)
            throws IOException {
        show(browser, "/decisions", SECRET + "train");
        decided(client, namespace, "cut-before");
        browser.until("the decision is shown", "document.querySelector('tbody').innerText.includes('cut-before')");
        passes = false;
        door.cut();
        browser.until("the page says so", "document.querySelector('div.broken')");
        decided(client, namespace, "cut-missed-1");
        decided(client, namespace, "cut-missed-2");
        passes = true;
        browser.until("the page is live again", "document.querySelector('.connection.live')");
        decided(client, namespace, "cut-after");
        browser.until(
                "each decision is shown once, in its order",
                "[...document.querySelectorAll('tbody .pod')].map(pod => pod.innerText.split('/')[1])"
                        + ".filter(name => name.startsWith('cut-')).join()"
                        + " === 'cut-after,cut-missed-2,cut-missed-1,cut-before'");
    }

    /** The API server would take no such names, but whoever reaches the webhook may send them. */
    private void showsHostileNamesAsText(Browser browser, HttpClient client, String namespace) throws Exception {
        Pod pod = Pods.asking("hostile", SLICE, 9);
        String text = HOSTILE + "y".repeat(64 * 1024);
        pod.getMetadata().setName(HOSTILE);
        pod.getMetadata().setLabels(Map.of(text, text));
        pod.getSpec().getContainers().getFirst().setName(text);
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "hostile-1",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "name": %s, "namespace": "%s",
                 "resource": {"group": "", "version": "v1", "resource": "pods"}, "operation": "CREATE",
                 "dryRun": true, "object": %s}}
                """.formatted(Browser.quoted(HOSTILE), namespace, Pods.json(pod));
        assertThat(client.send(
                                HttpRequest.newBuilder(URI.create("https://localhost:" + webhook + "/mutate"))
                                        .header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(review))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        show(browser, "/decisions", "<img src=x");
        isHarmless(browser);
        show(browser, "/decisions/hostile-1", "How it was decided");
        isHarmless(browser);
    }

    private static void isHarmless(Browser browser) {
        assertThat(browser.value("window.harmed ?? 0").asInt()).isZero();
        assertThat(browser.value("document.querySelectorAll('main img, main script').length")
                        .asInt())
                .isZero();
        assertThat(browser.value("/[\\u202a-\\u202e\\u200b]/.test(document.body.innerText)")
                        .asBoolean())
                .isFalse();
        assertThat(browser.value("document.body.innerText.length").asInt()).isLessThan(20_000);
    }

    private static void canBeUsedByEverybody(Browser browser) throws IOException {
        for (String theme : new String[] {"light", "dark"}) {
            browser.theme(theme);
            for (String fragment : new String[] {"/fleet", "/capacity", "/flow", "/decisions", "/waiting", "/health"}) {
                var _ = browser.value("location.hash = " + Browser.quoted(fragment));
                browser.until(
                        "the gateway has answered",
                        "!document.querySelector('main').innerText.includes('Asking the gateway')");
                assertThat(browser.violations()).as("%s, %s", fragment, theme).isEmpty();
            }
        }
    }

    private static void signIn(Browser browser, TcpProxy door, String token, String namespace) {
        opened(browser, door);
        if (!namespace.isEmpty()) {
            browser.type(".sign-in input[name=namespace]", namespace);
        }
        browser.type(".sign-in input[name=token]", token);
        browser.press("Enter");
        browser.until("the page is live", "document.querySelector('.connection.live')");
    }

    private static void show(Browser browser, String fragment, String text) {
        var _ = browser.value("location.hash = " + Browser.quoted(fragment));
        browser.until(
                fragment + " shows " + text,
                "document.querySelector('main').innerText.includes(" + Browser.quoted(text) + ")");
    }

    private void readsAll(Browser browser, HttpClient client, String own, String other) {
        browser.until(
                "the use of the node is shown",
                "document.querySelector('.tile .bar')?.getAttribute('aria-label').includes('3 used')");
        show(browser, "/capacity?resource=" + SLICE.replace("/", "%2F"), own);
        assertThat(browser.text(".holders li")).contains(own, "2");
        show(browser, "/decisions", "No GPU pod has been decided about yet.");
        decided(client, other, SECRET + "train");
        browser.until("the decision is shown", "document.querySelector('tbody .pod')");
        browser.click("tbody .pod");
        browser.until(
                "its record is shown", "document.querySelector('.record')?.innerText.includes('How it was decided')");
        show(browser, "/waiting", "never");
        show(browser, "/health", "ready");
        show(browser, "/what-if", "Paste or drop");
        browser.type("textarea", Pods.json(Pods.asking("try-it", SLICE, 2)));
        browser.click("form button.primary");
        browser.until("the answer is shown", "document.querySelector('.explained')?.innerText.includes('try-it')");
    }

    private void decided(HttpClient client, String namespace, String name) {
        Eventually.holds(
                "a pod is decided about",
                () -> client.send(TenantIT.review(webhook, namespace, name).build(), BodyHandlers.ofString())
                                .statusCode()
                        == 200);
    }

    private static void noticesTheEndOfTheGateway(Browser browser, Daemon gateway) throws Exception {
        gateway.kill();
        browser.until("the page says so", "document.querySelector('div.broken')");
        gateway.start();
        browser.until("the page is live again", "document.querySelector('.connection.live')");
    }

    private static void readsItsOwn(Browser browser, String other) {
        for (String fragment : new String[] {"/decisions", "/waiting", "/capacity", "/flow", "/fleet"}) {
            var _ = browser.value("location.hash = " + Browser.quoted(fragment));
            browser.until(
                    "the gateway has answered",
                    "!document.querySelector('main').innerText.includes('Asking the gateway')");
            assertThat(browser.text("main")).as(fragment).doesNotContain(other).doesNotContain(SECRET + "train");
        }
        show(browser, "/waiting", "never");
        show(browser, "/decisions", "own-train");
        assertThat(browser.value("document.querySelectorAll('main .note').length")
                        .asInt())
                .isZero();
        show(browser, "/fleet?node=gpu-a", "The pods on the node are not shown");
        assertThat(browser.text(".device .facts")).as("counts instead of names").contains("Used\n3");
        show(browser, "/health", "gpu-webhook-metrics-reader grants");
    }
}
