package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.ShortText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the recent events which tell why pods do not start. After a failure the kubelet also reports that it waits
 * before the next attempt. Such an event does not tell the reason, so it is used only if no other event does.
 */
final class PodStartFailures {

    private static final String BACK_OFF = "BackOff";

    private static final String QUOTE = " (the message says \"";
    private static final String END_OF_QUOTE = "\")";

    /**
     * Matches a quotation that {@link #quoted} returned. The quoted message may be about a pod that the reader of the
     * report is not allowed to see.
     */
    static final Pattern QUOTED =
            Pattern.compile(Pattern.quote(QUOTE) + ".*?" + Pattern.quote(END_OF_QUOTE), Pattern.DOTALL);

    /** Limits the length of a quoted message, in characters, because it is repeated for each node. */
    private static final int LONGEST_QUOTE = 200;

    /** Matches the beginning of a message that names the layers of the container runtime. The error follows. */
    private static final Pattern OCI =
            Pattern.compile("^(?:failed to create containerd task: )?(?:failed to create shim task: )?"
                    + "OCI runtime create failed: (?:runc create failed: )?(?:unable to start container process: )?"
                    + "(?:error during container init: )?");

    /**
     * Matches messages that only repeat the reason of a waiting container, such as {@code Error: ErrImagePull}, or only
     * list the volumes that are missing.
     */
    private static final Pattern BARE =
            Pattern.compile("Error: \\w+|Unable to (?:attach or )?mount volumes.*", Pattern.DOTALL);

    /** Maps the full name of a pod to the newest event that tells why the pod does not start. */
    private final Map<String, EventFacts> reasons = new HashMap<>();

    /** Maps the full name of a pod to the newest event which says only that the kubelet waits before it tries again. */
    private final Map<String, EventFacts> pauses = new HashMap<>();

    /** Maps the full name of a pod to the newest event about a successful step. A failure before that step is over. */
    private final Map<String, EventFacts> steps = new HashMap<>();

    /** Maps the full name of a pod to the newest event about a probe of the kubelet that failed. */
    private final Map<String, EventFacts> probes = new HashMap<>();

    PodStartFailures(ClusterFacts cluster) {
        for (EventFacts event : cluster.events()) {
            if (event.kind().equals("Pod") && cluster.isFresh(event.time())) {
                String pod = event.namespace() + "/" + event.name();
                if (isFailure(event.reason())) {
                    boolean pause = event.reason().equals(BACK_OFF)
                            || BARE.matcher(event.text()).matches();
                    (pause ? pauses : reasons).merge(pod, event, EventFacts::later);
                } else if (event.reason().equals("Unhealthy")) {
                    probes.merge(pod, event, EventFacts::later);
                } else if (event.reason().equals("Pulled") || event.reason().equals("Started")) {
                    steps.merge(pod, event, EventFacts::later);
                }
            }
        }
    }

    /**
     * Returns true if this is the event reason of a failure that the kubelet or the attach controller reports. Events
     * of the scheduler are excluded, because they are about pods that are not bound.
     */
    static boolean isFailure(String reason) {
        return (reason.startsWith("Failed") && !reason.equals("FailedScheduling"))
                || reason.equals(BACK_OFF)
                || reason.equals("InspectFailed")
                || reason.equals("NetworkNotReady");
    }

    /** Returns the event that best explains why the pod does not start; empty if there is no recent one. */
    Optional<EventFacts> of(PodFacts pod) {
        Optional<EventFacts> reason = own(reasons, pod);
        Optional<EventFacts> step = own(steps, pod);
        return reason.filter(
                        event -> step.filter(it -> EventFacts.later(it, event).equals(it))
                                .isEmpty())
                .or(() -> Stream.of(reason, own(pauses, pod))
                        .flatMap(Optional::stream)
                        .reduce(EventFacts::later));
    }

    /** Returns the newest event about a failed probe of a pod that has started; empty if there is no recent one. */
    Optional<EventFacts> probe(PodFacts pod) {
        return own(probes, pod);
    }

    /** Returns a clause that quotes a message about a pod; empty if the message is empty. */
    static String quoted(String message) {
        return message.isEmpty()
                ? ""
                : QUOTE
                        + ShortText.of(OCI.matcher(message).replaceFirst(""), LONGEST_QUOTE)
                                .replace(END_OF_QUOTE, "\" )")
                        + END_OF_QUOTE;
    }

    /**
     * Returns the event for this pod; empty if there is none, or if the event is about an earlier pod of the same name.
     */
    static Optional<EventFacts> own(Map<String, EventFacts> events, PodFacts pod) {
        return Optional.ofNullable(events.get(pod.fullName()))
                .filter(event -> event.uid().isEmpty()
                        || pod.uid().isEmpty()
                        || event.uid().equals(pod.uid()));
    }
}
