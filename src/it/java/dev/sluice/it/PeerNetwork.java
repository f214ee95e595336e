package dev.sluice.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What lies between replicas: a proxy in front of the port of each. It tells callers apart by the process that has the
 * other end of the connection, so that any direction between any two can be cut.
 */
final class PeerNetwork implements AutoCloseable {

    private static final int STRANGER = -1;

    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<Gateway> replicas = new CopyOnWriteArrayList<>();
    private final Set<Way> cut = ConcurrentHashMap.newKeySet();

    private record Way(int from, int to) {}

    /** @param ports of the replicas, in their order */
    PeerNetwork(List<Integer> ports) throws IOException {
        for (int port : ports) {
            int to = proxies.size();
            proxies.add(new TcpProxy(port, caller -> directions(caller, to)));
        }
    }

    /** The next replica, in the order of the ports. */
    void add(Gateway replica) {
        replicas.add(replica);
    }

    /** The port at which others reach this one. */
    int port(int replica) {
        return proxies.get(replica).port();
    }

    private TcpProxy.Directions directions(int caller, int to) {
        int from = replicaWith(caller);
        return new TcpProxy.Directions(() -> !cut.contains(new Way(from, to)), () -> !cut.contains(new Way(to, from)));
    }

    private int replicaWith(int port) {
        for (int i = 0; i < replicas.size(); i++) {
            Daemon daemon = replicas.get(i).daemon();
            if (daemon.isAlive() && Sockets.has(daemon.pid(), port)) {
                return i;
            }
        }
        return STRANGER;
    }

    /** From now on nothing that one sends reaches the other, over whichever connection. */
    void cut(Gateway from, Gateway to) {
        cut.add(new Way(replicas.indexOf(from), replicas.indexOf(to)));
    }

    /** Both directions between this one and all others. */
    void isolate(Gateway one) {
        for (Gateway other : replicas) {
            if (other != one) {
                cut(one, other);
                cut(other, one);
            }
        }
    }

    /** All bytes pass, also those that were under way. */
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
