package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Starts the packaged gateway as a user would, with a snapshot file, and prints when it is ready, what it then weighs,
 * and what it weighs after many reviews over HTTPS.
 */
final class Footprint {

    private static final int NODES = Integer.getInteger("footprint.nodes", 5_000);
    private static final int REVIEWS = Integer.getInteger("footprint.reviews", 20_000);
    private static final int CONNECTIONS = 8;

    private Footprint() {}

    /** The argument is the directory that {@code mvn package} lays out. */
    public static void main(String[] arguments) throws Exception {
        Path sluice = Path.of(arguments[0], "bin", "sluice");
        Path room = Files.createTempDirectory("footprint");
        Path cluster = room.resolve("cluster.json");
        SampleCluster.write(NODES, cluster);
        System.out.printf("%,d nodes in %,d KB of JSON%n", NODES, Files.size(cluster) / 1024);
        make(sluice, room);
        // What the client itself must load is loaded before the clock starts.
        GatewayClient client = GatewayClient.trusting(room.resolve("ca.crt"));
        Path config = configure(room, client);
        long start = System.nanoTime();
        Process gateway = new ProcessBuilder(
                        sluice.toString(),
                        "serve",
                        "--config",
                        config.toString(),
                        "--cluster-snapshot",
                        cluster.toString())
                .redirectError(room.resolve("log").toFile())
                .start();
        try {
            measure(gateway, client, start);
        } finally {
            gateway.destroy();
        }
        if (!gateway.waitFor(15, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the gateway did not stop");
        }
    }

    private static void make(Path sluice, Path room) throws IOException, InterruptedException {
        int exit = new ProcessBuilder(sluice.toString(), "certs", "make", "--dir", room.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("certs make ended with " + exit);
        }
    }

    private static Path configure(Path room, GatewayClient client) throws IOException {
        return Files.writeString(room.resolve("gateway.yaml"), """
                webhook:    { host: 127.0.0.1, port: %d }
                tls:        { certificate: %s, key: %s }
                management: { host: 127.0.0.1, port: %d }
                """.formatted(
                client.webhookPort(), room.resolve("tls.crt"), room.resolve("tls.key"), client.managementPort()));
    }

    private static void measure(Process gateway, GatewayClient client, long start) throws Exception {
        while (!client.isReady()) {
            if (!gateway.isAlive()) {
                throw new IllegalStateException("the gateway ended with " + gateway.exitValue());
            }
        }
        System.out.printf("ready after %d ms%n", millisSince(start));
        client.admit(0, 1);
        System.out.printf("first review answered after %d ms; %s%n", millisSince(start), weight(gateway));
        long load = System.nanoTime();
        client.admitAll(REVIEWS, CONNECTIONS);
        System.out.printf(
                "%,d reviews over %d connections took %d ms; %s%n",
                REVIEWS, CONNECTIONS, millisSince(load), weight(gateway));
    }

    private static long millisSince(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** As the kernel counts it: resident now, the most it ever was, and the processor time so far. */
    private static String weight(Process gateway) throws IOException {
        long cpu = gateway.info().totalCpuDuration().orElseThrow().toMillis();
        Path status = Path.of("/proc", String.valueOf(gateway.pid()), "status");
        return "resident %d MiB, at most %d MiB, %d threads, %d ms of processor time"
                .formatted(
                        field(status, "VmRSS:") / 1024, field(status, "VmHWM:") / 1024, field(status, "Threads:"), cpu);
    }

    private static long field(Path status, String name) throws IOException {
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split(" ", 2)[0])
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }
}
