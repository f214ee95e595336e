package dev.sluice.kube.client;

/**
 * The options and configuration keys that select a cluster, for error messages. A message must suggest only options
 * that the command has.
 */
public enum KubeconfigAdvice {
    /** The configuration keys, for the gateway and for commands that check the gateway's configuration. */
    CONFIGURATION("kubernetes.kubeconfig or KUBECONFIG", "kubernetes.context"),

    OPTIONS("--kubeconfig or KUBECONFIG", "--context"),

    /**
     * The options of commands that can read only a live cluster. Other commands can also read a snapshot file, and
     * their messages suggest one.
     */
    LIVE_OPTIONS("--kubeconfig or KUBECONFIG", "--context"),

    OPTIONS_AND_CONFIGURATION("--kubeconfig, kubernetes.kubeconfig or KUBECONFIG", "--context or kubernetes.context");

    private final String kubeconfig;
    private final String context;

    KubeconfigAdvice(String kubeconfig, String context) {
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
