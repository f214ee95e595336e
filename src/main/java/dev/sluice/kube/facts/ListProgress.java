package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.FactKind;

/** Receives the progress of reading the lists. Several threads call it. */
public interface ListProgress {

    /** Reports how many objects of a kind have been read so far. */
    void read(FactKind kind, int objects);
}
