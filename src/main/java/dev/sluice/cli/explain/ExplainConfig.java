package dev.sluice.cli.explain;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.LiveClusterRequests;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import java.nio.file.Path;

/**
 * The configuration with which the command explains pods if it does not ask a gateway.
 *
 * @param name where the configuration comes from: the name of the file or of the ConfigMaps, or {@code defaults}
 * @param cluster how the command reaches the API server
 */
record ExplainConfig(Loading.Loaded loaded, String name, GatewayConfig.Kubernetes cluster) {

    /**
     * Returns the configuration that the option names. Without the option, returns {@code conf/gateway.yaml} of this
     * installation, or the defaults if there is no such file.
     */
    static ExplainConfig of(ConfigOption option) throws UserProblem {
        Loading.Loaded loaded = option.require();
        return new ExplainConfig(
                loaded,
                option.file().map(Path::toString).orElse(ExplainText.DEFAULTS),
                loaded.config().kubernetes());
    }

    /** Returns the configuration of the gateway that is installed in a namespace of the cluster. */
    static ExplainConfig installed(LiveClusterRequests api, String namespace) throws ExplainInstalledConfig.NotRead {
        ExplainInstalledConfig installed = ExplainInstalledConfig.read(api, namespace);
        // The settings with which the gateway reaches the API server are ignored, because they do not suit the user's
        // machine.
        return new ExplainConfig(installed.loaded(), installed.name(), GatewayConfig.Kubernetes.DEFAULT);
    }
}
