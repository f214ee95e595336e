package dev.sluice.doctor;

import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.PodFacts.Message;
import dev.sluice.doctor.facts.PodGpuDemand;
import dev.sluice.doctor.facts.PodGpuDemand.UnlimitedRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds GPU requests without an equal limit. The API server refuses such a pod, because extended resources cannot be
 * overcommitted (pkg/apis/core/validation).
 */
final class LimitRule {

    private static final Pattern REFUSED =
            Pattern.compile("Limit must be set for non overcommitable resources|must be equal to .*limit");

    private LimitRule() {}

    public static Optional<Cause> find(OwnerState owner) {
        List<UnlimitedRequest> unlimited =
                owner.template().map(PodGpuDemand::unlimited).orElse(List.of());
        if (!unlimited.isEmpty()) {
            return Optional.of(cause(
                    owner,
                    unlimited.stream().map(LimitRule::text).collect(Collectors.joining(", "))
                            + ". The API server refuses such a pod."));
        }
        return owner.failure()
                .map(Message::text)
                .filter(LimitRule::isAbout)
                .map(said -> cause(
                        owner,
                        "the API server refuses a pod with a GPU request that has no equal limit." + owner.says(said)));
    }

    /**
     * Returns true if the message reports such a request. The message about a missing limit names no resource, so this
     * method assumes that the resource is a GPU.
     */
    public static boolean isAbout(String said) {
        Matcher refused = REFUSED.matcher(said);
        return refused.find() && (refused.group().startsWith("Limit must") || GpuNames.areIn(said));
    }

    private static String text(UnlimitedRequest request) {
        return "container " + request.container() + " requests " + request.requested() + " " + request.resource()
                + (request.limit() == null ? " without a limit" : ", but its limit is " + request.limit());
    }

    private static Cause cause(OwnerState owner, String text) {
        return new Cause(
                VerdictCode.REQUESTS_WITHOUT_LIMITS,
                owner.kind() + " " + owner.fullName() + ": " + text,
                new Evidence(owner.kind(), owner.fullName(), text));
    }
}
