package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The GPUs that each container requested when Sluice first reviewed the pod. A second review usually reads these GPUs
 * from {@code managedFields}. Sluice stores them in an annotation if {@code managedFields} are not enough. This happens
 * if another webhook or a LimitRange added a GPU before the first review, or if the replacements merged two GPU
 * resources of a container.
 *
 * @param containers the quantities of the GPUs by the name of the container; containers without GPUs are left out
 */
public record FirstPodRequest(Map<String, Map<ResourceName, Long>> containers) {

    /** The maximum number of characters of the annotation. One container takes about fifty. */
    private static final int LONGEST = 4_096;

    private static final Pattern CONTAINER =
            Pattern.compile("([a-z0-9-]{1,63})((?: [A-Za-z0-9._/-]{1,317}=[0-9]{1,15})+)");
    private static final Pattern RESOURCE = Pattern.compile(" ([^=]+)=([0-9]+)");

    /**
     * Returns the value of the annotation, for example {@code main 1g.10gb=1 2g.20gb=1, helper gpu=1}. Returns empty if
     * a second review does not need the annotation, or if the pod has names that the API server will refuse.
     *
     * @param moves the replacements that Sluice makes in the pod
     */
    static Optional<String> annotation(PodRequest pod, List<PodRequestReplacement> moves) {
        PodRequestAuthoredFields authored = pod.authored();
        if (authored == null
                || !authored.showRequests()
                || pod.containers().stream().allMatch(one -> isEvident(one, authored, moves))) {
            return Optional.empty();
        }
        StringJoiner text = new StringJoiner(", ");
        for (ContainerRequest container : pod.containers()) {
            StringBuilder line = new StringBuilder(container.name());
            for (ResourceName name : names(moves)) {
                Quantity asked = container.asked(name);
                if (!asked.isZero()) {
                    line.append(' ').append(name.shortName()).append('=').append(asked.value());
                }
            }
            if (line.length() > container.name().length()) {
                text.add(line);
            }
        }
        String value = text.toString();
        return parse(value).isEmpty() ? Optional.empty() : Optional.of(value);
    }

    /**
     * Returns true if a second review can restore the request of this container without the annotation. That is the
     * case if the author requested all GPUs of the container, and the replacements do not turn two of its GPU resources
     * into one.
     */
    private static boolean isEvident(
            ContainerRequest container, PodRequestAuthoredFields authored, List<PodRequestReplacement> moves) {
        Set<ResourceName> there = new TreeSet<>(names(moves));
        there.removeIf(name -> container.asked(name).isZero());
        Set<ResourceName> afterwards = new TreeSet<>();
        there.forEach(name -> afterwards.add(PodRequestReplacement.given(moves).apply(name)));
        return afterwards.size() == there.size() && there.stream().allMatch(name -> authored.wrote(container, name));
    }

    private static TreeSet<ResourceName> names(List<PodRequestReplacement> moves) {
        TreeSet<ResourceName> names = new TreeSet<>();
        moves.forEach(move -> {
            names.add(move.asked());
            names.add(move.given());
        });
        return names;
    }

    /** Parses the value of the annotation. Returns empty if the text does not have the form that Sluice writes. */
    public static Optional<FirstPodRequest> parse(String annotation) {
        if (annotation.length() > LONGEST) {
            return Optional.empty();
        }
        Map<String, Map<ResourceName, Long>> containers = new HashMap<>();
        for (String one : annotation.split(", ", -1)) {
            Matcher line = CONTAINER.matcher(one);
            if (!line.matches() || containers.containsKey(line.group(1))) {
                return Optional.empty();
            }
            Map<ResourceName, Long> quantities = new TreeMap<>();
            Matcher each = RESOURCE.matcher(line.group(2));
            while (each.find()) {
                quantities.put(ResourceName.ofShort(each.group(1)), Long.parseLong(each.group(2)));
            }
            containers.put(line.group(1), quantities);
        }
        return Optional.of(new FirstPodRequest(containers));
    }

    long of(ContainerRequest container, ResourceName name) {
        return containers.getOrDefault(container.name(), Map.of()).getOrDefault(name, 0L);
    }
}
