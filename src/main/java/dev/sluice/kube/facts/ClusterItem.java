package dev.sluice.kube.facts;

/**
 * An object of a list. The components of these records are the only fields that are read from a cluster. Other fields
 * are skipped, so they are never in a file that {@code --collect} writes.
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
                WebhooksItem {

    String apiVersion();

    String kind();

    ItemMeta metadata();
}
