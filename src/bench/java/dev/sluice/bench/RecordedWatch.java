package dev.sluice.bench;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.kube.watch.PodReflectorAccess;
import dev.sluice.kube.watch.WatcherVerticle;
import dev.sluice.lease.DecisionVerticle;
import dev.sluice.ledger.LedgerStatistics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists and watches a large recorded cluster over HTTP, as the gateway does in availability mode, and compares the
 * ledger with a recount of the recording: after all changes were told, and after the cluster was listed again. It ends
 * with an error at the first difference.
 */
final class RecordedWatch {

    private static final long LONGEST_STAGE_MINUTES = 30;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(3));
    private final LoopMeter meter = new LoopMeter();
    private final URI api;
    private final Progress progress;

    private RecordedWatch(URI api, long lastVersion) {
        this.api = api;
        this.progress = new Progress(lastVersion);
    }

    /** The arguments are those of {@link RecordedApi}. */
    public static void main(String[] args) throws Exception {
        System.out.println(
                "JVM: " + String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        Process server = server(args);
        int exit = 1;
        try (BufferedReader out = server.inputReader()) {
            URI api = URI.create(out.readLine());
            new RecordedWatch(api, Recording.LISTED + Long.parseLong(args[2])).run();
            exit = 0;
        } catch (ExecutionException | IllegalStateException failed) {
            System.out.println(failed);
        } finally {
            // It ends with its input.
            server.getOutputStream().close();
        }
        System.exit(exit);
    }

    private static Process server(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-classpath",
                System.getProperty("java.class.path"),
                RecordedApi.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void run() throws Exception {
        Topic.install(vertx);
        InstantSource clock = InstantSource.system();
        Path kubeconfig = Files.writeString(Files.createTempFile("recorded", ".kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{ name: recorded, cluster: { server: "%s" } }]
                users: [{ name: recorded, user: { token: recorded } }]
                contexts: [{ name: recorded, context: { cluster: recorded, user: recorded } }]
                current-context: recorded
                """.formatted(api));
        try (KubernetesClient client = KubernetesClientFactory.open(kubeconfig, null, KubeconfigAdvice.OPTIONS)) {
            DecisionVerticle decision =
                    new DecisionVerticle(policy(), Optional.empty(), clock, WatcherVerticle.FRESHNESS_LIMIT);
            await(vertx.deployVerticle(meter.on("the ledger", decision)));
            await(vertx.deployVerticle(progress));
            meter.restart();
            await(vertx.deployVerticle(
                    meter.on("the watcher", new WatcherVerticle(client, clock, PodReflectorAccess.REQUIRED))));
            await(progress.listed);
            tell("listed", progress.counted());
            await(progress.told);
            tell("watched", progress.counted());
            compare();
            meter.restart();
            var _ = get("/forget");
            await(progress.relisted);
            tell("listed again", progress.counted());
            compare();
            System.out.println("The audit of the list found " + await(progress.audited));
            System.out.printf("%,d MiB of heap are reachable%n", Heap.used() >> 20);
            await(vertx.close());
        } finally {
            Files.delete(kubeconfig);
        }
    }

    private static ActivePolicy policy() {
        return ActivePolicy.first(new Policies(SampleCluster.AVAILABILITY, Map.of()), Injector.NONE);
    }

    /** The question is answered after the events that were published before it. */
    private void tell(String what, long count) throws Exception {
        await(usage());
        System.out.printf("%s: %,d in %s%n", what, count, meter.taken().per(count));
        meter.restart();
    }

    private Future<ClusterUsageReply> usage() {
        return Service.USAGE.ask(vertx, new ClusterUsageReply.UsageQuestion()).recover(_ -> usage());
    }

    private void compare() throws Exception {
        String recount = get("/recount");
        Recount.difference(recount, await(usage())).ifPresent(difference -> {
            throw new IllegalStateException("The ledger is wrong: " + difference);
        });
        System.out.printf(
                "exact: the ledger agrees with the recount in %,d nodes%n",
                recount.lines().count() - 1);
    }

    private String get(String path) throws IOException {
        try (InputStream body = api.resolve(path).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @CanIgnoreReturnValue
    private static <T> T await(Future<T> future) throws Exception {
        return await(future.toCompletionStage().toCompletableFuture());
    }

    @CanIgnoreReturnValue
    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(LONGEST_STAGE_MINUTES, TimeUnit.MINUTES);
    }

    /** Follows what the watcher publishes. Whatever is not as it should be ends the measurement. */
    private static final class Progress extends VerticleBase {
        private final long lastVersion;
        private final CompletableFuture<Void> listed = new CompletableFuture<>();
        private final CompletableFuture<Void> told = new CompletableFuture<>();
        private final CompletableFuture<Void> relisted = new CompletableFuture<>();
        private final CompletableFuture<LedgerStatistics.AuditDifference> audited = new CompletableFuture<>();
        private final AtomicLong counted = new AtomicLong();
        private final Set<String> ended = new HashSet<>();
        private int lists;

        Progress(long lastVersion) {
            this.lastVersion = lastVersion;
        }

        /** Objects that were listed, or events that were told, since this was asked for the last time. */
        long counted() {
            return counted.getAndSet(0);
        }

        @Override
        public Future<?> start() {
            Topic.CLUSTER_EVENTS.subscribe(vertx, this::follow);
            Topic.RELIST_REQUESTS.subscribe(vertx, _ -> fail("an event could not be counted"));
            Topic.WATCH_STATUS.subscribe(vertx, this::status);
            Topic.LEDGER_STATISTICS.subscribe(vertx, statistics -> {
                if (relisted.isDone()) {
                    audited.complete(statistics.auditDifference());
                }
            });
            return Future.succeededFuture();
        }

        private void status(WatchStatusMessage status) {
            if (!status.problem().isEmpty()) {
                fail(status.source() + ": " + status.problem());
            } else if (status.unreadable().total() > 0) {
                fail("objects cannot be read: " + status.unreadable());
            }
        }

        private void fail(String why) {
            List.of(listed, told, relisted, audited)
                    .forEach(stage -> stage.completeExceptionally(new IllegalStateException(why)));
        }

        private void follow(ClusterEvent event) {
            switch (event) {
                case NodeEvent.NodesPage(var page) -> counted.addAndGet(page.size());
                case PodEvent.PodsPage(var page) -> counted.addAndGet(page.size());
                case NodeEvent.NodeListEnded _, PodEvent.ListEnded _ -> listEnded();
                case NodeEvent.NodesBookmark(long version) -> bookmark("nodes", version);
                case PodEvent.PodsBookmark(long version) -> bookmark("pods", version);
                case NodeEvent.NodeSeen _, NodeEvent.NodeRemoved _, PodEvent.PodSeen _, PodEvent.PodRemoved _ ->
                    counted.incrementAndGet();
                default -> {}
            }
        }

        private void listEnded() {
            lists++;
            if (lists == 2) {
                listed.complete(null);
            } else if (lists == 4) {
                relisted.complete(null);
            }
        }

        private void bookmark(String kind, long version) {
            if (version == lastVersion && ended.add(kind) && ended.size() == 2) {
                told.complete(null);
            }
        }
    }
}
