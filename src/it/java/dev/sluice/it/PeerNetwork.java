package dev.sluice.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between replicas: each pair has a proxy for each direction of calls. Each replica resolves the name of
 * another one to the address of its own proxy, so that any direction between any two can be cut.
 */
final class PeerNetwork implements AutoCloseable {

    private final List<Integer> ports;
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<Gateway> replicas = new ArrayList<>();
    private final Set<Way> cut = ConcurrentHashMap.newKeySet();

    private record Way(int from, int to) {}

    /** @param ports of the replicas, in their order */
    PeerNetwork(List<Integer> ports) throws IOException {
        this.ports = List.copyOf(ports);
        for (int from = 0; from < ports.size(); from++) {
            for (int to = 0; to < ports.size(); to++) {
                if (from != to) {
                    proxies.add(proxy(from, to));
                }
            }
        }
    }

    private TcpProxy proxy(int from, int to) throws IOException {
        Way there = new Way(from, to);
        Way back = new Way(to, from);
        return new TcpProxy(
                new InetSocketAddress(InetAddress.ofLiteral(address(from, to)), ports.get(to)),
                ports.get(to),
                new TcpProxy.Directions(() -> !cut.contains(there), () -> !cut.contains(back)));
    }

    /** Returns the IP address at which the first replica calls the second one. */
    private static String address(int from, int to) {
        return from == to ? "127.0.0.1" : "127.1." + (from + 1) + "." + (to + 1);
    }

    private static String name(int replica) {
        return "replica-" + replica + ".test";
    }

    /** Returns the address that a replica writes into the Lease. */
    String advertisedAddress(int replica) {
        return name(replica) + ":" + ports.get(replica);
    }

    /** Returns the options with which a replica's JVM finds the proxies in front of the other replicas. */
    String javaOptions(int replica, Path directory) throws IOException {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
        for (int to = 0; to < ports.size(); to++) {
            hosts.append(address(replica, to)).append(' ').append(name(to)).append('\n');
        }
        Path file = Files.writeString(directory.resolve("hosts-of-" + replica), hosts);
        return "-Dvertx.disableDnsResolver=true -Djdk.net.hosts.file=" + file;
    }

    /** Adds the next replica, in the order of the ports. */
    void add(Gateway replica) {
        replicas.add(replica);
    }

    /** Stops everything that the first replica sends to the second one, over every connection. */
    void cut(Gateway from, Gateway to) {
        cut.add(new Way(replicas.indexOf(from), replicas.indexOf(to)));
    }

    /** Stops both directions between this replica and all others. */
    void isolate(Gateway one) {
        for (Gateway other : replicas) {
            if (other != one) {
                cut(one, other);
                cut(other, one);
            }
        }
    }

    /** Lets all bytes pass again, also those that were stopped. */
    void heal() {
        cut.clear();
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy proxy : proxies) {
            proxy.close();
        }
    }
}
