package dev.sluice.kube.transport;

/** A resource of the API, in all namespaces, and the selector of the objects that are listed and watched. */
public enum ApiResource {
    NODES("api/v1/nodes", ""),

    /** Pods that have not ended, as the scheduler's own informer selects them (pkg/scheduler/scheduler.go). */
    PODS("api/v1/pods", "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed&");

    private final String path;
    private final String selector;

    ApiResource(String path, String selector) {
        this.path = path;
        this.selector = selector;
    }

    /** Relative to the root of the API server. */
    public String pathAndQuery(String parameters) {
        return path + "?" + selector + parameters;
    }
}
