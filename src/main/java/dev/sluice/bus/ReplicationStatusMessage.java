package dev.sluice.bus;

import dev.sluice.replication.Member;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The state of replication as this replica sees it, in availability mode.
 *
 * @param holder the replica that decides; empty if none is known
 * @param inSync the in-sync set, as it was last read in the Lease. These replicas have every decision whose answer was
 *     sent
 * @param lag for each replica, the number of entries that the holder has sent and the replica has not acknowledged;
 *     empty if this replica is not the holder
 * @param entries the number of decisions with reservations
 * @param takeovers the number of times that this process has taken the lease over from another replica
 * @param lastTakeover how long the last takeover took: from the last sign of life of the former holder to the first
 *     decision of this process; zero if this process has never taken over
 * @param refusedJoins the number of join requests of other replicas that this replica has refused, because too many
 *     replicas already copy its decisions
 * @param leaseProblem the reason why the last request for the Lease failed; empty if it was answered
 */
public record ReplicationStatusMessage(
        Member self,
        Optional<Member> holder,
        long term,
        List<Member> inSync,
        Map<Member, Long> lag,
        int entries,
        long takeovers,
        Duration lastTakeover,
        long refusedJoins,
        String leaseProblem) {

    public ReplicationStatusMessage {
        inSync = List.copyOf(inSync);
        lag = Map.copyOf(lag);
    }

    public boolean isLeading() {
        return holder.equals(Optional.of(self));
    }

    /**
     * Returns true if this replica has a port for other replicas, but the holder of the Lease has none. The holder then
     * shares no reservations, because it has an older version or another configuration.
     */
    public boolean holderSharesNothing() {
        return !self.address().isEmpty()
                && holder.filter(other -> other.address().isEmpty()).isPresent();
    }

    /**
     * Returns the other replicas that this replica knows: the in-sync set and the holder. The holder also knows the
     * replicas that copy its decisions.
     */
    public NavigableSet<Member> others() {
        NavigableSet<Member> others = new TreeSet<>(inSync);
        others.addAll(lag.keySet());
        holder.ifPresent(others::add);
        others.remove(self);
        return others;
    }

    /**
     * Returns the other replica that decides. Returns empty if this replica decides or if no holder is known. Also
     * returns empty if this replica or the holder has no port for other replicas.
     */
    public Optional<Member> elsewhere() {
        return holder.filter(other -> !other.equals(self)
                && !self.address().isEmpty()
                && !other.address().isEmpty());
    }
}
