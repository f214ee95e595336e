package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A group of pods with the same verdict codes and reasons, which a report shows as one finding. If the pods need
 * attention, they also share the explanation, because different explanations need different repairs.
 *
 * @param pods the pods of the group, at least one
 */
public record DiagnosisGroup(String title, List<PodDiagnosis> pods) {

    public DiagnosisGroup {
        pods = List.copyOf(pods);
    }

    /**
     * Limits the number of groups with the same title, so that a report stays short even if each pod has a different
     * explanation. The last of these groups contains the pods of all explanations that have no group of their own.
     */
    private static final int MOST_ALIKE = 5;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Groups all pods that are not healthy. Groups with more pods come first. */
    public static List<DiagnosisGroup> of(List<PodDiagnosis> pods) {
        Map<String, Map<String, List<PodDiagnosis>>> groups = new LinkedHashMap<>();
        for (PodDiagnosis pod : pods) {
            if (pod.verdict().filter(DiagnosisCode.HEALTHY::equals).isEmpty()) {
                groups.computeIfAbsent(title(pod), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(waitsInVain(pod) ? why(pod) : "", _ -> new ArrayList<>())
                        .add(pod);
            }
        }
        return groups.entrySet().stream()
                .flatMap(group ->
                        alike(group.getKey(), List.copyOf(group.getValue().values())))
                .sorted(Comparator.<DiagnosisGroup>comparingInt(group -> group.pods.size())
                        .reversed())
                .toList();
    }

    private static Stream<DiagnosisGroup> alike(String title, List<List<PodDiagnosis>> groups) {
        List<List<PodDiagnosis>> largest = groups.stream()
                .sorted(Comparator.<List<PodDiagnosis>>comparingInt(List::size).reversed())
                .toList();
        int own = largest.size() <= MOST_ALIKE ? largest.size() : MOST_ALIKE - 1;
        Stream<DiagnosisGroup> shown = largest.stream().limit(own).map(pods -> new DiagnosisGroup(title, pods));
        List<PodDiagnosis> rest =
                largest.stream().skip(own).flatMap(List::stream).toList();
        return rest.isEmpty() ? shown : Stream.concat(shown, Stream.of(new DiagnosisGroup(title, rest)));
    }

    /**
     * Returns the explanation without the name of the pod and without numbers, such as the numbers of nodes or minutes.
     */
    private static String why(PodDiagnosis pod) {
        String why = pod.explanation().replace(pod.fullName(), "").replace(pod.name(), "");
        return NUMBER.matcher(why).replaceAll("#");
    }

    /**
     * Returns the verdict code of a pod, followed by the codes of its further causes. The code ConstraintMismatch is
     * followed by its reasons in parentheses.
     */
    public static String title(PodDiagnosis pod) {
        String also = pod.also().isEmpty()
                ? ""
                : ", also " + pod.also().stream().map(code -> word(code, pod)).collect(Collectors.joining(", "));
        return pod.verdict().map(code -> word(code, pod)).orElse("Unknown") + also;
    }

    private static String word(DiagnosisCode code, PodDiagnosis pod) {
        return code == DiagnosisCode.CONSTRAINT_MISMATCH && !pod.reasons().isEmpty()
                ? code.word() + " (" + String.join(", ", pod.reasons()) + ")"
                : code.word();
    }

    /**
     * Returns a sentence with the number of pods that need attention, that is, pods that will not run until somebody
     * removes the cause.
     *
     * @param namespace the namespace of all given pods; empty if the pods are from all namespaces
     */
    public static String headline(List<PodDiagnosis> pods, Optional<String> namespace) {
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

    /** Returns the number of pods that need attention. */
    public static long lasting(List<PodDiagnosis> pods) {
        return pods.stream().filter(DiagnosisGroup::waitsInVain).count();
    }

    /** Returns the number of pods that could not be judged with the collected objects. */
    public static long unknown(List<PodDiagnosis> pods) {
        return pods.stream().filter(pod -> pod.verdict().isEmpty()).count();
    }

    /**
     * Returns true if any cause of the pod lasts until somebody removes it. This includes a state that usually ends by
     * itself but has lasted too long.
     */
    private static boolean waitsInVain(PodDiagnosis pod) {
        return Stream.concat(pod.verdict().stream(), pod.also().stream()).anyMatch(code -> !code.isCuredByWaiting())
                || pod.evidence().stream().anyMatch(it -> it.fact().contains(Evidence.STUCK));
    }

    /** Returns the first pod as an example for all pods of the group. */
    public PodDiagnosis example() {
        return pods.getFirst();
    }

    public boolean isLasting() {
        return waitsInVain(example());
    }

    /** Returns the number of pods, and the names of some of them. */
    public String names() {
        return (pods.size() == 1 ? "1 pod: " : pods.size() + " pods: ")
                + FirstFiveNames.of(pods.stream().map(PodDiagnosis::fullName).toList());
    }

    /** Returns the explanation of the first pod, as an example for the group. */
    public String explanation() {
        return (pods.size() == 1 ? "" : "For example: ") + example().explanation();
    }
}
