package dev.sluice.cli;

import dev.sluice.cli.console.ConnectionOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.GatewayNamespaceOption;
import dev.sluice.cli.console.RunningGatewayOption;
import dev.sluice.cli.console.RunningGatewayRoute;
import dev.sluice.cli.console.Terminal;
import dev.sluice.cli.console.UserProblem;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice console}. */
@Command(
        name = "console",
        header = "Shows the console of a running gateway in a browser.",
        description = {
            "",
            "Serves the console on the loopback address, until Ctrl-C, for the one browser that opens the address first."
                    + " The requests of the browser are passed on to the gateway with your token, which the browser"
                    + " does not get.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  sluice console                       one in the cluster of your kubeconfig; forwards its port",
            "  sluice console --token-file token    the same, with another token than that of your kubeconfig",
            "  sluice console --url https://gpu-webhook.example.com:9090 --token-file token --ca-file ca.crt",
            "  sluice console --no-browser          print the address, and open no browser",
            "",
            "Exit codes: 1 somebody else used the address; 2 wrong use, or the gateway does not answer."
        })
final class ConsoleCommand implements Callable<Integer> {

    /** Maps the beginning of an operating system's name to the command that opens an address in the browser. */
    private static final Map<String, String> OPENERS = Map.of("linux", "xdg-open", "mac", "open");

    @Mixin
    private final RunningGatewayOption gateway = new RunningGatewayOption();

    @Mixin
    private final ConnectionOption connection = new ConnectionOption();

    @Mixin
    private final GatewayNamespaceOption installation = new GatewayNamespaceOption();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The port on the loopback address; any free one without it.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private int port = 0;

    @Option(names = "--no-browser", description = "Print the address, and open no browser.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private boolean noBrowser = false;

    @Mixin
    private final Terminal terminal = new Terminal();

    @Override
    public Integer call() throws Exception {
        try (RunningGatewayRoute route = gateway.route(connection, installation.namespace())) {
            return serve(route);
        }
    }

    private int serve(RunningGatewayRoute route) throws UserProblem, InterruptedException {
        CountDownLatch betrayed = new CountDownLatch(1);
        Vertx vertx = Vertx.vertx();
        try {
            LoopbackProxy proxy =
                    new LoopbackProxy(vertx, route, new BrowserSession(Clock.systemUTC()), betrayed::countDown);
            var _ = proxy.listen(port).toCompletionStage().toCompletableFuture().get();
            show(proxy.address());
            betrayed.await();
            terminal.err()
                    .println("the address was opened twice, so somebody else knows it; nobody is admitted any more");
            return ExitCode.NO;
        } catch (ExecutionException failed) {
            throw new UserProblem("port " + port + " of the loopback address cannot be used: "
                    + String.valueOf(
                            failed.getCause() == null
                                    ? failed
                                    : failed.getCause().getMessage()));
        } finally {
            var _ = vertx.close();
        }
    }

    private void show(String address) {
        if (!noBrowser && hasOpened(address)) {
            terminal.out().println("The console was opened in your browser. Ctrl-C ends it.");
        } else {
            terminal.out().println(address);
            terminal.out()
                    .println("Open this address within " + BrowserSession.CODE_VALID.toMinutes()
                            + " minutes. It works once, in one browser. Ctrl-C ends it.");
        }
        terminal.out().flush();
    }

    private static boolean hasOpened(String address) {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Optional<String> opener = OPENERS.entrySet().stream()
                .filter(each -> system.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        if (opener.isEmpty()) {
            return false;
        }
        try {
            return new ProcessBuilder(opener.get(), address)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noBrowser) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
