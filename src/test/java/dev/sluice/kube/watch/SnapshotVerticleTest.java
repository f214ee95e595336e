package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.files.FileWatcher;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotVerticleTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));

    private final Vertx vertx = Vertx.vertx();
    private LedgerProbe ledger;

    @TempDir
    private Path directory;

    @BeforeEach
    void listensFirst() throws Exception {
        Topic.install(vertx);
        ledger = new LedgerProbe(vertx);
    }

    @AfterEach
    void stopsEverything() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void serve(Path file) throws Exception {
        var _ = await(vertx.deployVerticle(new SnapshotVerticle(file, CLOCK, Duration.ofMillis(5))));
    }

    /** At once: a file that is still being written could be read before its end, and told as a problem of its own. */
    private void replace(Path file, String text) throws Exception {
        var _ = Files.move(Files.writeString(directory.resolve("next"), text), file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String node(String name, int gpus) {
        return "kind: Node\nmetadata: {name: " + name + "}\nstatus: {allocatable: {nvidia.com/gpu: " + gpus + "}}\n";
    }

    private void awaitGpus(Map<String, Long> expected) throws Exception {
        ledger.awaitThat(probe -> probe.gpus().equals(expected));
    }

    @Test
    void doesNotStartWithoutAGoodFile() {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> serve(missing))
                .hasCauseInstanceOf(ClusterStateException.class)
                .hasMessageContaining(missing + " does not exist");
        assertThat(ledger.isSynced()).isFalse();
    }

    @Test
    void seesAFileThatIsWrittenAnew() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 8));
        serve(file);
        awaitGpus(Map.of("a", 8L));
        Files.writeString(file, node("a", 0));
        awaitGpus(Map.of("a", 0L));
        Files.writeString(file, node("a", 0) + "---\n" + node("b", 1));
        awaitGpus(Map.of("a", 0L, "b", 1L));
    }

    @Test
    void countsHowOftenTheFileWasReadAgain() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 8));
        serve(file);
        for (int gpus = 1; gpus <= 2; gpus++) {
            replace(file, node("a", gpus));
            awaitGpus(Map.of("a", (long) gpus));
        }
        ledger.awaitThat(probe -> probe.status().relists() == 2);
    }

    /** As that of a live cluster does: otherwise the log seems to tell one thing twice. */
    @Test
    void theStatusSaysOfWhichKindOfObjectsItIs() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 8));
        serve(file);
        ledger.awaitThat(probe -> probe.status().source().equals("nodes of the snapshot file"));
    }

    /** Everybody may read the status who reaches the management port. */
    @Test
    void theStatusDoesNotSayWhereTheFileIs() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 8));
        serve(file);
        Files.writeString(file, "hello");
        ledger.awaitThat(probe -> probe.status().problem().startsWith("the snapshot file, line 1: "));
    }

    @Test
    void seesAFileThatIsReplaced() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 1));
        serve(file);
        awaitGpus(Map.of("a", 1L));
        Path next = Files.writeString(directory.resolve("next"), node("a", 2));
        Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        awaitGpus(Map.of("a", 2L));
    }

    @Test
    void seesAMountedConfigMapChange() throws Exception {
        Path old = Files.createDirectory(directory.resolve("..v1"));
        Path young = Files.createDirectory(directory.resolve("..v2"));
        Files.writeString(old.resolve("cluster"), node("a", 1));
        Files.writeString(young.resolve("cluster"), node("a", 2));
        Path data = Files.createSymbolicLink(directory.resolve("..data"), old);
        Path file = Files.createSymbolicLink(directory.resolve("cluster"), data.resolve("cluster"));
        serve(file);
        awaitGpus(Map.of("a", 1L));
        Path swapped = Files.createSymbolicLink(directory.resolve("..tmp"), young);
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE);
        awaitGpus(Map.of("a", 2L));
    }

    @Test
    void tellsThePodsAsAListAndThenThatNothingHasChanged() throws Exception {
        String pod = "kind: Pod\nmetadata: {name: p, namespace: team}\nspec: {nodeName: a}\n";
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 1) + "---\n" + pod);
        serve(file);
        PodEvent syncedUpToNow = new PodEvent.PodsSyncedUpTo(CLOCK.instant());
        ledger.awaitThat(probe -> Collections.frequency(probe.podEvents(), syncedUpToNow) > 2);
        assertThat(ledger.podEvents().subList(0, 4))
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("ListBegun", "PodsPage", "ListEnded", "PodsSyncedUpTo");
        assertThat(ledger.podEvents().get(1))
                .isInstanceOfSatisfying(
                        PodEvent.PodsPage.class,
                        page -> assertThat(page.pods()).extracting(Pod::name).containsExactly("team/p"));
        assertThat(ledger.podEvents().get(2)).isEqualTo(new PodEvent.ListEnded(0, CLOCK.instant()));
        ledger.awaitThat(probe -> probe.podStatus().isSynced());
    }

    @Test
    void saysNothingOfTheMomentWhileTheFileIsBroken() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), "kind: Node");
        FileWatcher<SnapshotFile.SnapshotContents, ClusterStateException> watcher = SnapshotVerticle.watcher(file);
        assertThatThrownBy(watcher::first).isInstanceOf(ClusterStateException.class);
        assertThat(watcher.poll()).isInstanceOf(FileWatcher.Poll.ContentsUnknown.class);
        Files.writeString(file, node("a", 1));
        assertThat(watcher.poll()).as("it may still be written").isInstanceOf(FileWatcher.Poll.ContentsUnknown.class);
        assertThat(watcher.poll()).isInstanceOf(FileWatcher.Poll.Changed.class);
        assertThat(watcher.poll()).isInstanceOf(FileWatcher.Poll.Unchanged.class);
    }

    @Test
    void keepsTheLastGoodOneWhileTheFileIsBrokenOrGone() throws Exception {
        Path file = Files.writeString(directory.resolve("cluster"), node("a", 8));
        serve(file);
        replace(file, "{\"kind\": \"List\", \"items\": [");
        ledger.awaitThat(probe -> probe.status().problem().contains("cut short"));
        replace(file, "{\"kind\": \"List\"}");
        ledger.awaitThat(probe -> probe.status().problem().contains("items is missing"));
        Files.delete(file);
        ledger.awaitThat(probe -> probe.status().problem().contains("does not exist"));
        assertThat(ledger.gpus()).isEqualTo(Map.of("a", 8L));
        assertThat(ledger.status().failures()).as("each problem is told once").isEqualTo(3);
        Files.writeString(file, node("b", 1));
        awaitGpus(Map.of("b", 1L));
        ledger.awaitThat(probe -> probe.status().problem().isEmpty());
    }
}
