package dev.sluice.cli;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.Kubeconfig;
import dev.sluice.kube.client.KubeconfigAdvice;
import java.nio.file.Files;
import java.util.List;

/**
 * The problems with the kubeconfig file that the gateway's configuration names. A missing file is only a warning,
 * because the configuration may be for another machine.
 */
record CheckCommandKubeconfig(List<String> problems, List<String> warnings) {

    /**
     * Checks the kubeconfig. Reports nothing if the configuration names none: the gateway then finds its cluster by the
     * environment or the service account, which can be different on this machine.
     */
    static CheckCommandKubeconfig of(Loading loading) {
        GatewayConfig.Kubernetes kubernetes = loading.kubernetes();
        if (kubernetes.kubeconfig() == null) {
            return new CheckCommandKubeconfig(List.of(), List.of());
        }
        Kubeconfig kubeconfig;
        try {
            kubeconfig = Kubeconfig.read(kubernetes.kubeconfig(), kubernetes.context(), KubeconfigAdvice.CONFIGURATION);
        } catch (ClusterStateException problem) {
            List<String> told = List.of(told(loading, problem));
            return Files.notExists(kubernetes.kubeconfig())
                    ? new CheckCommandKubeconfig(List.of(), told)
                    : new CheckCommandKubeconfig(told, List.of());
        }
        try {
            kubeconfig.requireCredentialProgram();
            return new CheckCommandKubeconfig(List.of(), List.of());
        } catch (ClusterStateException missing) {
            return new CheckCommandKubeconfig(List.of(), List.of(told(loading, missing)));
        }
    }

    private static String told(Loading loading, ClusterStateException problem) {
        String key = "kubernetes.kubeconfig";
        return loading.keyPositions().problem(key, "", "").position() + ": " + key + ": " + problem.getMessage();
    }
}
