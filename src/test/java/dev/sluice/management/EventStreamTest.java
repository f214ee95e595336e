package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.DocumentResponse;
import dev.sluice.api.FleetDocuments;
import dev.sluice.management.FleetApi.FleetReply;
import dev.sluice.management.StreamQuery.FleetWish;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedStreamEvent;
import dev.sluice.record.SampleRecords;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream of events behind a real server, with clients that read it and clients that do not (contracts.md 2.10). */
class EventStreamTest {

    private final AtomicLong missed = new AtomicLong();
    private final Semaphore vanished = new Semaphore(0);
    private final BlockingQueue<Set<String>> asked = new LinkedBlockingQueue<>();
    private final AtomicReference<Future<FleetReply>> news =
            new AtomicReference<>(Future.succeededFuture(new FleetReply("v1", Optional.empty(), Map.of())));
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private volatile EventStream events = stream(/* checksRights= */ false);
    private int port;

    private EventStream stream(boolean checksRights) {
        return new EventStream(
                new ApiEventEncoder("p"),
                loop,
                missed::addAndGet,
                new EventStreamReplica("self", /* decides= */ true, Optional.empty()),
                this::news,
                checksRights);
    }

    @BeforeEach
    void listen() throws Exception {
        var listening = Promise.<HttpServer>promise();
        loop.runOnContext(_ -> vertx.createHttpServer()
                .requestHandler(this::open)
                .listen(0, "127.0.0.1")
                .onComplete(listening));
        port = await(listening.future()).actualPort();
    }

    private void open(HttpServerRequest request) {
        if (Objects.equals(request.path(), "/late")) {
            request.response().closeHandler(_ -> {
                assertThat(events.open(
                                request,
                                new StreamQuery(
                                        Optional.empty(),
                                        /* isOfTenant= */ false,
                                        Optional.empty(),
                                        OptionalInt.empty())))
                        .isEmpty();
                vanished.release();
            });
            return;
        }
        Optional<DocumentResponse> refusal = events.open(request, query(request));
        refusal.ifPresent(
                answer -> request.response().setStatusCode(answer.status()).end(answer.json()));
    }

    private Future<FleetReply> news(List<String> labels, Set<String> versions) {
        asked.add(versions);
        return news.get();
    }

    /** Reads the query of a request as the management port does, but the path tells whether it is of a tenant. */
    private static StreamQuery query(HttpServerRequest request) {
        return new StreamQuery(
                Optional.ofNullable(request.getParam("namespace")),
                Objects.equals(request.path(), "/tenant"),
                Optional.ofNullable(request.getParam("fleet")).map(version -> new FleetWish(List.of(), version)),
                Optional.ofNullable(request.getParam("perSecond")).stream()
                        .mapToInt(Integer::parseInt)
                        .findFirst());
    }

    @AfterEach
    void close() {
        var _ = vertx.close();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** Does something on the event loop that owns the stream, and waits until it is done. */
    private void onLoop(Consumer<EventStream> action) throws Exception {
        var done = Promise.<Boolean>promise();
        loop.runOnContext(_ -> {
            action.accept(events);
            done.complete(true);
        });
        assertThat(await(done.future())).isTrue();
    }

    private void happen(int from, int to) throws Exception {
        onLoop(stream -> {
            for (int i = from; i <= to; i++) {
                stream.add(List.of(new RecordedStreamEvent.CapacityChanged(i, 1)));
            }
        });
    }

    /** A connection whose request was sent; the head of the answer has been read when it is returned. */
    private final class Reader implements AutoCloseable {

        private final Socket socket = new Socket();
        private final BufferedReader lines;
        final String status;
        final List<String> head = new ArrayList<>();

        Reader(String lastId) throws IOException {
            this(lastId, "127.0.0.1");
        }

        /** A client at another address of the loopback network. */
        Reader(String lastId, String address) throws IOException {
            this(lastId, address, "/");
        }

        Reader(String lastId, String address, String uri) throws IOException {
            socket.bind(new InetSocketAddress(address, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            String resume = lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n";
            out.write(("GET " + uri + " HTTP/1.1\r\nHost: x\r\n" + resume + "\r\n").getBytes(StandardCharsets.UTF_8));
            status = lines.readLine();
            String line = lines.readLine();
            while (line != null && !line.isEmpty()) {
                head.add(line);
                line = lines.readLine();
            }
        }

        /** The next lines that begin so, without that. */
        List<String> next(String prefix, int count) throws IOException {
            List<String> found = new ArrayList<>();
            while (found.size() < count) {
                String line = lines.readLine();
                assertThat(line).as("after %s", found).isNotNull();
                if (line.startsWith(prefix)) {
                    found.add(line.substring(prefix.length()));
                }
            }
            return found;
        }

        Stream<String> linesUntil(String last) {
            return lines.lines().takeWhile(line -> !line.equals(last));
        }

        /** Whether the server has ended the connection, once everything before that is read. */
        boolean isEnded() throws IOException {
            try {
                while (lines.readLine() != null) {
                    // What was sent before the end does not matter.
                }
                return true;
            } catch (SocketException _) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void whatHappensIsToldInOrder() throws Exception {
        try (Reader reader = new Reader("")) {
            happen(1, 3);

            assertThat(reader.next("id: ", 4)).containsExactly("p-e0", "p-e1", "p-e2", "p-e3");
        }
    }

    @Test
    void aBatchIsToldInOrderToEachClientInFewWrites() throws Exception {
        List<String> expected =
                IntStream.rangeClosed(0, 250).mapToObj(number -> "p-e" + number).toList();
        try (Reader all = new Reader("");
                Reader another = new Reader("");
                Reader tenant = new Reader("", "127.0.0.1", "/tenant?namespace=team-a")) {
            onLoop(stream -> stream.add(IntStream.rangeClosed(1, 250)
                    .mapToObj(number -> decisionIn(number % 100 == 0 ? "team-a" : "team-b"))
                    .toList()));

            assertThat(all.next("id: ", 251)).isEqualTo(expected);
            // The position and the four writes have a line each with their length, as a hexadecimal number.
            assertThat(another.linesUntil("id: p-e250").filter(line -> line.matches("[0-9a-f]+")))
                    .hasSize(5);
            assertThat(tenant.next("id: ", 3)).containsExactly("p-e0", "p-e100", "p-e200");
        }
    }

    /** The first event after a pause is sent at once. Those of the next moment are sent together when it ends. */
    @Test
    void whatHappensWithinAMomentIsSentInOneWrite() throws Exception {
        try (Reader reader = new Reader("")) {
            onLoop(stream -> {
                for (int i = 1; i <= 50; i++) {
                    stream.add(List.of(new RecordedStreamEvent.CapacityChanged(i, 1)));
                }
            });

            // The position and the two writes have a line each with their length, as a hexadecimal number.
            assertThat(reader.linesUntil("id: p-e50").filter(line -> line.matches("[0-9a-f]+")))
                    .hasSize(3);
        }
    }

    @Test
    void nothingThatWaitsForTheEndOfAMomentIsLostWhenTheReplicaEnds() throws Exception {
        try (Reader reader = new Reader("")) {
            onLoop(stream -> {
                stream.add(List.of(new RecordedStreamEvent.CapacityChanged(1, 1)));
                stream.add(List.of(new RecordedStreamEvent.CapacityChanged(2, 1)));
                stream.end();
            });

            assertThat(reader.next("id: ", 3)).containsExactly("p-e0", "p-e1", "p-e2");
        }
    }

    /** The client gets 20 decisions and the number of the others, and all others get each decision. */
    @Test
    void aClientThatWantsOnlySomeDecisionsLearnsHowManyWereLeftOut() throws Exception {
        try (Reader paced = new Reader("", "127.0.0.1", "/?perSecond=2");
                Reader tenant = new Reader("", "127.0.0.1", "/tenant?namespace=team-a&perSecond=2");
                Reader all = new Reader("")) {
            onLoop(stream -> {
                for (int i = 1; i <= 50; i++) {
                    stream.add(List.of(decisionIn(i % 2 == 0 ? "team-a" : "team-b")));
                }
                stream.add(List.of(new RecordedStreamEvent.CapacityChanged(1, 1)));
            });

            List<String> lines = paced.linesUntil("event: leftOut").toList();
            assertThat(lines.stream().filter(line -> line.startsWith("id: ")))
                    .startsWith("id: p-e0", "id: p-e1")
                    // The event about the capacity is no decision, so it is not left out.
                    .endsWith("id: p-e20", "id: p-e51", "id: p-e51")
                    .hasSize(23);
            assertThat(paced.next("data: ", 1)).containsExactly("{\"decisions\":30}");
            List<String> ofTenant = tenant.linesUntil("event: leftOut").toList();
            assertThat(ofTenant.stream().filter(line -> line.startsWith("event: decision")))
                    .hasSize(20);
            assertThat(tenant.next("data: ", 1)).containsExactly("{\"decisions\":5}");
            assertThat(all.next("id: ", 52)).contains("p-e21", "p-e50").doesNotHaveDuplicates();
        }
    }

    @Test
    void aClientThatWantsOnlySomeDecisionsGetsEachOneThatItHasMissedWhenItComesBack() throws Exception {
        onLoop(stream -> IntStream.rangeClosed(1, 500).forEach(_ -> stream.add(List.of(decisionIn("team-a")))));

        try (Reader reader = new Reader("p-e100", "127.0.0.1", "/?perSecond=2")) {
            assertThat(reader.next("id: ", 401))
                    .startsWith("p-e100", "p-e101")
                    .endsWith("p-e500")
                    .doesNotHaveDuplicates();
        }
    }

    /** A client that wants few decisions a second is not behind, however many decisions were left out for it. */
    @Test
    void aClientThatWantsOnlySomeDecisionsIsNotDroppedWhenManyAreMade() throws Exception {
        try (Reader reader = new Reader("", "127.0.0.1", "/?perSecond=1")) {
            onLoop(stream -> IntStream.rangeClosed(1, 20)
                    .forEach(_ -> stream.add(IntStream.rangeClosed(1, 50)
                            .mapToObj(_ -> decisionIn("team-a"))
                            .toList())));
            assertThat(reader.next("event: ", 11)).startsWith("decision").endsWith("leftOut");
            assertThat(reader.next("data: ", 1)).containsExactly("{\"decisions\":990}");
            onLoop(stream -> stream.add(List.of(decisionIn("team-a"))));
            assertThat(reader.next("id: ", 1)).containsExactly("p-e1001");
        }
        assertThat(missed).hasValue(0);
    }

    @Test
    void anEventIsEncodedOnceForAllClients() {
        EncodedStreamEvents encoded = new EncodedStreamEvents(new ApiEventEncoder("p"));
        RecordedStreamEvent event = new RecordedStreamEvent.CapacityChanged(1, 1);
        Buffer first = encoded.text(1, event);

        assertThat(encoded.text(1, event)).isSameAs(first);
        assertThat(encoded.text(1 + EventStreamClient.MOST_AT_ONCE, event).toString())
                .startsWith("id: p-e65\n");
        assertThat(encoded.text(1, event).toString()).isEqualTo(first.toString());
    }

    @Test
    void aClientThatHasSeenNoEventYetCanComeBack() throws Exception {
        happen(1, 2);
        String last;
        try (Reader reader = new Reader("")) {
            last = reader.next("id: ", 1).getFirst();
            // There is no data, so a browser keeps the id and tells of no event.
            assertThat(reader.next("", 1)).containsExactly("");
        }
        happen(3, 5);

        try (Reader reader = new Reader(last)) {
            assertThat(reader.next("id: ", 4)).containsExactly("p-e2", "p-e3", "p-e4", "p-e5");
        }
    }

    @Test
    void aClientThatComesBackMissesNothing() throws Exception {
        happen(1, 500);
        try (Reader reader = new Reader("p-e200")) {
            List<String> told = reader.next("id: ", 301);

            assertThat(told).startsWith("p-e200", "p-e201").endsWith("p-e500").doesNotHaveDuplicates();
        }
    }

    @Test
    void aClientThatCannotBeToldAllIsToldSo() throws Exception {
        happen(1, RecentRecordedEvents.MOST + 10);
        for (String id : List.of("p-e5", "q-e500", "nonsense", "p-e99999")) {
            try (Reader reader = new Reader(id)) {
                assertThat(reader.next("event: ", 1)).as(id).containsExactly("reset");
                assertThat(reader.next("id: ", 2)).as(id).containsExactly("p-e10", "p-e11");
            }
        }
        try (Reader reader = new Reader("p-e10")) {
            assertThat(reader.next("event: ", 1)).containsExactly("capacity");
        }
    }

    @Test
    void thereAreOnlySoManyStreamsAndAnEndedOneMakesRoom() throws Exception {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < EventStream.MOST_CLIENTS; i++) {
            readers.add(new Reader(""));
        }
        try (Reader refused = new Reader("")) {
            assertThat(refused.status).contains("503");
        }

        readers.getFirst().close();
        String status = "503";
        while (status.contains("503")) {
            try (Reader reader = new Reader("")) {
                status = reader.status;
            }
        }
        assertThat(status).contains("200");
        for (Reader reader : readers) {
            reader.close();
        }
    }

    /** The token of a request is checked before its stream begins, and its client may leave meanwhile. */
    @Test
    void aClientThatHasLeftBeforeItsStreamBeginsTakesNoPlace() throws Exception {
        for (int i = 0; i < EventStream.MOST_CLIENTS; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream()
                        .write("GET /late HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(vanished.tryAcquire(EventStream.MOST_CLIENTS, 10, TimeUnit.SECONDS))
                .isTrue();

        try (Reader reader = new Reader("")) {
            assertThat(reader.status).contains("200");
        }
    }

    @Test
    void aProxyMayNotStoreAStream() throws Exception {
        try (Reader reader = new Reader("")) {
            assertThat(reader.head)
                    .anySatisfy(line -> assertThat(line).isEqualToIgnoringCase("Cache-Control: no-store"));
        }
    }

    @Test
    void oneAddressDoesNotKeepAllStreamsFromAnother() throws Exception {
        List<Reader> greedy = new ArrayList<>();
        for (int i = 0; i < EventStream.MOST_CLIENTS; i++) {
            greedy.add(new Reader(""));
        }
        try (Reader other = new Reader("", "127.0.0.2")) {
            assertThat(other.status).contains("200");
            assertThat(greedy.getFirst().isEnded()).isTrue();
        }
        for (Reader reader : greedy) {
            reader.close();
        }
    }

    @Test
    void aClientThatDoesNotReadIsDropped() throws Exception {
        try (Reader idle = new Reader("")) {
            for (int i = 0; i < 400; i++) {
                happen(1, 500);
                onLoop(EventStream::heartbeat);
            }

            assertThat(idle.isEnded()).isTrue();
        }
    }

    /** Changes of the capacity are no records. */
    @Test
    void theDecisionsThatADroppedClientWasNotToldAreCounted() throws Exception {
        try (Reader idle = new Reader("")) {
            for (int turn = 0; missed.get() == 0 && turn < 400; turn++) {
                onLoop(stream -> {
                    for (int i = 1; i <= 250; i++) {
                        stream.add(List.of(new RecordedStreamEvent.CapacityChanged(i, 1)));
                        stream.add(List.of(new NumberedDecisionRecord(
                                i, SampleRecords.unchanged().record())));
                    }
                });
            }

            assertThat(idle.isEnded()).isTrue();
            assertThat(missed.get()).isBetween(RecentRecordedEvents.MOST / 2L, RecentRecordedEvents.MOST / 2L + 1);
        }
    }

    @Test
    void theEndOfTheReplicaEndsItsStreams() throws Exception {
        try (Reader reader = new Reader("")) {
            onLoop(EventStream::end);

            // The last chunk of the answer has no bytes.
            assertThat(reader.next("0", 1)).containsExactly("");
        }
    }

    private static NumberedDecisionRecord decisionIn(String namespace) {
        return new NumberedDecisionRecord(
                1, SampleRecords.unchanged().pod(namespace, "train").record());
    }

    @Test
    void aStreamOfANamespaceHasItsDecisionsOnlyAndItsIdGoesOn() throws Exception {
        try (Reader reader = new Reader("", "127.0.0.1", "/?namespace=team-a")) {
            onLoop(stream -> {
                stream.add(List.of(
                        decisionIn("team-b"),
                        new RecordedStreamEvent.CapacityChanged(1, 1),
                        decisionIn("team-a"),
                        decisionIn("team-b")));
                stream.heartbeat();
            });

            assertThat(reader.next("id: ", 3)).containsExactly("p-e0", "p-e3", "p-e4");
        }
    }

    @Test
    void changesOfNodesComeToThoseWhoAskForThem() throws Exception {
        news.set(Future.succeededFuture(
                new FleetReply("v2", Optional.empty(), Map.of("v1", ApiEventEncoder.fleet(Map.of("version", "v2"))))));
        try (Reader silent = new Reader("");
                Reader reader = new Reader("", "127.0.0.1", "/?fleet=v1")) {
            assertThat(reader.next("event: ", 2)).containsExactly("replica", "fleet");
            assertThat(reader.next("data: ", 1)).containsExactly("{\"version\":\"v2\"}");

            // The next question is about the version that the client knows now.
            assertThat(asked.poll(10, TimeUnit.SECONDS)).containsExactly("v1");
            assertThat(asked.poll(10, TimeUnit.SECONDS)).containsExactly("v2");
            happen(1, 1);
            assertThat(silent.next("event: ", 1)).containsExactly("capacity");
        }
    }

    @Test
    void aClientWhoseLabelsMakeTooManyKindsIsAskedOnceToLoadTheFleetAgain() throws Exception {
        news.set(Future.failedFuture(new FleetDocuments.TooManyKinds()));
        try (Reader reader = new Reader("", "127.0.0.1", "/?fleet=v1")) {
            assertThat(reader.next("event: ", 2)).containsExactly("replica", "fleet");
            assertThat(reader.next("data: ", 1)).containsExactly("{\"version\":\"\",\"reload\":true}");
            for (int look = 0; look < 3; look++) {
                assertThat(asked.poll(10, TimeUnit.SECONDS)).containsExactly("v1");
            }
            happen(1, 1);
            assertThat(reader.next("event: ", 1)).containsExactly("capacity");
        }
    }

    @Test
    void thePauseAfterALookIsAHundredTimesAsLongButAtMostTenSeconds() {
        assertThat(EventStream.pauseMillis(Duration.ofMillis(2))).isEqualTo(1_000);
        assertThat(EventStream.pauseMillis(Duration.ofMillis(40))).isEqualTo(4_000);
        assertThat(EventStream.pauseMillis(Duration.ofSeconds(2))).isEqualTo(10_000);
    }

    @Test
    void nobodyLooksForChangesOfNodesWhileNobodyWantsThem() throws Exception {
        try (Reader reader = new Reader("")) {
            happen(1, 1);
            assertThat(reader.next("id: ", 2)).hasSize(2);
        }

        assertThat(asked).isEmpty();
    }

    @Test
    void clientsAreToldWhoDecidesWhenThatChanges() throws Exception {
        try (Reader reader = new Reader("", "127.0.0.1", "/?fleet=");
                Reader tenant = new Reader("", "127.0.0.1", "/tenant?namespace=a&fleet=")) {
            onLoop(stream -> {
                stream.deciding(known -> known.decides(false));
                stream.deciding(known -> known.decides(false));
                stream.deciding(known -> known.heldBy(Optional.of("other")));
            });

            assertThat(reader.next("data: ", 3))
                    .containsExactly(
                            "{\"replica\":\"self\",\"decides\":true}",
                            "{\"replica\":\"self\",\"decides\":false}",
                            "{\"replica\":\"self\",\"decides\":false,\"holder\":\"other\"}");
            assertThat(tenant.next("data: ", 2)).containsExactly("{\"decides\":true}", "{\"decides\":false}");
        }
    }

    /** The right of a tenant is checked when the stream begins, and somebody may take it away. */
    @Test
    void theStreamOfATenantEndsAfterAMinuteSoThatItsRightIsCheckedAgain() throws Exception {
        events = stream(/* checksRights= */ true);
        try (Reader tenant = new Reader("", "127.0.0.1", "/tenant?namespace=team-a")) {
            for (int i = 0; i < 4; i++) {
                onLoop(EventStream::heartbeat);
            }

            assertThat(tenant.next("event: ", 1)).containsExactly("end");
            assertThat(tenant.next("0", 1)).containsExactly("");
        }
    }

    @Test
    void everyOtherStreamEndsAfterFiveMinutesSoThatTheRightIsCheckedAgain() throws Exception {
        events = stream(/* checksRights= */ true);
        try (Reader reader = new Reader("")) {
            for (int i = 0; i < 19; i++) {
                onLoop(EventStream::heartbeat);
            }
            happen(1, 1);
            onLoop(EventStream::heartbeat);

            assertThat(reader.next("event: ", 2)).containsExactly("capacity", "end");
            assertThat(reader.next("0", 1)).containsExactly("");
        }
    }

    @Test
    void tenantsHaveTwoStreamsForEachNamespaceAndLeaveStreamsForOthers() throws Exception {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < EventStream.MOST_TENANTS; i++) {
            readers.add(new Reader("", "127.0.0.1", "/tenant?namespace=team-" + i / EventStream.MOST_OF_NAMESPACE));
            assertThat(readers.getLast().status).contains("200");
        }
        readers.add(new Reader("", "127.0.0.1", "/tenant?namespace=team-late"));
        assertThat(readers.getLast().status).contains("503");
        readers.add(new Reader(""));
        assertThat(readers.getLast().status).contains("200");
        readers.getFirst().close();
        String status = "503";
        while (status.contains("503")) {
            readers.add(new Reader("", "127.0.0.1", "/tenant?namespace=team-0"));
            status = readers.getLast().status;
        }
        readers.add(new Reader("", "127.0.0.1", "/tenant?namespace=team-0"));
        assertThat(readers.getLast().status).contains("503");
        for (Reader reader : readers) {
            reader.close();
        }
    }
}
