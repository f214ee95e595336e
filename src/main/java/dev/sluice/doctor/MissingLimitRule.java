package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodDemandFacts.UnlimitedRequest;
import dev.sluice.doctor.facts.PodFacts.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds GPU requests without an equal limit. The API server refuses such a pod, because extended resources cannot be
 * overcommitted (pkg/apis/core/validation).
 */
final class MissingLimitRule {

    private static final String NO_LIMIT = "Limit must be set for non overcommitable resources";
    private static final String UNEQUAL = "must be equal to ";

    private MissingLimitRule() {}

    public static Optional<DiagnosisCause> find(DiagnosedOwner owner) {
        List<UnlimitedRequest> unlimited =
                owner.template().map(PodDemandFacts::unlimited).orElse(List.of());
        if (!unlimited.isEmpty()) {
            return Optional.of(cause(
                    owner,
                    unlimited.stream().map(MissingLimitRule::text).collect(Collectors.joining(", "))
                            + ". The API server refuses such a pod."));
        }
        return owner.failure()
                .map(Message::text)
                .filter(MissingLimitRule::isAbout)
                .map(said -> cause(
                        owner,
                        "the API server refuses a pod with a GPU request that has no equal limit." + owner.says(said)));
    }

    /**
     * Returns true if the message reports a GPU request without an equal limit. A message about a missing limit names
     * no resource. The resource is then assumed to be a GPU.
     */
    public static boolean isAbout(String said) {
        int noLimit = said.indexOf(NO_LIMIT);
        int unequal = unequal(said);
        return (noLimit >= 0 && (unequal < 0 || noLimit < unequal))
                || (unequal >= 0 && DiagnosedMessageGpus.areIn(said));
    }

    /**
     * Returns the position at which the message says that a request has to be equal to a limit; -1 if it does not say
     * so. The search takes linear time. A regular expression could take quadratic time.
     */
    private static int unequal(String said) {
        int begin = said.indexOf(UNEQUAL);
        while (begin >= 0) {
            int end = said.indexOf('\n', begin);
            int limit = said.indexOf("limit", begin + UNEQUAL.length());
            if (limit < 0) {
                return -1;
            }
            if (end < 0 || limit < end) {
                return begin;
            }
            begin = said.indexOf(UNEQUAL, end);
        }
        return -1;
    }

    private static String text(UnlimitedRequest request) {
        return "container " + request.container() + " requests " + request.requested() + " " + request.resource()
                + (request.limit() == null ? " without a limit" : ", but its limit is " + request.limit());
    }

    private static DiagnosisCause cause(DiagnosedOwner owner, String text) {
        return new DiagnosisCause(
                DiagnosisCode.REQUESTS_WITHOUT_LIMITS,
                owner.kind() + " " + owner.fullName() + ": " + text,
                new Evidence(owner.kind(), owner.fullName(), text));
    }
}
