package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.status.PodAskedAbout;
import dev.sluice.kube.decode.AdmissionReview;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One object in a manifest file of the user. */
public sealed interface Manifest {

    /** Returns the name of the file as the user wrote it. */
    String source();

    /** Returns a text that names the object, for example {@code Deployment web}. */
    String title();

    /** Returns the pods that the object creates in a namespace, as the API server would see them. */
    default PodAskedAbout toCreate(String namespace) {
        return switch (this) {
            case ManifestPods pods
            when pods.isPod() -> new PodAskedAbout(namespace, title(), pods.pod(), /* isOfTemplate= */ false);
            case ManifestPods pods ->
                new PodAskedAbout(namespace, "the pods of " + title(), pods.pod(), /* isOfTemplate= */ true);
            // None of these objects creates a pod for which the API server would still call the webhook. For the pod of
            // a review, it has already called the webhook.
            case Review _, PodClass _, Other _ ->
                new PodAskedAbout(namespace, title(), MissingNode.getInstance(), /* isOfTemplate= */ false);
        };
    }

    /**
     * A pod, or an object that creates pods from a template.
     *
     * @param kind the kind of the object, for example {@code Pod} or {@code Deployment}
     * @param name the name of the object, or its generateName followed by {@code *}; empty if it has neither
     * @param namespace the namespace of the object; null if it has none
     * @param path the path of the template in a custom resource, which may have several templates; empty for built-in
     *     kinds
     * @param copies the number of pods that the object creates at once
     * @param pod the pod as the API server would send it to the gateway
     * @param notFilled notes about what the API server may add to the pod or refuse in it, for example because of an
     *     unknown RuntimeClass
     */
    record ManifestPods(
            String source,
            String kind,
            String name,
            @Nullable String namespace,
            String path,
            int copies,
            ObjectNode pod,
            List<String> notFilled)
            implements Manifest {

        public ManifestPods {
            notFilled = List.copyOf(notFilled);
        }

        @Override
        public String title() {
            return kind + (name.isEmpty() ? " without a name" : " " + name) + (path.isEmpty() ? "" : ", " + path);
        }

        /** Returns true if the pod was read from an API server, which has filled in all fields already. */
        boolean isFilled() {
            return pod.path("metadata").has("uid");
        }

        /** Returns the same manifest with another pod. */
        ManifestPods with(ObjectNode other) {
            return with(other, notFilled);
        }

        /** Returns the same manifest with another pod and other notes. */
        ManifestPods with(ObjectNode other, List<String> sentences) {
            return new ManifestPods(source, kind, name, namespace, path, copies, other, sentences);
        }

        /** Returns true if the object itself is a pod. */
        public boolean isPod() {
            return kind.equals("Pod");
        }
    }

    /** An AdmissionReview, as the API server sends it to the gateway. */
    record Review(String source, AdmissionReview review) implements Manifest {
        @Override
        public String title() {
            String name = review.podName();
            return "Pod" + (name.isEmpty() ? " without a name" : " " + name);
        }
    }

    /** A RuntimeClass or a PriorityClass. The API server copies fields of such a class into pods. */
    record PodClass(String source, String kind, String name, JsonNode object) implements Manifest {

        @Override
        public String title() {
            return kind + " " + name;
        }

        boolean isRuntime() {
            return kind.equals("RuntimeClass");
        }
    }

    /** An object that, as far as Sluice knows, creates no pods. */
    record Other(String source, String title) implements Manifest {}

    /** Returns the objects that are pods or create pods. */
    static List<ManifestPods> pods(List<Manifest> manifests) {
        return manifests.stream()
                .filter(ManifestPods.class::isInstance)
                .map(ManifestPods.class::cast)
                .toList();
    }
}
