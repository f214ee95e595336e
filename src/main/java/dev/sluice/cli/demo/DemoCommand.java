package dev.sluice.cli.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.ListenFailedException;
import dev.sluice.app.SluiceParts;
import dev.sluice.cli.ServeUntilStopped;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.explain.ExplainPostedManifests;
import dev.sluice.config.GatewayConfig;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice demo}. It runs the real gateway with a cluster that exists only in memory. */
@Command(
        name = "demo",
        header = "Shows the real gateway at work on an embedded cluster.",
        description = {
            "",
            "Makes certificates, serves the gateway on https://localhost:8443, sends it the pods of conf/demo over"
                    + " HTTPS, and prints what each asked, got and why. Then it serves on until Ctrl-C.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice demo                 the tour, and then the gateway to play with",
            "  sluice demo --once          only the tour; exit code 1 if a demo pod gets no answer",
            "  sluice demo --port 18443 --management-port 19090",
            "",
            "Exit codes: 1 the gateway did not answer a demo pod; 2 a file of the tour cannot be read, or the"
                    + " gateway cannot start."
        })
public final class DemoCommand implements Callable<Integer> {

    private static final String HOST = "127.0.0.1";
    private static final Duration VALID = Duration.ofDays(7);
    private static final Duration DIAGNOSIS_PAUSE = Duration.ofSeconds(10);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Option(names = "--once", description = "End after the tour.")
    private boolean once;

    @Mixin
    private final DemoPorts ports;

    public DemoCommand(Map<String, String> environment) {
        ports = new DemoPorts(environment);
    }

    @Override
    public Integer call() throws IOException {
        DemoPorts.Chosen chosen = ports.chosen();
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), VALID);
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of(HOST));
        ServerTls tls = ServerTls.open(authority.issue(names, Instant.now(), VALID), TlsEngine.best());
        DemoFacts facts = new DemoFacts();
        SluiceParts parts = new SluiceParts(
                        tls.secure(new HttpServerOptions().setHost(HOST).setPort(chosen.webhook())),
                        GatewayConfig.Webhook.DEFAULT.maxBodyBytes(),
                        new HttpServerOptions().setHost(HOST).setPort(chosen.management()),
                        ActivePolicy.DEFAULT,
                        ReloadedPolicySource.FIXED,
                        new ClusterSource.Embedded(Optional.of(facts)))
                .diagnosing(once ? Duration.ZERO : DIAGNOSIS_PAUSE)
                .explainedBy(new ExplainPostedManifests());
        List<String> taken = ListenFailedException.taken(parts);
        if (!taken.isEmpty()) {
            taken.forEach(message -> terminal.err().println("sluice: " + message));
            return ExitCode.WRONG_USE;
        }
        Path trusted = trusted(authority);
        decisionLog(Level.WARN);
        return ServeUntilStopped.untilStopped(
                parts, sluice -> tour(sluice, facts, authority, trusted, chosen), terminal.err());
    }

    /**
     * Writes the certificate of the authority to a file. With this file, curl trusts the gateway while the demo runs.
     */
    private static Path trusted(CertificateAuthority authority) throws IOException {
        Path file = Files.createTempFile("sluice-demo-ca", ".crt");
        file.toFile().deleteOnExit();
        return Files.writeString(file, authority.certificatePem());
    }

    private OptionalInt tour(
            AssembledGateway sluice,
            DemoFacts facts,
            CertificateAuthority authority,
            Path trusted,
            DemoPorts.Chosen ports)
            throws InterruptedException {
        URI webhook = URI.create("https://localhost:" + ports.webhook());
        URI management = URI.create("http://localhost:" + ports.management());
        DemoStage stage = new EmbeddedDemoStage(sluice, webhook, authority.certificatePem());
        DemoTour tour = new DemoTour(
                stage,
                home().resolve("conf/demo"),
                new DemoTour.Addresses(webhook, management, trusted, launcher()),
                terminal.page(),
                terminal.err());
        int code = tour.play(once ? DemoTour.Afterwards.ENDS : DemoTour.Afterwards.SERVES_ON);
        if (once || code != 0) {
            return OptionalInt.of(code);
        }
        // The log is switched on after the last decision of the tour was recorded, so that it shows only decisions
        // about the pods that the user creates.
        var _ = sluice.recorded().toCompletionStage().toCompletableFuture().join();
        decisionLog(Level.INFO);
        facts.shown(home().resolve("conf/demo").resolve(DemoTour.FLEET));
        terminal.page().line();
        terminal.page().line("Serving on until Ctrl-C.");
        terminal.out().flush();
        return OptionalInt.empty();
    }

    private static void decisionLog(Level level) {
        if (LoggerFactory.getLogger("dev.sluice") instanceof Logger logger) {
            logger.setLevel(level);
        }
    }

    /**
     * Returns the installation directory that the launcher has set. If none is set, returns the working directory,
     * which is then the checkout.
     */
    private static Path home() {
        return Path.of(System.getProperty("sluice.home", ""));
    }

    private static String launcher() {
        Path own = home().resolve("bin/sluice");
        Path built = Path.of("target/sluice/bin/sluice");
        return Files.exists(own)
                ? DemoTour.Addresses.launcher(own)
                : Files.exists(built) ? built.toString() : "mvn -q package -DskipTests && " + built;
    }
}
