package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** The built-in kinds that contain a pod template. Each constant knows how many pods an object of its kind creates. */
enum ManifestPodTemplates {
    POD("v1", "Pod", "", ""),
    POD_TEMPLATE("v1", "PodTemplate", "/template", ""),
    REPLICATION_CONTROLLER("v1", "ReplicationController", "/spec/template", "/spec"),
    REPLICA_SET("apps/v1", "ReplicaSet", "/spec/template", "/spec"),
    DEPLOYMENT("apps/v1", "Deployment", "/spec/template", "/spec"),
    STATEFUL_SET("apps/v1", "StatefulSet", "/spec/template", "/spec"),
    DAEMON_SET("apps/v1", "DaemonSet", "/spec/template", ""),
    JOB("batch/v1", "Job", "/spec/template", "/spec"),
    CRON_JOB("batch/v1", "CronJob", "/spec/jobTemplate/spec/template", "/spec/jobTemplate/spec");

    private final String apiVersion;
    private final String kind;
    private final String template;
    /** The path of the object that contains the number of pods. It is empty if the kind always creates one pod. */
    private final String counted;

    ManifestPodTemplates(String apiVersion, String kind, String template, String counted) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.template = template;
        this.counted = counted;
    }

    static Optional<ManifestPodTemplates> of(String apiVersion, String kind) {
        for (ManifestPodTemplates known : values()) {
            if (known.apiVersion.equals(apiVersion) && known.kind.equals(kind)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    /** Returns the path of the template for messages, for example {@code spec.template}. */
    String place() {
        return template.substring(1).replace('/', '.');
    }

    JsonNode template(JsonNode object) {
        return object.at(template);
    }

    int copies(JsonNode object) {
        return counted.isEmpty() ? 1 : atOnce(object.at(counted));
    }

    /**
     * Returns the number of pods that are created at once.
     *
     * @param spec the {@code spec} of a workload, or the object that contains a template
     */
    static int atOnce(JsonNode spec) {
        int parallel = spec.path("parallelism").asInt(1);
        int most = Math.min(parallel, spec.path("completions").asInt(parallel));
        return Math.max(0, spec.path("replicas").asInt(most));
    }
}
