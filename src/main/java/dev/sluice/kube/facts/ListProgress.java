package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.FactKind;

/** Hears how far the lists are, from several threads. */
public interface ListProgress {

    /** So many objects of a kind have been read up to now. */
    void read(FactKind kind, int objects);
}
