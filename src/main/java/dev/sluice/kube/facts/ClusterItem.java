package dev.sluice.kube.facts;

/**
 * An object of a list. The components of these records are everything that is read of a cluster; other fields are
 * skipped, and so never stand in a file that {@code --collect} writes.
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
