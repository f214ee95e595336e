package dev.sluice.cli.offline;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines the name of the workload that creates pods. The name of a ReplicaSet of a Deployment, or of a Job of a
 * CronJob, ends in a generated part. This part is removed, so that all pods of the workload have the same name.
 */
final class ReplayedWorkload {

    /**
     * The hash at the end of a generated name, after a dash. It consists of the letters and digits that
     * {@code SafeEncodeString} of k8s.io/apimachinery uses.
     */
    private static final Pattern HASH = Pattern.compile("-[bcdfghjklmnpqrstvwxz2456789]{5,10}$");

    /** The scheduled time in minutes since 1970, which the controller of CronJobs appends. */
    private static final Pattern MINUTES = Pattern.compile("-\\d{8}$");

    private ReplayedWorkload() {}

    /**
     * Returns the kind and name of the workload to which the controller of a pod belongs. The result is empty if
     * {@code kind} and {@code name} are empty.
     *
     * @param kind the kind of the controller
     * @param name the name of the controller
     * @param hash the value of the pod's label {@code pod-template-hash}; empty if it has none
     */
    static String of(String kind, String name, String hash) {
        return kind.equals("ReplicaSet") && !hash.isEmpty() && name.endsWith("-" + hash)
                ? "Deployment " + name.substring(0, name.length() - hash.length() - 1)
                : ofOther(kind, name);
    }

    /**
     * Returns the kind and name of the workload to which the owner in a recorded decision belongs. A record has no
     * labels of the pod, so a Deployment is recognized only by the name of its ReplicaSet.
     */
    static String ofRecord(String kind, String name) {
        Matcher hash = HASH.matcher(name);
        return kind.equals("ReplicaSet") && hash.find() ? "Deployment " + hash.replaceFirst("") : ofOther(kind, name);
    }

    private static String ofOther(String kind, String name) {
        Matcher minutes = MINUTES.matcher(name);
        return kind.equals("Job") && minutes.find()
                ? "CronJob " + minutes.replaceFirst("")
                : (kind + " " + name).strip();
    }
}
