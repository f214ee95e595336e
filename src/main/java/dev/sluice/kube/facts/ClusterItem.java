package dev.sluice.kube.facts;

/**
 * A Kubernetes object that was read from a list. Each kind has a record, and only the components of the record are
 * read. Other fields are skipped, so they are never in a file that {@code doctor --collect} writes.
 */
sealed interface ClusterItem
        permits NodeItem,
                PodItem,
                WorkloadItem,
                EventItem,
                QuotaItem,
                PriorityClassItem,
                DeviceClassItem,
                ClaimItem,
                SliceItem,
                LeaseItem,
                WebhooksItem,
                QueuedWorkloadItem {

    String apiVersion();

    String kind();

    ItemMeta metadata();
}
