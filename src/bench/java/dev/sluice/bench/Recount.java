package dev.sluice.bench;

import dev.sluice.bench.RecordedState.Moment;
import dev.sluice.bench.RecordedState.NodeState;
import dev.sluice.bench.RecordedState.Phase;
import dev.sluice.bench.RecordedState.PodState;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sums over the last moment of a recording, added up by nothing that the gateway has, and what of them is different
 * in a ledger.
 */
final class Recount {

    private static final long GIBI = 1L << 30;

    private Recount() {}

    /** A line of words: how many pods wait, then for each node what the ledger should say of it. */
    static byte[] of(Recording recording, RecordedObjects objects) {
        Moment end = recording.last();
        long[][] sums = new long[recording.nodes()][4 + 1];
        long waiting = 0;
        for (int number = 0; number < end.pods(); number++) {
            PodState pod = end.pod(number);
            waiting += pod.phase() == Phase.WAITING ? 1 : 0;
            if (pod.phase() != Phase.GONE && pod.phase() != Phase.WAITING) {
                RecordedAsk ask = RecordedAsk.ALL.get(pod.ask());
                long[] sum = sums[pod.node()];
                sum[0]++;
                sum[1] += 1_000L * ask.cpu();
                sum[2] += ask.gibibytes() * GIBI;
                sum[3] += ask.device().isEmpty() ? 20 * GIBI : 0;
                sum[4] += ask.device().isEmpty() ? 0 : 1;
            }
        }
        StringBuilder text = new StringBuilder().append(waiting).append('\n');
        for (int number = 0; number < sums.length; number++) {
            NodeState node = end.node(number);
            String device = objects.deviceOf(number).name();
            text.append(SampleNodes.name(number))
                    .append(node.has(NodeState.DELETED) ? " deleted" : " exists")
                    .append(node.has(NodeState.CORDONED) ? " cordoned" : " open")
                    .append(" %s %d".formatted(device.isEmpty() ? "-" : device, objects.offered(node)));
            for (long sum : sums[number]) {
                text.append(' ').append(sum);
            }
            text.append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The first difference between such a text and the ledger; empty if there is none. */
    static Optional<String> difference(String recount, ClusterUsageReply ledger) {
        long waiting = Long.parseLong(recount.substring(0, recount.indexOf('\n')));
        long reserved = ledger.byNode().values().stream()
                .mapToLong(usage -> usage.reserved().get(ResourceName.PODS))
                .sum();
        if (reserved + ledger.unplaced() != waiting) {
            return Optional.of("%d pods wait, and the ledger has reserved for %d and has no room for %d"
                    .formatted(waiting, reserved, ledger.unplaced()));
        }
        Stream<String> lines = recount.lines().skip(1);
        Optional<String> first = lines.map(line -> ofNode(line, line.split(" ", -1), ledger))
                .flatMap(Optional::stream)
                .findFirst();
        long existing =
                recount.lines().filter(line -> line.contains(" exists ")).count();
        return first.isEmpty() && ledger.byNode().size() != existing
                ? Optional.of("%d nodes exist, and the ledger has %d"
                        .formatted(existing, ledger.byNode().size()))
                : first;
    }

    private static Optional<String> ofNode(String line, String[] words, ClusterUsageReply ledger) {
        Optional<Node> node = ledger.cluster().node(words[0]);
        LedgerNodeUsage usage = ledger.byNode().get(words[0]);
        if (words[1].equals("deleted")) {
            return node.isEmpty() && usage == null ? Optional.empty() : Optional.of(words[0] + " was deleted");
        }
        if (node.isEmpty() || usage == null) {
            return Optional.of(words[0] + " is missing");
        }
        Map<String, Long> expected = new TreeMap<>();
        expected.put("pods", Long.valueOf(words[5]));
        expected.put("cpu", Long.valueOf(words[6]));
        expected.put("memory", Long.valueOf(words[7]));
        expected.put("ephemeral-storage", Long.valueOf(words[8]));
        expected.put(words[3], Long.valueOf(words[9]));
        expected.values().removeIf(sum -> sum == 0);
        Map<String, Long> counted = positive(usage.allocated());
        boolean same = counted.equals(expected)
                && node.get().unschedulable() == words[2].equals("cordoned")
                && (words[3].equals("-")
                        || node.get().allocatable().get(new ResourceName(words[3])) == Long.parseLong(words[4]));
        return same
                ? Optional.empty()
                : Optional.of("the recording says %s (%s), and the ledger says %s of %s"
                        .formatted(line, expected, counted, node.get()));
    }

    private static Map<String, Long> positive(Amounts amounts) {
        Map<String, Long> found = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            if (amount != 0) {
                found.put(name.value(), amount);
            }
        });
        return found;
    }
}
