package dev.sluice.metrics;

import static dev.sluice.metrics.MetricName.MetricKind.COUNTER;
import static dev.sluice.metrics.MetricName.MetricKind.GAUGE;
import static dev.sluice.metrics.MetricName.MetricKind.HISTOGRAM;
import static dev.sluice.metrics.MetricName.MetricKind.INFO;
import static dev.sluice.metrics.MetricName.MetricKind.SUMMARY;

/**
 * The names of all metrics of the gateway, with their types and help texts. In the text formats, the names of counters
 * end in {@code _total}, and the names of info metrics end in {@code _info}. The metrics of the JVM and of the process
 * have the same names as in Prometheus' own client libraries.
 */
public enum MetricName {
    FALLBACK(
            COUNTER,
            "gpu_webhook_fallback",
            "Pods that were given another GPU resource than they asked for; dry runs excluded."),
    DECISIONS(COUNTER, "gpu_webhook_decisions", "Pods with a GPU request, by what was decided and why."),
    BYPASSED(
            COUNTER,
            "gpu_webhook_bypassed_pods",
            "GPU pods that no gateway decided about, by namespace and cause, if that is certain; availability mode"
                    + " only."),
    WITHOUT_GPU(COUNTER, "gpu_webhook_pods_without_gpu", "Pods that reached the gateway although they ask for no GPU."),
    PASSED(COUNTER, "gpu_webhook_reviews_passed", "Reviews of anything but the creation of a pod."),
    REFUSED(COUNTER, "gpu_webhook_requests_refused", "Requests that got an HTTP error, by status."),
    CONNECTIONS(GAUGE, "gpu_webhook_connections", "Open connections, by port."),
    ACCESS_REFUSED(
            COUNTER,
            "gpu_webhook_access_refused",
            "Requests to the management port that were refused access, by reason; 0 while everybody may read."),
    BODY_MEMORY(
            GAUGE,
            "gpu_webhook_body_memory_bytes",
            "Memory that is reserved for the bodies of reviews and the objects created from them, in bytes."),
    ABUSE(
            COUNTER,
            "gpu_webhook_abuse",
            "Connections closed and bodies refused because they used too much or were too slow, by cause."),
    FAULTS(COUNTER, "gpu_webhook_faults", "Pods left as written because of a fault of the gateway."),
    DURATION(HISTOGRAM, "gpu_webhook_review_duration_seconds", "From the whole body of a review to its answer."),
    SYNCED(GAUGE, "gpu_webhook_synced", "1 once all nodes, or pods, have been listed."),
    RESERVING(GAUGE, "gpu_webhook_reserving", "1 if the configuration wants availability mode, for any namespace."),
    LEASE_HELD(
            GAUGE,
            "gpu_webhook_lease_held",
            "1 while this gateway holds the lease of availability mode; 0 also where there is none."),
    DECIDING(
            GAUGE,
            "gpu_webhook_deciding",
            "1 while this gateway decides in availability mode; 0 also in allocatable mode, where each one does."),
    REPLICATION_IN_SYNC(
            GAUGE,
            "gpu_webhook_replication_in_sync",
            "Replicas that have every answered decision, as this gateway has read in the lease last."),
    REPLICATION_TERM(
            GAUGE,
            "gpu_webhook_replication_term",
            "The term of the lease, which each takeover of the lease increases."),
    REPLICATION_LAG(
            GAUGE,
            "gpu_webhook_replication_lag_entries",
            "Decisions that the slowest other replica has not acknowledged; 0 at gateways that do not decide."),
    REPLICATION_ENTRIES(
            GAUGE, "gpu_webhook_replication_entries", "Decisions of all replicas whose reservations are held."),
    REPLICATION_TAKEOVERS(
            COUNTER,
            "gpu_webhook_replication_takeovers",
            "How often this gateway has taken the lease over from another one."),
    REPLICATION_REFUSED_JOINS(
            COUNTER,
            "gpu_webhook_replication_refused_joins",
            "Requests of other replicas for decisions that were refused, because there are too many replicas."),
    REPLICATION_LAST_TAKEOVER(
            GAUGE,
            "gpu_webhook_replication_last_takeover_seconds",
            "From the last sign of the former holder to the first decision of this one; 0 if it has taken nothing over."),
    GENERATION(
            GAUGE,
            "gpu_webhook_snapshot_generation",
            "Rises with every change of the cluster that a decision could see."),
    NODES(GAUGE, "gpu_webhook_snapshot_nodes", "Nodes in the snapshot that decisions read."),
    RESOURCE_ALLOCATABLE(
            GAUGE, "gpu_webhook_resource_allocatable", "How much of a device all nodes together have allocatable."),
    RESOURCE_ALLOCATED(
            GAUGE, "gpu_webhook_resource_allocated", "How much of a device pods take that are bound to nodes."),
    RESOURCE_RESERVED(
            GAUGE,
            "gpu_webhook_resource_reserved",
            "How much of a device is reserved for pods that are not bound yet."),
    RESOURCE_AVAILABLE(
            GAUGE, "gpu_webhook_resource_available", "How much of a device is neither allocated nor reserved."),
    NODE_ALLOCATABLE(GAUGE, "gpu_webhook_node_allocatable", "How much of a device a node has allocatable."),
    NODE_ALLOCATED(GAUGE, "gpu_webhook_node_allocated", "How much of a device pods take that are bound to a node."),
    NODE_AVAILABLE(
            GAUGE, "gpu_webhook_node_available", "How much of a device is neither allocated nor reserved on a node."),
    RESOURCES_WITHOUT_SERIES(
            GAUGE,
            "gpu_webhook_resources_without_series",
            "Names of devices that have no series of their own, because nodes have reported too many names."),
    RELISTS(COUNTER, "gpu_webhook_watch_relists", "Complete lists after the first one, of nodes and of pods."),
    WATCH_FAILURES(COUNTER, "gpu_webhook_watch_failures", "Failed attempts to list or watch nodes, or pods."),
    CURRENT_AS_OF(
            GAUGE,
            "gpu_webhook_watch_current_as_of_timestamp_seconds",
            "The moment before which every stored change is known; 0 while nothing is proved."),
    PASSED_OVER(
            COUNTER, "gpu_webhook_watch_passed_over", "Malformed nodes, or pods, that were received since the start."),
    UNREAD(
            GAUGE,
            "gpu_webhook_watch_unread_objects",
            "Nodes, or pods, that are malformed now, according to the last list and the watch since then."),
    POLICY_GENERATION(
            GAUGE,
            "gpu_webhook_policy_generation",
            "The generation of the configuration that decisions use: 1 at the start, and one more with every change."),
    POLICY_REFUSED(
            COUNTER,
            "gpu_webhook_policy_refused",
            "Changes of the configuration that were rejected; the policy was not changed."),
    POLICY_FILES_REFUSED(
            GAUGE,
            "gpu_webhook_policy_files_refused",
            "1 while the current configuration files are invalid, and the last valid configuration is used."),
    PODS_COUNTED(
            GAUGE,
            "gpu_webhook_ledger_pods",
            "Pods that the ledger counts: bound ones, and those that wait to be bound."),
    ASSUMED(GAUGE, "gpu_webhook_ledger_assumed_decisions", "Decisions with reservations whose pods were not seen yet."),
    ASSUMED_BYTES(
            GAUGE,
            "gpu_webhook_ledger_assumed_bytes",
            "About how much memory the decisions take whose pods were not seen yet."),
    GAVE_WAY(
            COUNTER,
            "gpu_webhook_ledger_decisions_gave_way",
            "Decisions whose pods were not seen and whose reservations were released for another pod."),
    REPLACED(
            COUNTER,
            "gpu_webhook_ledger_decisions_replaced",
            "Decisions that ended because a newer one of the same pod or controller shows that their pods were refused."),
    LATE_PODS(
            COUNTER,
            "gpu_webhook_ledger_late_pods",
            "Pods that were seen although their decisions had given way or were replaced."),
    NOT_RESERVED(
            COUNTER,
            "gpu_webhook_ledger_decisions_not_reserved",
            "Decisions for which nothing is reserved until their pods exist, by which limit was reached."),
    LOG_LINES_LOST(
            COUNTER, "gpu_webhook_log_lines_lost", "Log lines that were dropped because they were not read in time."),
    RECORDS_DROPPED(
            COUNTER,
            "gpu_webhook_records_dropped",
            "Records of decisions that a consumer missed because it was too slow, had no room or failed, by consumer."),
    EVENTS(COUNTER, "gpu_webhook_events", "Kubernetes Events about decisions, by result; 0 while they are turned off."),
    UNPLACED(GAUGE, "gpu_webhook_ledger_unplaced_pods", "Pods and decisions for which there is no room now."),
    OVERCOMMITTED(
            GAUGE,
            "gpu_webhook_ledger_overcommitted_pods",
            "Pods and decisions that were promised room and have none now."),
    BROKEN_PROMISES(
            COUNTER, "gpu_webhook_ledger_broken_promises", "How often a pod lost the room that it was promised."),
    AUDIT_FINDINGS(
            GAUGE,
            "gpu_webhook_ledger_audit_findings",
            "Differences between the ledger and the last complete list, by what differs; anything but 0 is a fault."),
    EVENT_FAULTS(
            COUNTER,
            "gpu_webhook_ledger_event_faults",
            "Events of the cluster that could not be counted because of a fault of the gateway."),
    CERTIFICATE_NOT_AFTER(
            GAUGE,
            "gpu_webhook_certificate_not_after_timestamp_seconds",
            "When the served certificate, the one for other replicas, and the first authority of each expire; 0 if unknown."),
    CERTIFICATE_READ(
            GAUGE, "gpu_webhook_certificate_loaded_timestamp_seconds", "When the certificate that is served was read."),
    CERTIFICATE_RELOADS(
            COUNTER,
            "gpu_webhook_certificate_reloads",
            "Changes of the certificate files, by result; a refused change did not change the certificate."),
    CERTIFICATE_FILES_REFUSED(
            GAUGE,
            "gpu_webhook_certificate_files_refused",
            "1 while the current certificate files cannot be used, and the last valid certificate is served."),
    HANDSHAKE_FAILURES(COUNTER, "gpu_webhook_handshake_failures", "TLS handshakes that failed, by cause."),
    FORWARDED(
            COUNTER,
            "gpu_webhook_reviews_forwarded",
            "Attempts to have a review answered by the replica that decides, by result."),
    FORWARD_DURATION(
            HISTOGRAM,
            "gpu_webhook_forward_duration_seconds",
            "From the sending of a review to another replica to its answer; attempts without an answer excluded."),
    PEER_MESSAGES(
            COUNTER,
            "gpu_webhook_peer_messages",
            "Messages of the replication protocol, by what became of them: sent, received or dropped."),
    PEER_CONNECTS(
            COUNTER,
            "gpu_webhook_peer_connects",
            "Attempts to open a connection for messages to another replica, by result."),
    PEERS_REFUSED(
            COUNTER,
            "gpu_webhook_peers_refused",
            "Connections, messages and requests that were refused on the port for other replicas, by cause."),
    PENDING_PODS(
            GAUGE, "gpu_webhook_pending_pods", "GPU pods that do not run, by the verdict of the newest diagnosis."),
    DIAGNOSIS_AGE(
            GAUGE, "gpu_webhook_diagnosis_age_seconds", "Seconds since the cluster of the newest diagnosis was read."),
    DIAGNOSIS_OVERDUE(
            GAUGE,
            "gpu_webhook_diagnosis_overdue",
            "1 while no diagnosis has ended for longer than one takes with its pause, and the API shows none."),
    SCRAPE_MISSING(
            GAUGE,
            "gpu_webhook_scrape_missing",
            "1 for a part of the gateway that has not answered this scrape in time, so that its series are missing."),
    MEMORY_USED(GAUGE, "jvm_memory_used_bytes", "Memory of the JVM that is used, by area."),
    MEMORY_COMMITTED(GAUGE, "jvm_memory_committed_bytes", "Memory that the JVM has committed, by area."),
    MEMORY_MAX(
            GAUGE, "jvm_memory_max_bytes", "The most memory that the JVM may use, by area; -1 where it has no limit."),
    BUFFERS_USED(GAUGE, "jvm_buffer_pool_used_bytes", "Memory of the JDK's buffers outside of the heap, by pool."),
    BUFFERS(GAUGE, "jvm_buffer_pool_used_buffers", "The JDK's buffers outside of the heap, by pool."),
    NETTY_DIRECT(
            GAUGE,
            "netty_direct_memory_used_bytes",
            "Memory outside of the heap that Netty has taken for its buffers."),
    GC(SUMMARY, "jvm_gc_collection_seconds", "How often the JVM collected garbage and how long it took, by collector."),
    BUS_HANDLERS(GAUGE, "vertx_eventbus_handlers", "Handlers on the event bus, by address."),
    BUS_PENDING(GAUGE, "vertx_eventbus_pending", "Messages that wait for their handlers, by address."),
    BUS_SENT(COUNTER, "vertx_eventbus_sent", "Messages that were sent or published, by address."),
    BUS_RECEIVED(COUNTER, "vertx_eventbus_received", "Messages that handlers received, by address."),
    BUS_DISCARDED(COUNTER, "vertx_eventbus_discarded", "Messages that were dropped before their handlers, by address."),
    HTTP_REQUESTS(COUNTER, "vertx_http_server_requests", "Requests that were received, by port."),
    HTTP_IN_FLIGHT(
            GAUGE, "vertx_http_server_requests_in_flight", "Requests that are not answered to the end, by port."),
    HTTP_READ(
            COUNTER, "vertx_http_server_read_bytes", "Bytes of the bodies of requests that Vert.x has read, by port."),
    HTTP_WRITTEN(
            COUNTER,
            "vertx_http_server_written_bytes",
            "Bytes of the bodies of answers that Vert.x has written, by port."),
    POOL_THREADS(
            GAUGE, "vertx_pool_threads", "The most threads that a pool of Vert.x has; -1 where there is no limit."),
    POOL_QUEUED(GAUGE, "vertx_pool_queued", "Tasks that wait for a thread, by pool."),
    POOL_IN_USE(GAUGE, "vertx_pool_in_use", "Tasks that run, by pool."),
    THREADS(GAUGE, "jvm_threads_current", "Threads of the JVM."),
    THREADS_DAEMON(GAUGE, "jvm_threads_daemon", "Threads of the JVM that do not keep it alive."),
    THREADS_PEAK(GAUGE, "jvm_threads_peak", "The most threads that the JVM has had."),
    CLASSES(GAUGE, "jvm_classes_currently_loaded", "Classes that the JVM has loaded."),
    PROCESS_CPU(COUNTER, "process_cpu_seconds", "Processor time that the process has used."),
    PROCESS_START(GAUGE, "process_start_time_seconds", "When the process began, in seconds since 1970."),
    OPEN_FDS(GAUGE, "process_open_fds", "File descriptors that are open."),
    MAX_FDS(GAUGE, "process_max_fds", "The most file descriptors that may be open."),
    RESIDENT(GAUGE, "process_resident_memory_bytes", "Memory of the process that is in the machine's memory."),
    VIRTUAL(GAUGE, "process_virtual_memory_bytes", "Addresses that the process has reserved."),
    BUILD(INFO, "gpu_webhook_build", "The version of the gateway and of the Java that it runs on."),
    LAST_HEARD(
            GAUGE,
            "gpu_webhook_watch_last_heard_timestamp_seconds",
            "When the source of the cluster's state last answered.");

    /** The type of a metric in Prometheus. */
    enum MetricKind {
        /** The value is a number that never decreases while the process runs. */
        COUNTER,
        GAUGE,
        /** The values are counted in buckets that can be summed over all replicas. */
        HISTOGRAM,
        /** The value is the number of observations, and the sum of the observed values. */
        SUMMARY,
        /** The value is always 1, and its labels carry the information. */
        INFO
    }

    private final MetricKind kind;
    private final String text;
    private final String help;

    MetricName(MetricKind kind, String text, String help) {
        this.kind = kind;
        this.text = text;
        this.help = help;
    }

    MetricKind kind() {
        return kind;
    }

    String text() {
        return text;
    }

    String help() {
        return help;
    }
}
