package dev.sluice.cli.console;

import dev.sluice.admission.request.LimitRanges;
import dev.sluice.admission.request.NamespaceLimitRangeRule;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceClasses;
import dev.sluice.cluster.dra.DevicePools;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DeviceSupply.Knowledge;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.client.ApiServerConnectionFailure;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.DraDecoders;
import dev.sluice.kube.decode.LimitRangeDecoder;
import dev.sluice.kube.decode.NodeDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.decode.PodStateDecoder;
import dev.sluice.kube.facts.KubectlObjectBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Lists the objects of a live cluster once. A failed request is not repeated, because a user waits for the result. */
record LiveClusterConnection(KubernetesClient client, KubectlObjectBudget budget) {

    /** The time limit for a list. The API server itself aborts a request after a minute. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    record ListedObjects<T>(List<T> objects, MalformedClusterObjects malformed) {}

    ListedObjects<Node> nodes() throws UserProblem {
        return list("nodes", ApiResource.NODES, new NodeDecoder(), "kubectl get nodes");
    }

    /** Lists the pods that are not in a terminal phase. */
    ListedObjects<Pod> pods() throws UserProblem {
        return list("pods", ApiResource.PODS, new PodStateDecoder(), "kubectl get pods -A");
    }

    /** Lists the same pods as {@link #pods}. Returns empty if the user may not list pods. */
    Optional<ListedObjects<Pod>> podsIfAllowed() throws UserProblem {
        try {
            return Optional.of(pods());
        } catch (UserProblem problem) {
            if (problem.getCause() instanceof ApiFailure answer && answer.isForbidden()) {
                return Optional.empty();
            }
            throw problem;
        }
    }

    /**
     * Lists the objects of DRA. A kind stays unknown if it cannot be listed, for example because the user may not list
     * it.
     */
    DraState dra() {
        DraObjects<DeviceClass> classes = optional(ApiResource.DEVICE_CLASSES, DraDecoders.classes());
        if (classes.known() && classes.objects().isEmpty()) {
            return DraState.NONE;
        }
        DraObjects<ResourceSlice> slices = optional(ApiResource.RESOURCE_SLICES, DraDecoders.slices());
        DraObjects<ResourceClaim> claims = optional(ApiResource.RESOURCE_CLAIMS, DraDecoders.claims());
        Knowledge knowledge = !classes.known() ? Knowledge.NOTHING : slices.known() ? Knowledge.ALL : Knowledge.CLASSES;
        return new DraState(
                new DeviceSupply(DeviceClasses.of(classes.objects()), DevicePools.of(slices.objects()), knowledge),
                claims.known() ? DeviceClaims.of(claims.objects()) : DeviceClaims.UNKNOWN);
    }

    /**
     * Lists the LimitRanges. The result is empty if they cannot be listed.
     *
     * @param err receives a sentence about malformed LimitRanges or about a failure; none if the user may not list
     *     LimitRanges
     */
    LimitRanges limitRanges(PrintWriter err) {
        Map<String, List<NamespaceLimitRangeRule>> byName = new HashMap<>();
        try {
            ListedObjects<DecodedObject<List<NamespaceLimitRangeRule>>> listed =
                    listed(ApiResource.LIMIT_RANGES, new LimitRangeDecoder());
            listed.objects().forEach(found -> byName.put(found.meta().fullName(), found.value()));
            if (!listed.malformed().equals(MalformedClusterObjects.NONE)) {
                err.println(listed.malformed().sentence("LimitRange"));
            }
        } catch (IOException failed) {
            if (!(failed instanceof ApiFailure answer && (answer.isForbidden() || answer.isNotFound()))) {
                err.println("the LimitRanges of " + client.getMasterUrl() + " cannot be listed: " + reason(failed)
                        + "; pods are decided as if there were none");
            }
            return LimitRanges.NONE;
        }
        return LimitRanges.of(byName);
    }

    private record DraObjects<T>(List<T> objects, boolean known) {}

    /**
     * Lists the objects of one kind. If the API server does not serve the kind, the list is known to be empty. After
     * any other failure, the list is unknown.
     */
    private <T> DraObjects<T> optional(ApiResource resource, ObjectDecoder<DecodedObject<T>> decoder) {
        try {
            ListedObjects<DecodedObject<T>> listed = listed(resource, decoder);
            return new DraObjects<>(
                    listed.objects().stream().map(DecodedObject::value).toList(),
                    listed.malformed().equals(MalformedClusterObjects.NONE));
        } catch (IOException failed) {
            return new DraObjects<>(List.of(), failed instanceof ApiFailure answer && answer.isNotFound());
        }
    }

    private <T> ListedObjects<T> listed(ApiResource resource, ObjectDecoder<T> decoder) throws IOException {
        List<T> objects = new ArrayList<>();
        List<String> unread = new ArrayList<>();
        ApiServerListPager.ListTimeouts timeouts = new ApiServerListPager.ListTimeouts(TIMEOUT, TIMEOUT);
        var _ = new ApiServerListPager<>(new ApiServer(client), resource, decoder, timeouts)
                .list(page -> page.stream().filter(budget::takes).forEach(objects::add), other -> {
                    if (other instanceof ObjectDecodeResult.Malformed<T> malformed) {
                        unread.add(malformed.object().fullName());
                    }
                });
        budget.check();
        return new ListedObjects<>(objects, MalformedClusterObjects.of(unread));
    }

    private <T> ListedObjects<T> list(String what, ApiResource resource, ObjectDecoder<T> decoder, String byHand)
            throws UserProblem {
        try {
            return listed(resource, decoder);
        } catch (IOException failed) {
            String next = failed instanceof ApiFailure answer && answer.isUnauthorized()
                    ? "log in again, or name another --kubeconfig or --context"
                    : "try " + byHand + ", or name a file with --cluster-snapshot";
            throw new UserProblem(
                    "the " + what + " of " + client.getMasterUrl() + " cannot be listed: " + reason(failed) + "; "
                            + next,
                    failed);
        }
    }

    private static String reason(IOException failed) {
        return switch (failed) {
            case ApiFailure answer -> answer.summary();
            case KubectlObjectBudget.TooManyObjects tooMany -> String.valueOf(tooMany.getMessage());
            case InterruptedIOException _ -> "it was interrupted";
            case ApiServerBodyStream.IdleTimeout _ -> "no answer within " + TIMEOUT.toSeconds() + " s";
            case IOException _
            when failed.getCause() instanceof TimeoutException -> "no answer within " + TIMEOUT.toSeconds() + " s";
            default -> ApiServerConnectionFailure.reason(failed);
        };
    }
}
