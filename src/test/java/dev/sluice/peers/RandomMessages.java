package dev.sluice.peers;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Messages with every field, and with texts that the authors of pods may choose. */
final class RandomMessages {

    private static final List<String> LETTERS = List.of(
            "a", "Z", "0", "-", ".", "/", "_", "\"", "\\", "\n", "\u0000", "\u001f", "\u007f", "é", "\u2028", "漢", "😀",
            "\ud800", "\udc00", "\ufeff");

    private final Random random;

    RandomMessages(long seed) {
        this.random = new Random(seed);
    }

    ReplicationEnvelope<ReplicatedDecision> envelope() {
        return new ReplicationEnvelope<>(
                1, 1 + random.nextInt(3), text(), new Member("pod_" + text(), address()), message());
    }

    private String address() {
        return random.nextBoolean() ? "" : "[fd00::" + random.nextInt(99) + "]:8444";
    }

    private ReplicaMessage<ReplicatedDecision> message() {
        return switch (random.nextInt(6)) {
            case 0 ->
                new ReplicaMessage.Acknowledgement<>(
                        number(), number() - 1, number() - 1, random.nextBoolean(), random.nextBoolean());
            case 1 -> new ReplicaMessage.TermRefusal<>(number());
            case 2 -> new ReplicaMessage.JoinRequest<>();
            case 3 -> new ReplicaMessage.HandoverNotice<>(number());
            default ->
                new ReplicaMessage.EntryBatch<>(
                        number(), number() - 1, number() - 1, several(5, this::entry), random.nextBoolean());
        };
    }

    private long number() {
        return random.nextBoolean() ? random.nextInt(5) : random.nextLong(Long.MAX_VALUE);
    }

    private <T> List<T> several(int most, Supplier<T> make) {
        return Stream.generate(make).limit(random.nextInt(most + 1)).toList();
    }

    private <T> T one(T[] of) {
        return of[random.nextInt(of.length)];
    }

    private String text() {
        return String.join("", several(8, () -> LETTERS.get(random.nextInt(LETTERS.size()))));
    }

    ReplicatedEntry<ReplicatedDecision> entry() {
        return new ReplicatedEntry<>(
                number(),
                text(),
                text(),
                new ReplicatedDecision(
                        placement(),
                        text(),
                        random.nextInt(),
                        one(Verdict.Outcome.values()),
                        one(Reason.values()),
                        several(3, this::text)));
    }

    private PlacementRequest placement() {
        TreeMap<ResourceName, Long> need = new TreeMap<>();
        several(4, this::text).forEach(name -> need.put(new ResourceName(name), number()));
        PodId owner = random.nextBoolean() ? null : new PodId(random.nextLong(), random.nextLong());
        return new PlacementRequest(
                text(),
                text(),
                Amounts.ofUnits(need),
                constraints(),
                random.nextBoolean(),
                new PlacementOrigin(text(), owner, one(PlacementOrigin.CreationStyle.values())),
                new PodPriority(random.nextInt(), random.nextBoolean()));
    }

    private NodeConstraints constraints() {
        String nodeName = random.nextBoolean() ? null : text();
        return switch (random.nextInt(4)) {
            case 0 -> NodeConstraints.NONE;
            case 1 -> NodeConstraints.notEvaluated(nodeName, text());
            default -> {
                Map<String, String> selector = new HashMap<>();
                several(3, this::text).forEach(key -> selector.put(key, text()));
                yield new NodeConstraints(
                        nodeName,
                        selector,
                        random.nextBoolean() ? null : several(3, this::term),
                        several(3, this::toleration));
            }
        };
    }

    private NodeSelectorTerm term() {
        return new NodeSelectorTerm(several(3, this::requirement), several(2, this::requirement));
    }

    private NodeRequirement requirement() {
        return new NodeRequirement(text(), one(NodeRequirement.Operator.values()), several(3, this::text));
    }

    private Toleration toleration() {
        return new Toleration(text(), one(Toleration.TolerationOperator.values()), text(), text());
    }
}
