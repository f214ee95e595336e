package dev.sluice.kube.watch;

import dev.sluice.cluster.MalformedClusterObjects;

/** Receives reports about one watch. It is not thread-safe. */
public interface ReflectorStatusReport {

    /** Reports that all objects were listed. */
    void listed(int objects);

    /** Reports that the source has sent data. */
    void heard();

    /**
     * Reports that the source responds, but has sent no data yet. A problem that was reported earlier may therefore
     * persist.
     */
    void answered();

    /**
     * Reports that optional objects cannot be listed: the service account may not list them, or the source does not
     * have them.
     */
    void withheld(String answer, Withheld why);

    /** The reasons why optional objects cannot be listed. */
    enum Withheld {
        FORBIDDEN,
        /** The API server does not serve this kind of object. */
        ABSENT
    }

    /** Reports the objects that could not be decoded. */
    void unreadable(MalformedClusterObjects newest);

    void failed(String problem);
}
