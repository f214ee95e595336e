package dev.sluice.doctor;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigProfile.MigAttribute;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.FirstFiveNames;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a replacement for a MIG profile that no GPU model of the cluster supports. The replacement is the most similar
 * profile that one of these models supports.
 */
final class DiagnosedNearestMigProfile {

    /** Matches the numbers of slices and gigabytes, which are usually correct even in a misspelt profile name. */
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,2})g\\D{0,2}(\\d{1,4})");

    private DiagnosedNearestMigProfile() {}

    /**
     * Returns the profile that is most similar to the wanted one. Profiles with the wanted number of slices come first,
     * then profiles with the smallest difference in memory. If two profiles are equally close, the larger one is
     * returned.
     */
    static Optional<MigProfile> of(ResourceName wanted, List<DiagnosedGpuProduct> present) {
        return MigProfile.ofResource(wanted)
                .or(() -> guessed(wanted))
                .flatMap(asked -> present.stream()
                        .flatMap(DiagnosedGpuProduct::profiles)
                        .distinct()
                        .min(byDistance(asked)));
    }

    /**
     * Returns sentences about a MIG profile that no GPU model of the cluster supports. They name the models and suggest
     * the most similar profile. The first sentence begins in lower case, because it continues another sentence.
     */
    static String impossible(ResourceName wanted, List<DiagnosedGpuProduct> present) {
        return "no GPU model of this cluster can have such a MIG profile." + modelSentence(present)
                + of(wanted, present)
                        .map(nearest -> " The nearest that exists is " + nearest.resource() + ".")
                        .orElse("");
    }

    /** Returns a sentence with the names of the models. Nodes may have no label that names their model. */
    private static String modelSentence(List<DiagnosedGpuProduct> present) {
        List<String> named = named(present);
        if (named.isEmpty()) {
            return " No label names the models.";
        }
        boolean othersHaveNoName =
                present.stream().anyMatch(product -> product.name().isEmpty());
        return (named.size() == 1 ? " The model is " : " The models are ")
                + FirstFiveNames.of(named)
                + (othersHaveNoName ? "; other nodes have no label that names their model." : ".");
    }

    /** Returns the names of the models for a sentence. */
    static String models(List<DiagnosedGpuProduct> present) {
        List<String> named = named(present);
        return named.isEmpty() ? "a model in this cluster" : FirstFiveNames.of(named);
    }

    private static List<String> named(List<DiagnosedGpuProduct> present) {
        return present.stream()
                .map(DiagnosedGpuProduct::name)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private static Comparator<MigProfile> byDistance(MigProfile asked) {
        return Comparator.comparingInt((MigProfile real) -> real.slices() == asked.slices() ? 0 : 1)
                .thenComparingInt(real -> Math.abs(real.memoryGb() - asked.memoryGb()))
                .thenComparing(MigProfile::memoryGb, Comparator.reverseOrder())
                .thenComparingInt(real -> real.attribute() == asked.attribute() ? 0 : 1)
                .thenComparing(MigProfile::attribute)
                .thenComparingInt(MigProfile::slices);
    }

    private static Optional<MigProfile> guessed(ResourceName wanted) {
        Matcher numbers = NUMBERS.matcher(wanted.shortName());
        return numbers.find()
                ? Optional.of(new MigProfile(
                        0, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)), MigAttribute.NONE))
                : Optional.empty();
    }
}
