package dev.sluice.kube.client;

/** What the user of a command can name a cluster with. Advice names nothing that the command does not have. */
public enum ClusterAdvice {
    /** For the gateway, and for what checks its configuration. */
    CONFIGURATION("kubernetes.kubeconfig or KUBECONFIG", "kubernetes.context"),

    OPTIONS("--kubeconfig or KUBECONFIG", "--context"),

    /** For what reads nothing but a live cluster. */
    LIVE_OPTIONS("--kubeconfig or KUBECONFIG", "--context"),

    OPTIONS_AND_CONFIGURATION("--kubeconfig, kubernetes.kubeconfig or KUBECONFIG", "--context or kubernetes.context");

    private final String kubeconfig;
    private final String context;

    ClusterAdvice(String kubeconfig, String context) {
        this.kubeconfig = kubeconfig;
        this.context = context;
    }

    String kubeconfig() {
        return kubeconfig;
    }

    String context() {
        return context;
    }

    String orSnapshot() {
        return this == LIVE_OPTIONS ? "" : ", or name a file with --cluster-snapshot";
    }
}
