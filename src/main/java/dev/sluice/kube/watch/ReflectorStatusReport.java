package dev.sluice.kube.watch;

import dev.sluice.cluster.MalformedClusterObjects;

/**
 * Receives reports about one watch. The source of the watch is the API server or a snapshot file. It is not
 * thread-safe.
 */
interface ReflectorStatusReport {

    /** Reports that all objects were listed. */
    void listed(int objects);

    /** Reports that the source of the watch (the API server or a snapshot file) has sent data. */
    void heard();

    /**
     * Reports that the source of the watch responds, but has sent no data yet. A problem that was reported earlier may
     * therefore persist.
     */
    void answered();

    /**
     * Reports that the objects of an optional kind cannot be listed: the service account may not list them, or the API
     * server does not serve this kind.
     */
    void withheld(String answer, Withheld why);

    /** The reasons why the objects of an optional kind cannot be listed. */
    enum Withheld {
        FORBIDDEN,
        /** The API server does not serve this kind of object. */
        ABSENT
    }

    /** Reports the objects that could not be decoded. */
    void unreadable(MalformedClusterObjects newest);

    void failed(String problem);
}
