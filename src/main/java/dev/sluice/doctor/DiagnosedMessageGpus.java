package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds names of GPU resources in messages. */
final class DiagnosedMessageGpus {

    private static final String QUOTA = "requests.";
    /**
     * Matches the name of a GPU resource. A match does not begin within a word, or after a word and a dot. Otherwise
     * the search in a long text of words and dots could take quadratic time.
     */
    private static final Pattern NAME =
            Pattern.compile("(?<![a-z]|[a-z]\\.)[a-z]++(?:\\.[a-z]++)++/[A-Za-z0-9][A-Za-z0-9._-]*+");

    private DiagnosedMessageGpus() {}

    static boolean areIn(String text) {
        return firstIn(text).isPresent();
    }

    /**
     * Returns the first GPU resource in the text. A full stop after the name is removed, because it ends the sentence.
     */
    static Optional<ResourceName> firstIn(String text) {
        return NAME.matcher(text)
                .results()
                .map(found -> found.group())
                .map(DiagnosedMessageGpus::resource)
                .filter(GpuVendor::isGpu)
                .findFirst();
    }

    /** Returns the resource without the prefix {@code requests.}, which quotas write before the name. */
    private static ResourceName resource(String found) {
        String name = found.startsWith(QUOTA) ? found.substring(QUOTA.length()) : found;
        return new ResourceName(name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
    }
}
