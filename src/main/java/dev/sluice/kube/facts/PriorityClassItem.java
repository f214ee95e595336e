package dev.sluice.kube.facts;

/** The fields of a PriorityClass that a diagnosis needs. */
record PriorityClassItem(String apiVersion, String kind, ItemMeta metadata, long value, boolean globalDefault)
        implements ClusterItem {

    PriorityClassItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }
}
