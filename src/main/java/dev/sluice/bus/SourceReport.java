package dev.sluice.bus;

import dev.sluice.cluster.UnreadableObjects;

/** Receives what happens to one watch. Not thread-safe. */
public interface SourceReport {

    /** All objects were listed. */
    void listed(int objects);

    /** The source has sent something. */
    void heard();

    /** The source responds, although it has sent nothing yet, so that the last problem may persist. */
    void answered();

    /** The source does not let the account list these objects, or has no such objects; they are optional. */
    void withheld(String answer, Withheld why);

    /** The reasons why optional objects cannot be listed. */
    enum Withheld {
        FORBIDDEN,
        /** The API server does not serve this kind of object. */
        ABSENT
    }

    /** The objects that could not be read. */
    void unreadable(UnreadableObjects newest);

    void failed(String problem);
}
