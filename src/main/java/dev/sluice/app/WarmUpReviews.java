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

/** The reviews of the warm-up, such as the API server sends them for the pod of a Job. */
final class WarmUpReviews {

    /** The text of a review of 5 KB, in which this stands for the resource that the pod asks for. */
    private static final String RESOURCE = "$RESOURCE";

    /** What pods of every cluster ask for; the first is no GPU. */
    private static final List<String> ALWAYS = List.of("ephemeral-storage", ResourceName.NVIDIA_GPU.value());

    private static final int MOST_RESOURCES = 8;

    private WarmUpReviews() {}

    /** One review for each of these resources, up to {@link #MOST_RESOURCES} with those of every cluster. */
    static List<Buffer> asking(Collection<ResourceName> resources) {
        String review = text();
        return Stream.concat(ALWAYS.stream(), resources.stream().map(ResourceName::value))
                .limit(MOST_RESOURCES)
                .map(resource -> Buffer.buffer(review.replace(RESOURCE, resource)))
                .toList();
    }

    private static String text() {
        try (InputStream file = Objects.requireNonNull(WarmUpReviews.class.getResourceAsStream("review.json"))) {
            // The API server writes no line breaks.
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("\n", "");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
