package dev.sluice.kube.facts;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when the objects were collected, from the times that the objects contain. The estimate decides which
 * messages count as recent. A user who may write in one namespace can write any time into its objects, so the newest
 * time of all objects cannot be trusted.
 *
 * <p>Each namespace is a source of times, and so is each node together with its Lease. The estimate is the newest time
 * that at least two sources confirm: the newest time of each source is taken, and the second highest of these is used.
 * If there is only one namespace, the highest is used, because there are no other users.
 *
 * <p>Kubelets, and not users, write the heartbeats and the Leases of nodes. Two errors are therefore corrected with the
 * newest time of the nodes. An estimate that is much newer is replaced, because a user may be able to write in several
 * namespaces. An estimate that is much older is replaced if there is only one node, because no second node can confirm
 * its time.
 */
final class NewestFactTime {

    /**
     * The maximum age of the newest Lease when the objects were collected. A kubelet renews its Lease every 10 seconds,
     * and the other objects may be listed some time after the Leases.
     */
    private static final Duration AFTER_LEASE = Duration.ofMinutes(2);

    /**
     * The maximum age of the newest heartbeat when the objects were collected. A kubelet writes the status of its Node
     * every 5 minutes if nothing changes.
     */
    private static final Duration AFTER_HEARTBEAT = Duration.ofMinutes(6);

    /** A time, and the source from which it comes. */
    private record SourceTime(String source, Instant time) {
        boolean isNewerThan(@Nullable SourceTime other) {
            return other == null || time.isAfter(other.time);
        }
    }

    private @Nullable SourceTime newest;
    /** The newest time from a source other than the source of {@link #newest}. */
    private @Nullable SourceTime second;

    private @Nullable String namespace;
    private boolean severalNamespaces;

    /** The newest time of all nodes. */
    private @Nullable Instant ofNodes;

    private @Nullable String node;
    private boolean severalNodes;

    private boolean hasHeartbeats;
    private boolean hasLeases;

    private @Nullable Instant ofObject;
    private String textOfObject = "";
    private boolean isHeartbeat;

    @Nullable
    Instant instant() {
        Instant agreed = Optional.ofNullable(severalNamespaces ? second : newest)
                .map(SourceTime::time)
                .orElse(null);
        if (agreed != null
                && ofNodes != null
                && !severalNodes
                && hasHeartbeats
                && Duration.between(agreed, ofNodes).compareTo(AFTER_HEARTBEAT) > 0) {
            return ofNodes;
        }
        boolean isBelieved = agreed == null
                || ofNodes == null
                || !(hasHeartbeats || hasLeases)
                || Duration.between(ofNodes, agreed).compareTo(hasLeases ? AFTER_LEASE : AFTER_HEARTBEAT) <= 0;
        return isBelieved ? agreed : ofNodes;
    }

    /**
     * Records the time of a heartbeat in the object that is being read. It is used as a heartbeat only if the object is
     * a Node.
     */
    void seeHeartbeat(FactTimeText time) {
        isHeartbeat = true;
        see(time);
    }

    /** Records a time that occurs in the object that is being read. */
    void see(FactTimeText time) {
        if (isOlder(time.text())) {
            return;
        }
        Instant instant = time.instant();
        if (instant != null && (ofObject == null || instant.isAfter(ofObject))) {
            ofObject = instant;
            textOfObject = time.text();
        }
    }

    /** Assigns the recorded times to a node. Must be called after the Lease of this node has been read. */
    void endOfNodeLease(String name) {
        hasLeases |= ofObject != null;
        endOfNode(name);
    }

    /** Assigns the recorded times to a node. Must be called after this Node has been read. */
    void endOfNode(String name) {
        if (ofObject != null && (ofNodes == null || ofObject.isAfter(ofNodes))) {
            ofNodes = ofObject;
        }
        hasHeartbeats |= isHeartbeat;
        severalNodes |= node != null && !node.equals(name);
        node = name;
        end("Node " + name);
    }

    /**
     * Assigns the recorded times to a namespace. Must be called after any other object has been read.
     *
     * @param name the name of the namespace; empty for an object of the whole cluster
     */
    void endOfObject(String name) {
        if (ofObject != null && !name.isEmpty()) {
            severalNamespaces |= namespace != null && !namespace.equals(name);
            namespace = name;
        }
        end("namespace " + name);
    }

    private void end(String source) {
        if (ofObject != null) {
            add(new SourceTime(source, ofObject));
        }
        ofObject = null;
        textOfObject = "";
        isHeartbeat = false;
    }

    private void add(SourceTime seen) {
        if (newest != null && newest.source().equals(seen.source())) {
            newest = seen.isNewerThan(newest) ? seen : newest;
        } else if (seen.isNewerThan(newest)) {
            second = newest;
            newest = seen;
        } else if (seen.isNewerThan(second)) {
            second = seen;
        }
    }

    void seeAll(NewestFactTime others) {
        severalNamespaces |= others.severalNamespaces
                || (namespace != null && others.namespace != null && !namespace.equals(others.namespace));
        namespace = others.namespace == null ? namespace : others.namespace;
        severalNodes |= others.severalNodes || (node != null && others.node != null && !node.equals(others.node));
        node = others.node == null ? node : others.node;
        hasHeartbeats |= others.hasHeartbeats;
        hasLeases |= others.hasLeases;
        if (others.ofNodes != null && (ofNodes == null || others.ofNodes.isAfter(ofNodes))) {
            ofNodes = others.ofNodes;
        }
        if (others.second != null) {
            add(others.second);
        }
        if (others.newest != null) {
            add(others.newest);
        }
    }

    /**
     * Returns true if this time is certainly not newer than the newest time that was recorded for the same object. The
     * texts are compared, because parsing them takes five times as long. This is possible only for times in UTC with
     * the same length. For other times, returns false.
     */
    private boolean isOlder(String text) {
        return text.length() == textOfObject.length()
                && text.endsWith("Z")
                && textOfObject.endsWith("Z")
                && text.compareTo(textOfObject) <= 0;
    }
}
