package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.log.LogLines;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

@Timeout(30)
class DiagnosisVerticleTest {

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<DiagnosisState> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        Topic.install(vertx);
        Topic.DIAGNOSES.subscribe(vertx, told::add);
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void aReadingThatLastsTooLongIsGivenUpAndNoneRunsBesideIt() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        LiveFactsReader hanging = () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                Thread.sleep(Duration.ofMinutes(5));
                throw new ClusterStateException("it was not stopped");
            } catch (InterruptedException stopped) {
                throw new ClusterStateException("it took too long");
            } finally {
                running.decrementAndGet();
            }
        };
        vertx.deployVerticle(new DiagnosisVerticle(
                        hanging, Duration.ofMillis(1), InstantSource.system(), Duration.ofMillis(100)))
                .await();

        assertThat(told.take()).isEqualTo(new DiagnosisState.Begun());
        assertThat(told.take()).isEqualTo(new DiagnosisState.NotDiagnosed("it took too long"));
        assertThat(told.take()).isEqualTo(new DiagnosisState.NotDiagnosed("it took too long"));
        assertThat(most).hasValue(1);
    }

    @Test
    void theLogSaysTheReasonInWords() throws Exception {
        LogLines lines = new LogLines();
        Logger log = (Logger) LoggerFactory.getLogger(DiagnosisVerticle.class);
        log.addAppender(lines);
        try {
            LiveFactsReader refused = () -> {
                throw new ClusterStateException("nodes may not be listed");
            };
            vertx.deployVerticle(new DiagnosisVerticle(refused, Duration.ofMillis(1), InstantSource.system()))
                    .await();
            assertThat(told.take()).isEqualTo(new DiagnosisState.Begun());
            assertThat(told.take()).isEqualTo(new DiagnosisState.NotDiagnosed("nodes may not be listed"));
        } finally {
            log.detachAppender(lines);
        }

        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .containsExactly(new KeyValuePair("reason", "nodes may not be listed")));
    }

    @Test
    void aFaultIsToldAndTheNextReadingIsMade() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        LiveFactsReader broken = () -> {
            if (readings.incrementAndGet() == 1) {
                throw new IllegalStateException("a fault");
            }
            throw new ClusterStateException("read " + readings);
        };
        vertx.deployVerticle(new DiagnosisVerticle(broken, Duration.ofMillis(1), InstantSource.system()))
                .await();

        assertThat(told.take()).isEqualTo(new DiagnosisState.Begun());
        assertThat(told.take()).isEqualTo(new DiagnosisState.NotDiagnosed("Sluice has a fault"));
        assertThat(told.take()).isEqualTo(new DiagnosisState.NotDiagnosed("read 2"));
    }

    /** The pause is nine times the processor time before it, so that the diagnosis takes a tenth of a processor. */
    @Test
    void theMoreAReadingTakesTheLongerIsThePause() throws Exception {
        AtomicLong cpu = new AtomicLong();
        LiveFactsReader expensive = new LiveFactsReader() {
            @Override
            public ClusterFacts read() {
                cpu.addAndGet(Duration.ofMinutes(1).toNanos());
                return new FactsCollector().facts();
            }

            @Override
            public long cpuNanos() {
                return cpu.get();
            }
        };
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        vertx.deployVerticle(new DiagnosisVerticle(expensive, Duration.ofMillis(1), clock))
                .await();

        assertThat(told.take()).isEqualTo(new DiagnosisState.Begun());
        assertThat(told.take())
                .asInstanceOf(InstanceOfAssertFactories.type(DiagnosisState.Known.class))
                .satisfies(known -> assertThat(known.nextDue()).isAfter(Instant.EPOCH.plus(Duration.ofMinutes(9))))
                .satisfies(known -> assertThat(known.isOverdue(Instant.EPOCH.plus(Duration.ofMinutes(9))))
                        .isFalse())
                .satisfies(known -> assertThat(known.isOverdue(Instant.EPOCH.plus(Duration.ofMinutes(15))))
                        .isTrue());
    }

    /** Pods and claims are listed at different moments, so that a pod can go between the two lists. */
    @Test
    void aPodIsMissingOnceTwoReadingsDoNotFindIt() throws Exception {
        Path file = directory.resolve("cluster.yaml");
        String golden = Files.readString(Path.of("src/test/resources/doctor/claim-of-a-pod-that-is-gone.yaml"));
        Files.writeString(file, golden.split("(?m)^---$", -1)[0]);
        ClusterFacts facts = FactsFiles.read(List.of(file));
        vertx.deployVerticle(new DiagnosisVerticle(() -> facts, Duration.ofMillis(1), InstantSource.system()))
                .await();

        assertThat(told.take()).isEqualTo(new DiagnosisState.Begun());
        assertThat(explanation(told.take())).contains("held by ml/old").doesNotContain("does not exist");
        assertThat(explanation(told.take())).contains("reserved for pod ml/old, which does not exist");
    }

    private static String explanation(DiagnosisState state) {
        return ((DiagnosisState.Known) state).report().pods().getFirst().explanation();
    }
}
