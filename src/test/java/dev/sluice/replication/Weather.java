package dev.sluice.replication;

import java.util.HashSet;
import java.util.Set;

/** Which messages and requests are lost, late or repeated at the moment. */
final class Weather {

    private record Way(SimulatedReplica from, SimulatedReplica to) {}

    private final World world;
    private final Set<Way> cut = new HashSet<>();
    private final Set<SimulatedReplica> cutFromApiServer = new HashSet<>();
    private boolean apiServerIsAway;
    private double loss;
    private double repeats;
    private double lostRequests;
    private double lateRequests;
    private long delay = 3;

    Weather(World world) {
        this.world = world;
    }

    /** The dice decide how bad the network is in this schedule. */
    void becomeRough() {
        loss = world.happens(0.5) ? 0 : 0.2 / world.between(1, 20);
        repeats = world.happens(0.5) ? 0 : 0.1;
        delay = world.happens(0.7) ? world.between(1, 10) : world.between(10, 150);
        lostRequests = world.happens(0.4) ? 0 : 0.5 / world.between(1, 10);
        lateRequests = world.happens(0.4) ? 0 : 0.5 / world.between(1, 10);
    }

    void becomeFine() {
        cut.clear();
        cutFromApiServer.clear();
        apiServerIsAway = false;
        loss = 0;
        repeats = 0;
        lostRequests = 0;
        lateRequests = 0;
        delay = 3;
    }

    /** Loses all messages from one replica to another for a while. */
    void cut(SimulatedReplica from, SimulatedReplica to, long millis) {
        Way way = new Way(from, to);
        cut.add(way);
        world.in(millis, () -> cut.remove(way));
    }

    void cutFromApiServer(SimulatedReplica replica, long millis) {
        cutFromApiServer.add(replica);
        world.in(millis, () -> cutFromApiServer.remove(replica));
    }

    void takeTheApiServerAway(long millis) {
        apiServerIsAway = true;
        world.in(millis, () -> apiServerIsAway = false);
    }

    boolean reachesApiServer(SimulatedReplica replica) {
        return !apiServerIsAway && !cutFromApiServer.contains(replica);
    }

    boolean losesRequest() {
        return lostRequests > 0 && world.happens(lostRequests);
    }

    /** Some requests are carried out long after their sender has given them up. */
    long requestDelay() {
        return lateRequests > 0 && world.happens(lateRequests) ? world.between(100, 2_500) : world.between(1, 15);
    }

    /** Carries a message: never, once or twice, in any order. */
    void carry(SimulatedReplica from, SimulatedReplica to, Runnable delivery) {
        if (cut.contains(new Way(from, to)) || (loss > 0 && world.happens(loss))) {
            return;
        }
        world.in(world.between(0, delay), delivery);
        if (repeats > 0 && world.happens(repeats)) {
            world.in(world.between(0, 20 * delay), delivery);
        }
    }
}
