package dev.sluice.replication;

import dev.sluice.replication.SimulatedApiServer.PodChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A ledger that only counts devices, which is fast. */
final class CountedDevices implements SimulatedLedger {

    /** A reservation for a pod that was not seen. */
    private record Reserved(int need, long since) {}

    private final Map<String, Reserved> reserved = new LinkedHashMap<>();
    /** The pods that the watch has told of, by uid. */
    private final Map<String, PodChange> pods = new TreeMap<>();
    /** The stamps of all pods that the watch has told of. */
    private final Set<String> seen = new HashSet<>();

    @Override
    public boolean reserve(String stamp, String older, int need, long now) {
        Reserved old = reserved.get(older);
        if (SimulatedReplica.DEVICES - used() + (old == null ? 0 : old.need()) < need) {
            return false;
        }
        reserved.remove(older);
        reserved.put(stamp, new Reserved(need, now));
        return true;
    }

    @Override
    public void follow(ReplicatedEntry<Integer> entry, List<ReplicatedEntry<Integer>> replaced, long now) {
        replaced.forEach(old -> reserved.remove(old.stamp()));
        if (!seen.contains(entry.stamp())) {
            reserved.put(entry.stamp(), new Reserved(entry.change(), now));
        }
    }

    @Override
    public void forget(String stamp) {
        reserved.remove(stamp);
    }

    @Override
    public void see(PodChange change, long number) {
        seen.add(change.stamp());
        reserved.remove(change.stamp());
        if (change.stored()) {
            pods.put(change.uid(), change);
        } else {
            pods.remove(change.uid());
        }
    }

    @Override
    public List<String> watched(long upTo) {
        List<String> expired = new ArrayList<>(0);
        reserved.forEach((stamp, old) -> {
            if (upTo >= old.since() + Simulation.TIMES.longestCreate()) {
                expired.add(stamp);
            }
        });
        expired.forEach(reserved::remove);
        return expired;
    }

    @Override
    public boolean isReserved(String stamp) {
        return reserved.containsKey(stamp);
    }

    @Override
    public long used() {
        return reserved.values().stream().mapToLong(Reserved::need).sum()
                + pods.values().stream().mapToLong(PodChange::need).sum();
    }

    @Override
    public String state() {
        return "reserved " + reserved.values().stream().mapToInt(Reserved::need).sum() + " pods " + pods.keySet();
    }
}
