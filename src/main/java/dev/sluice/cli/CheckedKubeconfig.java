package dev.sluice.cli;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.ClusterAdvice;
import dev.sluice.kube.client.Kubeconfig;
import java.nio.file.Files;
import java.util.List;

/**
 * What is wrong with the kubeconfig that a configuration names. What is missing here may be there on the machine that
 * the configuration is for, so it is a warning.
 */
record CheckedKubeconfig(List<String> problems, List<String> warnings) {

    /** Without the key, another machine is meant: its environment and its service account name the cluster. */
    static CheckedKubeconfig of(Loading loading) {
        GatewayConfig.Kubernetes kubernetes = loading.kubernetes();
        if (kubernetes.kubeconfig() == null) {
            return new CheckedKubeconfig(List.of(), List.of());
        }
        Kubeconfig kubeconfig;
        try {
            kubeconfig = Kubeconfig.read(kubernetes.kubeconfig(), kubernetes.context(), ClusterAdvice.CONFIGURATION);
        } catch (SourceProblem problem) {
            List<String> told = List.of(told(loading, problem));
            return Files.notExists(kubernetes.kubeconfig())
                    ? new CheckedKubeconfig(List.of(), told)
                    : new CheckedKubeconfig(told, List.of());
        }
        try {
            kubeconfig.requireCredentialProgram();
            return new CheckedKubeconfig(List.of(), List.of());
        } catch (SourceProblem missing) {
            return new CheckedKubeconfig(List.of(), List.of(told(loading, missing)));
        }
    }

    private static String told(Loading loading, SourceProblem problem) {
        String key = "kubernetes.kubeconfig";
        return loading.keyPositions().problem(key, "", "").position() + ": " + key + ": " + problem.getMessage();
    }
}
