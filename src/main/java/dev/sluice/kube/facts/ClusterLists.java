package dev.sluice.kube.facts;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.facts.KindList.KindResult;
import io.fabric8.kubernetes.api.model.NamedContext;
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

/** Reads the lists of a live cluster, several at a time. */
public final class ClusterLists implements AutoCloseable {

    /**
     * The number of lists that are read at a time. A higher number would not be faster, because most of the work is the
     * parsing of pods and events.
     */
    private static final int AT_A_TIME = 4;

    private final KubernetesClient client;
    private final long heapBytes;

    private ClusterLists(KubernetesClient client, long heapBytes) {
        this.client = client;
        this.heapBytes = heapBytes;
    }

    /** Returns the cluster of a client. {@link #close} closes the client, too. */
    public static ClusterLists of(KubernetesClient client) {
        return new ClusterLists(client, Long.MAX_VALUE);
    }

    /**
     * Returns the cluster of a client, for a process that shares its heap with other work. If a kind has too many
     * objects for this heap, it is left out; otherwise users who may create pods or Events could fill the memory.
     *
     * @param heapBytes the size of the heap in bytes
     */
    public static ClusterLists within(KubernetesClient client, long heapBytes) {
        return new ClusterLists(client, heapBytes);
    }

    /**
     * Returns the memory limit for one kind, in bytes of estimated weight. The estimate counts two bytes for each
     * character, and counts shared values each time. Ordinary objects therefore take about half of it, and objects that
     * are made to be large take nearly all.
     */
    private long mostBytes(FactKind kind) {
        return switch (kind) {
            case NODES, PODS -> heapBytes / 3;
            default -> heapBytes / 8;
        };
    }

    /** Reads the cluster, and keeps only the facts of the kinds that a diagnosis needs. */
    public ClusterFacts facts() throws SourceProblem {
        return facts(Stream.of(FactKind.values())
                .filter(kind -> !kind.isForReports())
                .collect(Collectors.toSet()));
    }

    /** Reads only the given kinds, and keeps only the facts. */
    public ClusterFacts facts(Set<FactKind> kinds) throws SourceProblem {
        return read((_, _) -> {}, kinds, KindList.Keeping.FACTS).facts();
    }

    /**
     * Reads all kinds, and blocks while it does. A kind that cannot be listed is left out, and the facts say why.
     *
     * @throws SourceProblem if no kind at all can be listed
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
            return LiveFacts.of(all(lists, threads), client.getMasterUrl().toString(), name());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SourceProblem("the lists were interrupted", stopped);
        }
    }

    /** Returns the context of the kubeconfig; empty for the account of a pod. */
    private String name() {
        NamedContext context = client.getConfiguration().getCurrentContext();
        return context == null || context.getName() == null ? "" : context.getName();
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
