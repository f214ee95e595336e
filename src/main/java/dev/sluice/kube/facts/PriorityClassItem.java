package dev.sluice.kube.facts;

/** A PriorityClass. */
record PriorityClassItem(String apiVersion, String kind, ItemMeta metadata, long value, boolean globalDefault)
        implements ClusterItem {

    PriorityClassItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }
}
