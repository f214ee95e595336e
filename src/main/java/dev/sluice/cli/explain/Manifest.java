package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.webhook.review.AdmissionReview;
import org.jspecify.annotations.Nullable;

/** One object of a file. */
public sealed interface Manifest {

    /** The name of the file, as the user wrote it. */
    String source();

    /** The object in words, for example {@code Deployment web}. */
    String title();

    /**
     * A pod, or something that makes pods from a template.
     *
     * @param kind {@code Pod}, {@code Deployment}, …
     * @param name its own name, or its generateName followed by {@code *}; empty if it has neither
     * @param namespace null if the object has none
     * @param path of the template in a custom resource, which may have several; empty for the built-in kinds
     * @param copies how many pods the object makes at once
     * @param pod as the API server would send it to the gateway
     */
    record ManifestPods(
            String source,
            String kind,
            String name,
            @Nullable String namespace,
            String path,
            int copies,
            ObjectNode pod)
            implements Manifest {

        @Override
        public String title() {
            return kind + (name.isEmpty() ? " without a name" : " " + name) + (path.isEmpty() ? "" : ", " + path);
        }

        /** The object is the pod itself. */
        public boolean isPod() {
            return kind.equals("Pod");
        }
    }

    /** A review, as the API server would send it. */
    record Review(String source, AdmissionReview review) implements Manifest {
        @Override
        public String title() {
            String name = review.podName();
            return "Pod" + (name.isEmpty() ? " without a name" : " " + name);
        }
    }

    /** An object that makes no pods, as far as Sluice knows. */
    record Other(String source, String title) implements Manifest {}
}
