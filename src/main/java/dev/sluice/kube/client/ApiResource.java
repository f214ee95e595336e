package dev.sluice.kube.client;

/**
 * A resource of the API, in all namespaces, and the selector of the objects that are listed and watched.
 *
 * @param path relative to the root of the API server
 * @param selector parameters of every request; each ends with an ampersand
 */
public record ApiResource(String path, String selector) {

    public static final ApiResource NODES = new ApiResource("api/v1/nodes", "");

    public static final ApiResource LIMIT_RANGES = new ApiResource("api/v1/limitranges", "");

    /** Pods that have not ended, as the scheduler's own informer selects them (pkg/scheduler/scheduler.go). */
    public static final ApiResource PODS =
            new ApiResource("api/v1/pods", "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed&");

    /** Relative to the root of the API server. */
    public String pathAndQuery(String parameters) {
        return path + "?" + selector + parameters;
    }
}
