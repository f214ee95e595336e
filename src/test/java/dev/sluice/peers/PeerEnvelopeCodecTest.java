package dev.sluice.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.peers.PeerEnvelopeCodec.UnusableMessageException;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PeerEnvelopeCodecTest {

    private static final ReplicationEnvelope<ReplicatedDecision> JOIN = new ReplicationEnvelope<>(
            1, 1, "cluster", new Member("a_1", "10.0.0.1:8444"), new ReplicaMessage.JoinRequest<>());
    private static final String HEAD =
            "{\"version\":1,\"speaks\":1,\"cluster\":\"c\",\"from\":{\"identity\":\"a\",\"address\":\"\"},";

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsWrittenIsReadAsItWas(long seed) throws Exception {
        RandomMessages messages = new RandomMessages(seed);
        for (int i = 0; i < 500; i++) {
            ReplicationEnvelope<ReplicatedDecision> envelope = messages.envelope();

            assertThat(PeerEnvelopeCodec.decode(PeerEnvelopeCodec.encode(envelope)))
                    .isEqualTo(envelope);
        }
    }

    /** The file was written by the first release with this protocol. It must never be changed. */
    @Test
    void messagesOfTheFirstReleaseStayReadable() throws Exception {
        List<ReplicationEnvelope<ReplicatedDecision>> read = new ArrayList<>();
        for (String line : sample()) {
            read.add(decode(line));
        }

        assertThat(read).hasSize(40).extracting(ReplicationEnvelope::version).containsOnly(1);
        assertThat(read.stream()
                        .map(ReplicationEnvelope::message)
                        .map(Object::getClass)
                        .distinct())
                .hasSameSizeAs(PeerMessageKind.values());
    }

    /**
     * A release of yesterday must read what this one writes, so in version 1 this one writes the same. Labels have no
     * order, so only the letters are compared.
     */
    @Test
    void versionOneIsWrittenAsByTheFirstRelease() throws Exception {
        for (String line : sample()) {
            byte[] written = PeerEnvelopeCodec.encode(decode(line));

            assertThat(sorted(written)).isEqualTo(sorted(line.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static byte[] sorted(byte[] letters) {
        Arrays.sort(letters);
        return letters;
    }

    private static List<String> sample() throws IOException {
        try (InputStream file = PeerEnvelopeCodecTest.class.getResourceAsStream("version-1.jsonl")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** Another word needs another version, because the replicas of an earlier release refuse the whole message. */
    @Test
    void versionOneHasTheseWords() {
        assertThat(words(Verdict.Outcome.values(), Verdict.Outcome::word))
                .isEqualTo("unchanged changed kept untouched");
        assertThat(words(travelling(), Reason::word))
                .isEqualTo("Offered NotOffered Exhausted NoGpuInCluster KeptAsWritten Gated Injected InjectionRefused"
                        + " InvalidQuantity TooManyCombinations MalformedPod CannotBeEvaluated PatchNotLegal"
                        + " InternalFault");
        assertThat(words(NodeRequirement.Operator.values(), Enum::name))
                .isEqualTo("IN NOT_IN EXISTS DOES_NOT_EXIST GT LT UNKNOWN");
        assertThat(words(Toleration.TolerationOperator.values(), Enum::name)).isEqualTo("EQUAL EXISTS LT GT UNKNOWN");
        assertThat(words(PlacementOrigin.CreationStyle.values(), Enum::name)).isEqualTo("IN_BATCHES ANY");
        assertThat(words(PeerMessageKind.values(), PeerMessageKind::word))
                .isEqualTo("entries acknowledgement refusal join handover");
    }

    /** Only decisions that reserve something travel, and nothing is reserved for a pod that was not decided. */
    private static Reason[] travelling() {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason != Reason.NOT_DECIDED)
                .toArray(Reason[]::new);
    }

    private static <T> String words(T[] values, Function<T, String> word) {
        return String.join(" ", Arrays.stream(values).map(word).toList());
    }

    @Test
    void unknownFieldsAreIgnored() throws Exception {
        String json = new String(PeerEnvelopeCodec.encode(JOIN), StandardCharsets.UTF_8);

        assertThat(decode(json.replace("\"kind\"", "\"news\":{\"a\":[1,{}]},\"kind\"")
                        .replace("\"identity\"", "\"zone\":null,\"identity\"")))
                .isEqualTo(JOIN);
    }

    @Test
    void aLaterVersionIsNotUnderstoodAndItsBodyIsNotRead() throws Exception {
        ReplicationEnvelope<ReplicatedDecision> read = decode(
                HEAD.replace("\"version\":1", "\"version\":3") + "\"kind\":\"entries\",\"term\":\"x\",\"entries\":7}");

        assertThat(read.version()).isEqualTo(3);
        assertThat(read.from().identity()).isEqualTo("a");
    }

    /**
     * Every version has the same head, so a later release is told which version this one understands:
     * availability-mode.md F16.
     */
    @Test
    void ofEveryMessageOfALaterReleaseTheHeadIsRead() throws Exception {
        for (String line : sample()) {
            ReplicationEnvelope<ReplicatedDecision> first = decode(line);
            ReplicationEnvelope<ReplicatedDecision> later =
                    decode(line.replaceFirst("\"version\":1,\"speaks\":\\d+", "\"version\":2,\"speaks\":2")
                            .replaceFirst("\"kind\":\"\\w+\"", "\"kind\":\"news\""));

            assertThat(later.version()).isEqualTo(Replica.VERSION + 1);
            assertThat(later.speaks()).isEqualTo(2);
            assertThat(later.from()).isEqualTo(first.from());
            assertThat(later.cluster()).isEqualTo(first.cluster());
        }
    }

    /** A replica of a later release asks to join, and answers, in the version that all understand. */
    @Test
    void aLaterReleaseIsUnderstoodInTheFirstVersion() throws Exception {
        for (String line : sample()) {
            ReplicationEnvelope<ReplicatedDecision> first = decode(line);
            ReplicationEnvelope<ReplicatedDecision> later =
                    decode(line.replaceFirst("\"speaks\":\\d+", "\"speaks\":2"));

            assertThat(later)
                    .isEqualTo(new ReplicationEnvelope<>(1, 2, first.cluster(), first.from(), first.message()));
        }
    }

    @Test
    void anUnknownKindCountsAsALaterVersion() throws Exception {
        assertThat(decode(HEAD + "\"kind\":\"gossip\",\"rumour\":1}").version()).isEqualTo(Replica.VERSION + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "{",
                "{}",
                "{\"speaks\":1,\"version\":1}",
                "{\"version\":-1}",
                "{\"version\":99999999999}",
                "HEAD}",
                "HEAD\"kind\":null}",
                "HEAD\"kind\":\"join\"}{}",
                "HEAD\"kind\":\"join\",\"kind\":\"join\"}",
                "HEAD\"kind\":\"refusal\"}",
                "HEAD\"kind\":\"refusal\",\"term\":null}",
                "HEAD\"kind\":\"refusal\",\"term\":1.5}",
                "HEAD\"kind\":\"refusal\",\"term\":-1}",
                "HEAD\"kind\":\"refusal\",\"term\":123456789012345678901234567890}",
                "HEAD\"kind\":\"acknowledgement\",\"term\":1,\"upTo\":0,\"settled\":0,\"inSync\":true}",
                "HEAD\"kind\":\"entries\",\"term\":1,\"after\":0,\"upTo\":0,\"inSync\":false}",
                "HEAD\"kind\":\"entries\",\"term\":1,\"after\":-2,\"upTo\":0,\"inSync\":false,\"entries\":[]}",
                "HEAD\"kind\":\"entries\",\"term\":1,\"after\":0,\"upTo\":0,\"inSync\":false,\"entries\":[{}]}",
                "HEAD\"kind\":\"entries\",\"term\":1,\"after\":0,\"upTo\":0,\"inSync\":false,\"entries\":[null]}",
                "{\"version\":1,\"speaks\":1,\"cluster\":\"c\",\"from\":{\"identity\":\"\",\"address\":\"\"},\"kind\":\"join\"}",
                "{\"version\":1,\"speaks\":1,\"cluster\":\"c\",\"from\":{\"identity\":\"a\"},\"kind\":\"join\"}"
            })
    void aBrokenMessageIsRefused(String json) {
        assertThatThrownBy(() -> decode(json.replace("HEAD", HEAD))).isInstanceOf(UnusableMessageException.class);
    }

    /** However an entry is broken, either it is refused or it is a complete entry. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void garbageNeverDoesMoreThanBeRefused(long seed) {
        Random random = new Random(seed);
        RandomMessages messages = new RandomMessages(seed);
        for (int i = 0; i < 3_000; i++) {
            byte[] json = PeerEnvelopeCodec.encode(messages.envelope());
            for (int change = random.nextInt(3); change >= 0; change--) {
                json[random.nextInt(json.length)] = (byte) random.nextInt(128);
            }
            byte[] broken = Arrays.copyOf(json, json.length - (random.nextBoolean() ? 0 : random.nextInt(20)));
            try {
                assertThat(PeerEnvelopeCodec.decode(broken).message()).isNotNull();
            } catch (UnusableMessageException refused) {
                assertThat(refused).hasMessageStartingWith("sent a message ");
            }
        }
    }

    @Test
    void aNegativeAmountAndHugeConstraintsAreRefused() {
        String entry = new String(
                PeerEnvelopeCodec.encode(batch(List.of(entry(NodeConstraints.NONE)))), StandardCharsets.UTF_8);

        assertThatThrownBy(() -> decode(entry.replace("\"amounts\":[2]", "\"amounts\":[-2]")))
                .hasMessageContaining("an amount is negative");
        assertThatThrownBy(() -> decode(entry.replace("\"amounts\":[2]", "\"amounts\":[]")))
                .hasMessageContaining("as many amounts as resources");
        byte[] wide = PeerEnvelopeCodec.encode(batch(List.of(entry(selecting(2 * NodeConstraints.MOST_PARTS + 1, 1)))));
        assertThatThrownBy(() -> PeerEnvelopeCodec.decode(wide)).hasMessageContaining("constraints exceed the limits");
    }

    /** Nobody can make a decision that other replicas cannot be told of. */
    @Test
    void theLargestEntryFitsIntoAMessage() throws Exception {
        ReplicationEnvelope<ReplicatedDecision> largest =
                batch(List.of(entry(selecting(NodeConstraints.MOST_PARTS, 400))));

        byte[] json = PeerEnvelopeCodec.encode(largest);

        assertThat(json).hasSizeBetween(600 * 1024, PeerEnvelopeCodec.MOST_BYTES);
        assertThat(PeerEnvelopeCodec.decode(json)).isEqualTo(largest);
        assertThatThrownBy(() -> PeerEnvelopeCodec.decode(new byte[PeerEnvelopeCodec.MOST_BYTES + 1]))
                .isInstanceOf(UnusableMessageException.class);
    }

    private static NodeConstraints selecting(int labels, int length) {
        Map<String, String> selector = new HashMap<>();
        for (int i = 0; i < labels; i++) {
            selector.put("k" + i, "\u0001".repeat(length));
        }
        return new NodeConstraints(null, selector, null, List.of());
    }

    private static ReplicatedEntry<ReplicatedDecision> entry(NodeConstraints constraints) {
        PlacementRequest placement = new PlacementRequest(
                "stamp", "team", Amounts.of(ResourceName.NVIDIA_GPU, 2), constraints, /* promised= */ true);
        return new ReplicatedEntry<>(
                1,
                "stamp",
                "uid",
                new ReplicatedDecision(placement, "pod", 7, Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()));
    }

    private static ReplicationEnvelope<ReplicatedDecision> batch(List<ReplicatedEntry<ReplicatedDecision>> entries) {
        return new ReplicationEnvelope<>(
                1,
                1,
                "cluster",
                JOIN.from(),
                new ReplicaMessage.EntryBatch<>(1, 0, entries.size(), entries, /* inSync= */ true));
    }

    private static ReplicationEnvelope<ReplicatedDecision> decode(String json) throws UnusableMessageException {
        return PeerEnvelopeCodec.decode(json.getBytes(StandardCharsets.UTF_8));
    }
}
