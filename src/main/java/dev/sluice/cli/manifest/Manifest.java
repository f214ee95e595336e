package dev.sluice.cli.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.review.AdmissionReview;
import org.jspecify.annotations.Nullable;

/** One object of a file. */
public sealed interface Manifest {

    /** The file, as the user named it. */
    String source();

    /** For people: {@code Deployment web}. */
    String title();

    /**
     * A pod, or something that makes pods from a template.
     *
     * @param kind {@code Pod}, {@code Deployment}, …
     * @param name its own name, or its generateName followed by {@code *}; empty where it has neither
     * @param namespace null where none is written
     * @param copies how many pods it makes at once, as far as it says
     * @param pod as the API server would send it to the gateway
     */
    record ManifestPods(
            String source,
            String kind,
            String name,
            @Nullable String namespace,
            int copies,
            ObjectNode pod) implements Manifest {

        @Override
        public String title() {
            return kind + (name.isEmpty() ? " without a name" : " " + name);
        }

        /** The object is the pod itself. */
        public boolean isPod() {
            return kind.equals("Pod");
        }
    }

    /** What the API server would send, already as it would send it. */
    record Review(String source, AdmissionReview review) implements Manifest {
        @Override
        public String title() {
            String name = review.podName();
            return "Pod" + (name.isEmpty() ? " without a name" : " " + name);
        }
    }

    /** Something that makes no pods, as far as Sluice knows. */
    record Other(String source, String title) implements Manifest {}
}
