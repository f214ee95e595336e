package dev.sluice.cli.replay;

import java.util.regex.Pattern;

/**
 * The name of the workload that creates pods. A ReplicaSet of a Deployment and a Job of a CronJob have names of their
 * own, which end in a generated part; without it, all pods of the workload have the same name here.
 */
final class WorkloadName {

    /** A hash as the API server encodes it: {@code SafeEncodeString} of k8s.io/apimachinery, after a dash. */
    private static final Pattern HASH = Pattern.compile("-[bcdfghjklmnpqrstvwxz2456789]{5,10}$");

    /** The scheduled time in minutes since 1970, which the controller of CronJobs appends. */
    private static final Pattern MINUTES = Pattern.compile("-\\d{8}$");

    private WorkloadName() {}

    static String of(String kind, String name) {
        return switch (kind) {
            case "" -> "";
            case "ReplicaSet" ->
                HASH.matcher(name).find() ? "Deployment " + HASH.matcher(name).replaceFirst("") : kind + " " + name;
            case "Job" ->
                MINUTES.matcher(name).find()
                        ? "CronJob " + MINUTES.matcher(name).replaceFirst("")
                        : kind + " " + name;
            default -> kind + " " + name;
        };
    }
}
