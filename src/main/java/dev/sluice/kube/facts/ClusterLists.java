package dev.sluice.kube.facts;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.facts.KindList.KindResult;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A live cluster, whose lists are read several at a time. */
public final class ClusterLists implements AutoCloseable {

    /** More would not be faster: to parse pods and events is most of the work. */
    private static final int AT_A_TIME = 4;

    private final KubernetesClient client;
    private final long heapBytes;

    private ClusterLists(KubernetesClient client, long heapBytes) {
        this.client = client;
        this.heapBytes = heapBytes;
    }

    /** The cluster of a client, which {@link #close} closes too. */
    public static ClusterLists of(KubernetesClient client) {
        return new ClusterLists(client, Long.MAX_VALUE);
    }

    /**
     * As {@link #of}, for a process with so much heap that has other things to do: a kind of which there is too much is
     * left out. Whoever may create pods or Events chooses how much is in them.
     */
    public static ClusterLists within(KubernetesClient client, long heapBytes) {
        return new ClusterLists(client, heapBytes);
    }

    /**
     * The weight counts two bytes for each character, and a value that is shared each time. So ordinary objects take
     * about half of it, and those that are made to be large nearly all.
     */
    private long mostBytes(FactKind kind) {
        return switch (kind) {
            case NODES, PODS -> heapBytes / 3;
            default -> heapBytes / 8;
        };
    }

    /** As {@link #read}, and keeps nothing but the facts. */
    public ClusterFacts facts() throws SourceProblem {
        return facts(Stream.of(FactKind.values())
                .filter(kind -> !kind.isForReports())
                .collect(Collectors.toSet()));
    }

    /** As {@link #facts()}, of some kinds only. */
    public ClusterFacts facts(Set<FactKind> kinds) throws SourceProblem {
        return read((_, _) -> {}, kinds, KindList.Keeping.FACTS).facts();
    }

    /**
     * Blocks while it lists. A kind that cannot be listed is left out, and the facts say why.
     *
     * @throws SourceProblem when no kind at all can be listed
     */
    public LiveFacts read(ListProgress progress) throws SourceProblem {
        return read(progress, EnumSet.allOf(FactKind.class), KindList.Keeping.ITEMS);
    }

    private LiveFacts read(ListProgress progress, Set<FactKind> kinds, KindList.Keeping keeping) throws SourceProblem {
        ApiServer server = new ApiServer(client);
        List<KindList> lists = kinds.stream()
                .map(kind -> new KindList(server, kind, progress, keeping, mostBytes(kind)))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            return LiveFacts.of(all(lists, threads), client.getMasterUrl().toString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SourceProblem("the lists were interrupted", stopped);
        }
    }

    private static List<KindResult> all(List<KindList> lists, ExecutorService threads) throws InterruptedException {
        List<Future<KindResult>> futures =
                lists.stream().map(list -> threads.submit(list::read)).toList();
        List<KindResult> results = new ArrayList<>();
        try {
            for (Future<KindResult> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException fault) {
            throw new IllegalStateException("a list failed in a way that is a fault of Sluice", fault.getCause());
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
