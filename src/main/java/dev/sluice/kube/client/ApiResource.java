package dev.sluice.kube.client;

/**
 * The URL of a resource in all namespaces, with the parameters that select the objects to list and watch.
 *
 * @param path the path below the URL of the API server, without a leading slash
 * @param selector the query parameters of every request; each of them ends with an ampersand
 */
public record ApiResource(String path, String selector) {

    public static final ApiResource NODES = new ApiResource("api/v1/nodes", "");

    public static final ApiResource LIMIT_RANGES = new ApiResource("api/v1/limitranges", "");

    public static final ApiResource DEVICE_CLASSES = new ApiResource("apis/resource.k8s.io/v1/deviceclasses", "");

    public static final ApiResource RESOURCE_SLICES = new ApiResource("apis/resource.k8s.io/v1/resourceslices", "");

    public static final ApiResource RESOURCE_CLAIMS = new ApiResource("apis/resource.k8s.io/v1/resourceclaims", "");

    /**
     * The pods that are not in a terminal phase. Kube-scheduler's informer uses the same selector
     * (pkg/scheduler/scheduler.go).
     */
    public static final ApiResource PODS =
            new ApiResource("api/v1/pods", "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed&");

    /** Returns the path and the query of a request, relative to the URL of the API server. */
    public String pathAndQuery(String parameters) {
        return path + "?" + selector + parameters;
    }
}
