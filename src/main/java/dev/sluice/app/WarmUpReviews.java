package dev.sluice.app;

import dev.sluice.cluster.quantity.ResourceName;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Creates the reviews of the warm-up. They look like the reviews that the API server sends for the pod of a Job. */
final class WarmUpReviews {

    /** The placeholder for the requested resource in the template of a review. */
    private static final String RESOURCE = "$RESOURCE";

    /**
     * The resources for which there is always a review, even if the policy has no chain for them. The first one is not
     * a GPU, so that a pod without GPUs is also reviewed.
     */
    private static final List<String> ALWAYS = List.of("ephemeral-storage", ResourceName.NVIDIA_GPU.value());

    private static final int MOST_RESOURCES = 8;

    private WarmUpReviews() {}

    /**
     * Returns one review for each resource in {@code resources} or {@link #ALWAYS}, but at most {@link #MOST_RESOURCES}
     * reviews.
     */
    static List<Buffer> asking(Collection<ResourceName> resources) {
        String review = text();
        return Stream.concat(ALWAYS.stream(), resources.stream().map(ResourceName::value))
                .distinct()
                .limit(MOST_RESOURCES)
                .map(resource -> Buffer.buffer(review.replace(RESOURCE, resource)))
                .toList();
    }

    private static String text() {
        try (InputStream file = Objects.requireNonNull(WarmUpReviews.class.getResourceAsStream("review.json"))) {
            // The line breaks are removed, because the reviews of the API server have none.
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("\n", "");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
