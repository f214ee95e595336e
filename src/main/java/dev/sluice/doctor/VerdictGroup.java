package dev.sluice.doctor;

import dev.sluice.doctor.facts.FirstFive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Pods with the same codes and sub-reasons, which read as one finding.
 *
 * @param pods at least one
 */
public record VerdictGroup(String title, List<PodVerdict> pods) {

    public VerdictGroup {
        pods = List.copyOf(pods);
    }

    /** The groups of all pods that are not healthy, those with the most pods first. */
    public static List<VerdictGroup> of(List<PodVerdict> pods) {
        Map<String, List<PodVerdict>> groups = new LinkedHashMap<>();
        for (PodVerdict pod : pods) {
            if (pod.verdict().filter(VerdictCode.HEALTHY::equals).isEmpty()) {
                groups.computeIfAbsent(title(pod), _ -> new ArrayList<>()).add(pod);
            }
        }
        return groups.entrySet().stream()
                .map(group -> new VerdictGroup(group.getKey(), group.getValue()))
                .sorted(Comparator.<VerdictGroup>comparingInt(group -> group.pods.size())
                        .reversed())
                .toList();
    }

    /** The codes of a pod, and its sub-reasons in brackets. */
    public static String title(PodVerdict pod) {
        String also = pod.also().stream().map(code -> ", " + code.word()).collect(Collectors.joining());
        return pod.verdict().map(VerdictCode::word).orElse("Unknown")
                + also
                + (pod.reasons().isEmpty() ? "" : " (" + String.join(", ", pod.reasons()) + ")");
    }

    /**
     * Says in a sentence how many pods need attention: they wait for something that nobody brings about.
     *
     * @param namespace the only one whose pods these are; empty where they are those of all
     */
    public static String headline(List<PodVerdict> pods, Optional<String> namespace) {
        String where = namespace.map(" of namespace "::concat).orElse("");
        if (pods.isEmpty()) {
            return "No pod" + where + " asks for a GPU.";
        }
        boolean one = pods.size() == 1;
        String all = pods.size() + (one ? " GPU pod" : " GPU pods") + where;
        long lasting = lasting(pods);
        if (lasting > 0) {
            return lasting + " of " + all + (lasting == 1 ? " needs" : " need") + " attention.";
        }
        long unknown = unknown(pods);
        if (unknown > 0) {
            return unknown + " of " + all + " could not be judged"
                    + (unknown == pods.size() ? "." : "; none of the others needs attention.");
        }
        return all + (one ? " runs, or waits" : " run, or wait") + "; none needs attention.";
    }

    /** Returns how many pods need attention. */
    public static long lasting(List<PodVerdict> pods) {
        return pods.stream().filter(VerdictGroup::waitsInVain).count();
    }

    /** How many pods could not be judged by what was collected. */
    public static long unknown(List<PodVerdict> pods) {
        return pods.stream().filter(pod -> pod.verdict().isEmpty()).count();
    }

    private static boolean waitsInVain(PodVerdict pod) {
        return pod.verdict().filter(code -> !code.isCuredByWaiting()).isPresent();
    }

    /** One pod stands for all. */
    public PodVerdict example() {
        return pods.getFirst();
    }

    public boolean isLasting() {
        return waitsInVain(example());
    }

    /** How many pods there are, and the names of some. */
    public String names() {
        return (pods.size() == 1 ? "1 pod: " : pods.size() + " pods: ")
                + FirstFive.of(pods.stream().map(PodVerdict::fullName).toList());
    }

    /** Why the example does not run. */
    public String explanation() {
        return (pods.size() == 1 ? "" : "For example: ") + example().explanation();
    }
}
