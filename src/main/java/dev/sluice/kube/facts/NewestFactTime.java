package dev.sluice.kube.facts;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when objects were collected from the times in them: the newest time that two independent sources agree on.
 * A source is a node with its Lease, or a namespace. Whoever writes in one namespace can write any time into it, and
 * would otherwise decide what is recent for everybody. If all times are of one namespace and of nodes, they need not
 * agree, because there is nobody else.
 */
final class NewestFactTime {

    /** A time with the source that has it. */
    private record SourceTime(String source, Instant time) {
        boolean isNewerThan(@Nullable SourceTime other) {
            return other == null || time.isAfter(other.time);
        }
    }

    private @Nullable SourceTime newest;
    /** The newest time of any other source. */
    private @Nullable SourceTime second;

    private @Nullable String namespace;
    private boolean severalNamespaces;

    private @Nullable Instant ofObject;
    private String textOfObject = "";

    @Nullable
    Instant instant() {
        return Optional.ofNullable(severalNamespaces ? second : newest)
                .map(SourceTime::time)
                .orElse(null);
    }

    /** Records a time in the object that is read. */
    void see(TimeText time) {
        if (isOlder(time.text())) {
            return;
        }
        Instant instant = time.instant();
        if (instant != null && (ofObject == null || instant.isAfter(ofObject))) {
            ofObject = instant;
            textOfObject = time.text();
        }
    }

    /** Assigns the times since the last call to a node. */
    void endOfNode(String name) {
        end("Node " + name);
    }

    /**
     * Assigns the times since the last call to a namespace.
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
        if (others.second != null) {
            add(others.second);
        }
        if (others.newest != null) {
            add(others.newest);
        }
    }

    /**
     * Returns true if this time is not newer than the newest of the object. Only times in UTC with the same length are
     * compared as texts, which takes a fifth of the time of parsing.
     */
    private boolean isOlder(String text) {
        return text.length() == textOfObject.length()
                && text.endsWith("Z")
                && textOfObject.endsWith("Z")
                && text.compareTo(textOfObject) <= 0;
    }
}
