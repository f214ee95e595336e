package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.facts.FactKindList.KindResult;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the lists of a live cluster, several at a time. */
public final class LiveFactLists implements LiveFactsReader, AutoCloseable {

    /**
     * The number of lists that are read at the same time. A higher number would not be faster, because most of the work
     * is the parsing of pods and events.
     */
    private static final int AT_A_TIME = 4;

    private final KubernetesClient client;
    private final long mostBytes;
    private final AtomicLong cpuNanos = new AtomicLong();

    private LiveFactLists(KubernetesClient client, long mostBytes) {
        this.client = client;
        this.mostBytes = mostBytes;
    }

    /**
     * Returns a reader of the cluster to which the client is connected, for a process that only runs one command.
     * {@link #close} also closes the client.
     */
    public static LiveFactLists of(KubernetesClient client) {
        return new LiveFactLists(client, FactBudget.ofCommand());
    }

    /**
     * Returns a reader of the cluster to which the client is connected, for a process that also does other work.
     *
     * @param heapBytes the size of the heap in bytes
     */
    public static LiveFactLists within(KubernetesClient client, long heapBytes) {
        return new LiveFactLists(client, FactBudget.ofGateway(heapBytes));
    }

    /** Reads the cluster, and keeps only the facts of the kinds that a diagnosis needs. */
    public ClusterFacts facts() throws ClusterStateException {
        return facts(Stream.of(ClusterFactKind.values())
                .filter(kind -> !kind.isOptional())
                .collect(Collectors.toSet()));
    }

    /** Reads only the given kinds, and keeps only the facts. */
    public ClusterFacts facts(Set<ClusterFactKind> kinds) throws ClusterStateException {
        return read((_, _) -> {}, kinds, FactKindList.Keeping.FACTS).facts();
    }

    @Override
    public long cpuNanos() {
        return cpuNanos.get();
    }

    @Override
    public ClusterFacts read() throws ClusterStateException {
        return facts();
    }

    /**
     * Reads the objects of all kinds. Blocks until all lists have ended. If a kind cannot be listed, the facts contain
     * the reason instead of its objects.
     *
     * @param keepsItems true if the objects are also kept for a file
     * @throws ClusterStateException if no kind at all can be listed
     */
    public LiveFacts read(FactListProgress progress, boolean keepsItems) throws ClusterStateException {
        return read(
                progress,
                EnumSet.allOf(ClusterFactKind.class),
                keepsItems ? FactKindList.Keeping.ITEMS : FactKindList.Keeping.FACTS);
    }

    private LiveFacts read(FactListProgress progress, Set<ClusterFactKind> kinds, FactKindList.Keeping keeping)
            throws ClusterStateException {
        ApiServer server = new ApiServer(client);
        FactBudget budget = new FactBudget(mostBytes);
        List<FactKindList> lists = kinds.stream()
                .map(kind -> new FactKindList(server, kind, progress, keeping, budget))
                .toList();
        Map<Long, Long> before = LiveFactsCpuTime.ofHttpClients();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            List<KindResult> results = all(lists, threads);
            return LiveFacts.of(
                    results, budget, server.date(), client.getMasterUrl().toString(), name());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ClusterStateException("the lists were interrupted", stopped);
        } finally {
            cpuNanos.addAndGet(LiveFactsCpuTime.ofHttpClientsSince(before));
        }
    }

    /** Returns the context of the kubeconfig; empty for the account of a pod. */
    private String name() {
        NamedContext context = client.getConfiguration().getCurrentContext();
        return context == null || context.getName() == null ? "" : context.getName();
    }

    private KindResult counted(FactKindList list) {
        long before = LiveFactsCpuTime.ofThread();
        try {
            return list.read();
        } finally {
            cpuNanos.addAndGet(LiveFactsCpuTime.ofThread() - before);
        }
    }

    private List<KindResult> all(List<FactKindList> lists, ExecutorService threads) throws InterruptedException {
        List<Future<KindResult>> futures =
                lists.stream().map(list -> threads.submit(() -> counted(list))).toList();
        List<KindResult> results = new ArrayList<>();
        try {
            for (Future<KindResult> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException fault) {
            if (fault.getCause() instanceof Error lackOfMemory) {
                throw lackOfMemory;
            }
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
