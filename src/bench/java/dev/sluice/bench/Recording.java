package dev.sluice.bench;

import dev.sluice.bench.RecordedState.Change;
import dev.sluice.bench.RecordedState.ChangeType;
import dev.sluice.bench.RecordedState.Moment;
import dev.sluice.bench.RecordedState.NodeState;
import dev.sluice.bench.RecordedState.Phase;
import dev.sluice.bench.RecordedState.PodState;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * A cluster as it is listed, and every change of it after that, in a few bytes for each: pods are created, bound and
 * started, end, are deleted and get other annotations; nodes report, and now and then one is cordoned, loses a device,
 * gets another kernel, is deleted or comes back. It is the same for the same sizes.
 */
final class Recording {

    /** The resourceVersion of the list; each change has the next one. */
    static final long LISTED = 1_000_000_000L;

    private static final long SEED = 130_000;
    /** Of so many changes one is of a node, as kubelets report every five minutes and pods change more often. */
    private static final int CHANGES_PER_REPORT = 4;
    /** Of so many reports one says something new: of 130,000 nodes 430 report in a second, and two have news. */
    private static final int REPORTS_PER_NEWS = 200;
    /** Of so many listed pods one waits for a node. */
    private static final int PODS_PER_WAITING = 1_000;
    /** On one node in so many all devices are free at first. */
    private static final int NODES_PER_FREE = 50;

    private static final int MOST_DEVICES_TAKEN = 6;

    private final int nodes;
    private final int listedPods;
    private final RecordedObjects objects;
    private final SplittableRandom random = new SplittableRandom(SEED);

    // The cluster as it is now, and at the end as it remains.
    private final int[] nodeTraits;
    private final int[] nodeChange;
    private final int[] devicesTaken;
    private final int[] podNode;
    private final byte[] podAsk;
    private final Phase[] podPhase;
    private final char[] podRevision;
    private final int[] podChange;
    private int pods;

    private final int[] running;
    private int runningCount;
    private final Queue<Integer> waiting = new ArrayDeque<>();
    private final Queue<Integer> starting = new ArrayDeque<>();
    private final Queue<Integer> leaving = new ArrayDeque<>();

    // The changes. The subject of a node is the complement of its number.
    private final int[] subjects;
    private final ChangeType[] types;
    private final byte[] traits;
    private final Phase[] phases;
    private final char[] revisions;

    Recording(int nodes, int listedPods, int changes, RecordedObjects objects) {
        this.nodes = nodes;
        this.listedPods = listedPods;
        this.objects = objects;
        nodeTraits = new int[nodes];
        nodeChange = new int[nodes];
        devicesTaken = new int[nodes];
        podNode = new int[listedPods + changes];
        podAsk = new byte[podNode.length];
        podPhase = new Phase[podNode.length];
        podRevision = new char[podNode.length];
        podChange = new int[podNode.length];
        running = new int[podNode.length];
        subjects = new int[changes];
        types = new ChangeType[changes];
        traits = new byte[changes];
        phases = new Phase[changes];
        revisions = new char[changes];
        begin();
        for (int change = 0; change < changes; change++) {
            if (change % CHANGES_PER_REPORT == 0) {
                report(change);
            } else {
                pod(change);
            }
        }
    }

    int nodes() {
        return nodes;
    }

    int changes() {
        return subjects.length;
    }

    private void begin() {
        for (int number = 0; number < listedPods; number++) {
            PodState pod = listed(number);
            podNode[number] = pod.node();
            podAsk[number] = (byte) pod.ask();
            podPhase[number] = pod.phase();
            podChange[number] = -1;
            devicesTaken[pod.node()] += asksForDevice(pod.ask());
            if (pod.phase() == Phase.WAITING) {
                waiting.add(number);
            } else {
                running[runningCount++] = number;
            }
        }
        pods = listedPods;
        for (int number = 0; number < nodes; number++) {
            nodeChange[number] = -1;
        }
    }

    private static int asksForDevice(int ask) {
        return RecordedAsk.ALL.get(ask).device().isEmpty() ? 0 : 1;
    }

    private int ask(int node, int devicesOfOthers, int size) {
        RecordedObjects.Device device = objects.deviceOf(node);
        return RecordedAsk.number(devicesOfOthers < device.count() ? device.name() : "", size);
    }

    /** The pod as it is listed. */
    private PodState listed(int number) {
        int node = number % nodes;
        int onNode = number / nodes;
        boolean takesNone = node % NODES_PER_FREE == 0 || onNode >= MOST_DEVICES_TAKEN;
        int ask = ask(node, takesNone ? Integer.MAX_VALUE : onNode, onNode);
        Phase phase = number % PODS_PER_WAITING == PODS_PER_WAITING - 1 ? Phase.WAITING : Phase.RUNNING;
        return new PodState(number, node, ask, phase, 0, LISTED - listedPods + number);
    }

    private void report(int change) {
        int number = random.nextInt(nodes);
        int before = nodeTraits[number];
        boolean news = random.nextInt(REPORTS_PER_NEWS) == 0;
        if (!news && (before & NodeState.DELETED) == 0) {
            noteNode(change, number, ChangeType.MODIFIED, before);
            return;
        }
        int after = (before & NodeState.DELETED) != 0
                ? before ^ NodeState.DELETED
                : before ^ 1 << random.nextInt(objects.deviceOf(number).count() > 0 ? 0 : 1, 4);
        nodeTraits[number] = after;
        nodeChange[number] = change;
        boolean deleted = (after & NodeState.DELETED) != 0;
        ChangeType type = deleted
                ? ChangeType.DELETED
                : (before & NodeState.DELETED) != 0 ? ChangeType.ADDED : ChangeType.MODIFIED;
        noteNode(change, number, type, deleted ? before : after);
    }

    private void noteNode(int change, int number, ChangeType type, int told) {
        subjects[change] = ~number;
        types[change] = type;
        traits[change] = (byte) told;
    }

    /** The shares keep the cluster as full as it is. */
    private void pod(int change) {
        int dice = random.nextInt(20);
        if (dice < 4 || runningCount == 0) {
            create(change);
        } else if (dice < 8 && !waiting.isEmpty()) {
            int number = waiting.remove();
            starting.add(number);
            become(change, number, Phase.BOUND);
        } else if (dice < 12 && !starting.isEmpty()) {
            int number = starting.remove();
            running[runningCount++] = number;
            become(change, number, Phase.RUNNING);
        } else if (dice < 15) {
            // A pod that has ended is no longer selected, which the watch tells like a deletion.
            delete(change, takeRunning());
        } else if (dice < 16) {
            int number = takeRunning();
            leaving.add(number);
            become(change, number, Phase.LEAVING);
        } else if (dice < 17 && !leaving.isEmpty()) {
            delete(change, leaving.remove());
        } else {
            int number = running[random.nextInt(runningCount)];
            podRevision[number]++;
            become(change, number, podPhase[number]);
        }
    }

    private int takeRunning() {
        int at = random.nextInt(runningCount);
        int number = running[at];
        running[at] = running[--runningCount];
        return number;
    }

    private void create(int change) {
        int number = pods++;
        int node = random.nextInt(nodes);
        int ask = ask(node, devicesTaken[node], random.nextInt(3));
        podNode[number] = node;
        podAsk[number] = (byte) ask;
        devicesTaken[node] += asksForDevice(ask);
        waiting.add(number);
        note(change, number, ChangeType.ADDED, Phase.WAITING);
    }

    private void become(int change, int number, Phase phase) {
        note(change, number, ChangeType.MODIFIED, phase);
    }

    private void delete(int change, int number) {
        note(change, number, ChangeType.DELETED, podPhase[number]);
        podPhase[number] = Phase.GONE;
        devicesTaken[podNode[number]] -= asksForDevice(podAsk[number]);
    }

    private void note(int change, int number, ChangeType type, Phase phase) {
        podPhase[number] = phase;
        podChange[number] = change;
        subjects[change] = number;
        types[change] = type;
        phases[change] = phase;
        revisions[change] = podRevision[number];
    }

    /** The change with this number, from 0. */
    Change change(int number) {
        int subject = subjects[number];
        ChangeType type = types[number];
        long version = LISTED + 1 + number;
        return subject < 0
                ? new Change.OfNode(type, new NodeState(~subject, traits[number], version))
                : new Change.OfPod(
                        type,
                        new PodState(
                                subject,
                                podNode[subject],
                                podAsk[subject],
                                phases[number],
                                revisions[number],
                                version));
    }

    Moment first() {
        return new Moment() {
            @Override
            public int pods() {
                return listedPods;
            }

            @Override
            public PodState pod(int number) {
                return listed(number);
            }

            @Override
            public NodeState node(int number) {
                return new NodeState(number, 0, LISTED - listedPods - nodes + number);
            }
        };
    }

    Moment last() {
        return new Moment() {
            @Override
            public int pods() {
                return pods;
            }

            @Override
            public PodState pod(int number) {
                long version = podChange[number] < 0 ? listed(number).version() : LISTED + 1 + podChange[number];
                Phase phase = podPhase[number];
                return new PodState(number, podNode[number], podAsk[number], phase, podRevision[number], version);
            }

            @Override
            public NodeState node(int number) {
                long version =
                        nodeChange[number] < 0 ? first().node(number).version() : LISTED + 1 + nodeChange[number];
                return new NodeState(number, nodeTraits[number], version);
            }
        };
    }
}
