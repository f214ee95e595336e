package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.ClusterFactKind;

/** Receives the progress while lists are read. Several threads may call it. */
public interface FactListProgress {

    /** Reports how many objects of a kind have been read so far. */
    void read(ClusterFactKind kind, int objects);
}
