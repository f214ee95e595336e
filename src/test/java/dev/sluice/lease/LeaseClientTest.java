package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lease.FakeLeaseServer.Fault;
import dev.sluice.lease.SharedLease.LeaseWriteAnswer;
import dev.sluice.lease.SharedLease.LeaseWriteAnswer.WriteRefused;
import dev.sluice.lease.SharedLease.LeaseWriteAnswer.Written;
import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicationStoredRecord;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseClientTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Member FIRST = new Member("gpu-webhook-1_u1", "10.0.0.1:8444");
    private static final Member SECOND = new Member("gpu-webhook-2_u2", "[fd00::2]:8444");
    private static final Member ALONE = new Member("gpu-webhook-3_u3", "");

    private final Vertx vertx = Vertx.vertx();
    private FakeLeaseServer server;
    private KubernetesClient kubernetes;
    private LeaseClient lease;

    @BeforeEach
    void startsTheServer() throws Exception {
        server = new FakeLeaseServer(vertx);
        kubernetes = server.client();
        lease = client(() -> NOON, Duration.ofSeconds(5));
    }

    @AfterEach
    void stopsEverything() throws Exception {
        kubernetes.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private LeaseClient client(InstantSource clock, Duration timeout) {
        return new LeaseClient(kubernetes, clock, timeout, timeout);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static InSyncRecord record(@Nullable Member holder, long term, long renewal, Member... members) {
        return new InSyncRecord(holder, term, new TreeSet<>(List.of(members)), renewal);
    }

    private String write(@Nullable String basis, InSyncRecord record) throws Exception {
        LeaseWriteAnswer answer = await(lease.write(basis, record));
        if (answer instanceof Written(String version, boolean _)) {
            return version;
        }
        throw new AssertionError("it was refused");
    }

    private ReplicationStoredRecord read() throws Exception {
        return await(lease.read()).orElseThrow();
    }

    @Test
    void readsNothingWhereThereIsNone() throws Exception {
        assertThat(await(lease.read())).isEmpty();
    }

    @Test
    void readsWhatItHasWritten() throws Exception {
        InSyncRecord record = record(FIRST, 7, 12, FIRST, SECOND, ALONE);
        String version = write(null, record);
        assertThat(read()).isEqualTo(new ReplicationStoredRecord(version, record, /* intact= */ true));

        InSyncRecord released = record(null, 8, 13, SECOND);
        String next = write(version, released);
        assertThat(read()).isEqualTo(new ReplicationStoredRecord(next, released, /* intact= */ true));
        assertThat(next).isNotEqualTo(version);
    }

    /** Shows availability-mode.md F12. */
    @Test
    void knowsThatThereWasALeaseWhichSomebodyHasDeleted() throws Exception {
        InSyncRecord record = record(FIRST, 7, 12, FIRST);
        assertThat(((Written) await(lease.write(null, record))).first()).isTrue();
        server.deleteLease();

        LeaseClient other = client(() -> NOON, Duration.ofSeconds(5));
        assertThat(((Written) await(other.write(null, record))).first()).isFalse();
    }

    /** If somebody deletes the Lease later, the replicas have to know that there was one. */
    @Test
    void marksTheLeaseThatAnEarlierReleaseHasCreated() throws Exception {
        InSyncRecord record = record(FIRST, 7, 12, FIRST);
        String version = write(null, record);
        CompletableFuture<Void> marked = server.forgetMark();
        LeaseClient other = client(() -> NOON, Duration.ofSeconds(5));
        assertThat(((Written) await(other.write(version, record))).first()).isFalse();

        var _ = await(marked);
    }

    /** Nobody knows then whether there was a Lease before. */
    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "TOO_MANY_REQUESTS"})
    void isNotTheFirstIfTheApiServerFailsToSaySo(Fault fault) throws Exception {
        server.onNextWrites(Fault.NONE, fault);

        assertThat(((Written) await(lease.write(null, record(FIRST, 7, 12, FIRST)))).first())
                .isFalse();
    }

    /** The first start would wait 49 s without need, each time. */
    @Test
    void isTheFirstIfItMayNotSaySo() throws Exception {
        server.onNextWrites(Fault.NONE, Fault.FORBIDDEN);

        assertThat(((Written) await(lease.write(null, record(FIRST, 7, 12, FIRST)))).first())
                .isTrue();
    }

    /** A release that knows no in-sync set stands by as long as the holder renews. */
    @Test
    void anEarlierReleaseReadsAUsualLease() throws Exception {
        String version = write(null, record(FIRST, 0, 0, FIRST));
        assertThat(server.told("holderIdentity")).isEqualTo(FIRST.identity());
        assertThat(server.told("leaseDurationSeconds")).isEqualTo(15);
        assertThat(server.told("leaseTransitions")).isEqualTo(0);
        assertThat(server.told("renewTime")).isEqualTo("2026-11-21T12:00:00.000000Z");

        lease = client(() -> NOON.plusSeconds(1), Duration.ofSeconds(5));
        assertThat(read().version()).isEqualTo(version);
        String renewed = write(version, record(FIRST, 0, 1, FIRST));
        assertThat(server.told("acquireTime")).isEqualTo("2026-11-21T12:00:00.000000Z");
        assertThat(server.told("renewTime")).isEqualTo("2026-11-21T12:00:01.000000Z");

        var _ = write(renewed, record(null, 1, 2));
        assertThat(server.told("holderIdentity")).isEqualTo("");
        assertThat(server.told("leaseDurationSeconds")).isEqualTo(1);
    }

    /** Each of its renewals shows that it is alive, and its announcements of successors do not. */
    @Test
    void readsTheLeaseOfAnEarlierReleaseAsNotIntact() throws Exception {
        var _ = write(null, record(FIRST, 3, 0, FIRST));
        server.rewrite("holderIdentity", "old_u9");
        ReplicationStoredRecord first = read();
        assertThat(first.intact()).isFalse();
        assertThat(first.content().holder()).isEqualTo(new Member("old_u9", ""));
        assertThat(first.content().term()).isEqualTo(3);
        assertThat(first.content().inSync()).isEmpty();

        server.annotate(LeaseFormat.SUCCESSOR, "somebody");
        assertThat(read().content()).isEqualTo(first.content());
        server.rewrite("renewTime", "2026-11-21T12:00:01.000000Z");
        assertThat(read().content()).isNotEqualTo(first.content());
    }

    @ParameterizedTest
    @CsvSource({
        "holderIdentity, gpu-webhook-2_u2",
        "holderIdentity, ''",
        "leaseTransitions, 6",
        "renewTime, 2026-11-21T12:00:00.000001Z"
    })
    void seesThatAFieldWasEdited(String field, String value) throws Exception {
        var _ = write(null, record(FIRST, 7, 12, FIRST, SECOND));
        server.rewrite(field, field.equals("leaseTransitions") ? (Object) Integer.valueOf(value) : value);
        assertThat(read().intact()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {LeaseFormat.IN_SYNC, LeaseFormat.RENEWAL, LeaseFormat.CHECKSUM})
    void seesThatAnAnnotationWasEdited(String key) throws Exception {
        var _ = write(null, record(FIRST, 7, 12, FIRST, SECOND));
        for (String value : List.of("", "1", "a b", "a", "a b,a b c", " ", "x".repeat(200_000), "9".repeat(50))) {
            server.annotateAlso(key, value);
            assertThat(read().intact()).isFalse();
        }
    }

    @Test
    void keepsNoMoreOfALongHolderThanNeeded() throws Exception {
        var _ = write(null, record(FIRST, 7, 12, FIRST));
        server.rewrite("holderIdentity", "x".repeat(100_000));
        assertThat(read().content().holder()).isEqualTo(new Member("x".repeat(512), ""));
    }

    /** A number of changes at its limit would otherwise keep everybody from taking the lease. */
    @Test
    void believesNoTermThatLeavesNoRoomForTheNext() throws Exception {
        var _ = write(null, record(FIRST, 7, 12, FIRST));
        server.rewrite("leaseTransitions", Integer.MAX_VALUE);
        assertThat(read().content().term()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000-01-01T00:00:00Z", "tomorrow", "2026-11-21T12:00:00"})
    void readsALeaseWhoseTimesNobodyCanRead(String time) throws Exception {
        String version = write(null, record(FIRST, 7, 12, FIRST));
        server.rewrite("renewTime", time);
        assertThat(read().intact()).isFalse();
        assertThat(read().version()).isNotEqualTo(version);
        InSyncRecord next = record(SECOND, 8, 14, SECOND);
        assertThat(write(read().version(), next)).isEqualTo(read().version());
        assertThat(read().content()).isEqualTo(next);
    }

    @Test
    void isRefusedWhereAnotherOneWasFaster() throws Exception {
        String version = write(null, record(FIRST, 0, 0, FIRST));
        var _ = write(version, record(FIRST, 0, 1, FIRST));
        assertThat(await(lease.write(version, record(SECOND, 1, 1, SECOND)))).isInstanceOf(WriteRefused.class);
        assertThat(await(lease.write(null, record(SECOND, 1, 1, SECOND)))).isInstanceOf(WriteRefused.class);
    }

    @Test
    void isRefusedWhereTheLeaseIsGoneOrAnother() throws Exception {
        String version = write(null, record(FIRST, 0, 0, FIRST));
        server.deleteLease();
        assertThat(await(lease.write(version, record(FIRST, 0, 1, FIRST)))).isInstanceOf(WriteRefused.class);
        String next = write(null, record(SECOND, 1, 0, SECOND));
        assertThat(LeaseFormat.uid(next)).isNotEqualTo(LeaseFormat.uid(version));
        assertThat(await(lease.write(version, record(FIRST, 0, 1, FIRST)))).isInstanceOf(WriteRefused.class);
    }

    /** A write without the uid of that Lease would make it anew. */
    @Test
    void isRefusedWhereTheLeaseIsGoneAlthoughALaterVersionWasReadMeanwhile() throws Exception {
        String version = write(null, record(FIRST, 0, 0, FIRST));
        server.annotateAlso("example.com/owner", "platform");
        assertThat(read().version()).isNotEqualTo(version);
        server.deleteLease();

        assertThat(await(lease.write(version, record(FIRST, 0, 1, FIRST)))).isInstanceOf(WriteRefused.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "NO_JSON"})
    void failsToReadWhatIsNotUnderstood(Fault fault) {
        server.onNextReads(fault);
        assertThatThrownBy(() -> await(lease.read())).isNotNull();
        assertThat(server.asked()).containsExactly("GET");
    }

    /** It may have taken effect, and it is not repeated. */
    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "NO_JSON", "ANSWER_LOST"})
    void failsToWriteWhereNoAnswerIsUnderstood(Fault fault) {
        server.onNextWrites(fault);
        assertThatThrownBy(() -> await(lease.write(null, record(FIRST, 0, 0, FIRST))))
                .isNotNull();
        assertThat(server.asked()).containsExactly("POST");
    }

    /** If the answer were a refusal, the replica would read and write again at once, without end or a log line. */
    @Test
    void failsToCreateTheLeaseWhereItsNamespaceIsMissing() {
        server.onNextWrites(Fault.NO_NAMESPACE);
        assertThatThrownBy(() -> await(lease.write(null, record(FIRST, 0, 0, FIRST))))
                .isNotNull();
        assertThat(server.asked()).containsExactly("POST");
    }

    @Test
    void doesNotWaitForeverForAnAnswer() throws Exception {
        LeaseClient impatient = client(() -> NOON, Duration.ofSeconds(1));
        server.onNextReads(Fault.SILENT);
        assertThatThrownBy(() -> await(impatient.read())).isNotNull();
        assertThat(await(impatient.read())).isEmpty();
    }

    /** Admission webhooks delay writes only: availability-mode.md F20. */
    @Test
    void waitsLongerForAWriteThanForARead() throws Exception {
        LeaseClient client = new LeaseClient(kubernetes, () -> NOON, Duration.ofMillis(200), Duration.ofSeconds(10));
        server.onNextWrites(Fault.SLOW);
        assertThat(await(client.write(null, record(FIRST, 0, 0, FIRST)))).isInstanceOf(Written.class);

        server.onNextReads(Fault.SLOW);
        assertThatThrownBy(() -> await(client.read())).isNotNull();
    }

    @Test
    void keepsWhatOthersHaveWrittenBesideIt() throws Exception {
        String version = write(null, record(FIRST, 0, 0, FIRST));
        server.annotateAlso("example.com/owner", "platform");
        server.annotateAlso(LeaseFormat.SUCCESSOR, "of an earlier release");
        assertThat(read().intact()).isTrue();
        assertThat(read().version()).isNotEqualTo(version);
        var _ = write(read().version(), record(FIRST, 0, 1, FIRST));
        assertThat(server.annotations())
                .containsEntry("example.com/owner", "platform")
                .doesNotContainKey(LeaseFormat.SUCCESSOR);
    }
}
