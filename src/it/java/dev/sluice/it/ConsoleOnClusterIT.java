package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import java.net.http.HttpClient;
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

    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
    private final int webhook = Ports.free();
    private final int port = Ports.free();

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
        try (Browser browser = new Browser(directory);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(Trust.in(authority)).build()) {
            browser.size(1280, 900);
            signIn(browser, token(cluster), "");
            readsAll(browser, client, own, other);
            noticesTheEndOfTheGateway(browser, gateway);
            signIn(browser, tenant, own);
            decided(client, own, "own-train");
            readsItsOwn(browser, other);
            assertThat(browser.errors()).isEmpty();
        } finally {
            gateway.stop();
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

    private void signIn(Browser browser, String token, String namespace) {
        Eventually.holds("the page is served", () -> {
            browser.open("https://localhost:" + port + "/console/");
            return browser.value("document.title.includes('Sluice')").asBoolean();
        });
        browser.until("the page asks for a token", "document.querySelector('.sign-in')");
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
    }
}
