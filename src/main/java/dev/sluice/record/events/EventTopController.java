package dev.sluice.record.events;

import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiServerObjectAccess;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import dev.sluice.record.events.EventObjectMetadata.Controller;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the object that a user applied: the controller of the pod's controller or, if there is none, the pod's
 * controller itself. Users can write any owner references, so a name becomes part of an API path only if it is valid.
 * The method {@link #above} accepts a ReplicaSet or a Job only if its uid is the one in the reference. Only one thread
 * may use this class.
 */
final class EventTopController {

    /**
     * Maps a kind to the format of the API path of its objects. Contains only the kinds whose objects are usually
     * created by another controller.
     */
    private static final Map<String, String> MADE_BY_OTHERS = Map.of(
            "ReplicaSet", "apis/apps/v1/namespaces/%s/replicasets/%s", "Job", "apis/batch/v1/namespaces/%s/jobs/%s");

    private static final Pattern NAME = Pattern.compile("[a-z0-9][-a-z0-9.]{0,252}");

    /** The pattern of a kind, an API version and a uid. It matches all values that occur in Kubernetes. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9./]{0,126}");

    private static final int MOST_KEPT = 256;

    private final ApiServerObjectAccess objects;

    private record Reference(String namespace, Controller controller) {}

    private final Map<Reference, Optional<EventTarget>> kept = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Reference, Optional<EventTarget>> eldest) {
            return size() > MOST_KEPT;
        }
    };

    EventTopController(ApiServerObjectAccess objects) {
        this.objects = objects;
    }

    /**
     * Returns the object that a user applied. If {@code controller} is a ReplicaSet or a Job that has a controller
     * itself, this is the controller of the ReplicaSet or Job. Otherwise it is {@code controller}. Returns empty if
     * {@code controller} is not valid, or is a ReplicaSet or a Job that does not exist.
     */
    Optional<EventTarget> above(String namespace, Controller controller) throws IOException {
        if (!isLegal(controller)) {
            return Optional.empty();
        }
        String path = MADE_BY_OTHERS.get(controller.kind());
        if (path == null) {
            return Optional.of(controller.target(namespace));
        }
        Reference reference = new Reference(namespace, controller);
        Optional<EventTarget> known = kept.get(reference);
        if (known == null) {
            known = read(path, namespace, controller.name())
                    .filter(head -> head.uid().equals(controller.uid()))
                    .map(head -> head.controller()
                            .filter(EventTopController::isLegal)
                            .orElse(controller)
                            .target(namespace));
            kept.put(reference, known);
        }
        return known;
    }

    /**
     * Returns the controller of the ReplicaSet or Job {@code owner}. Returns empty if there is none, or if the owner is
     * of another kind. The owner itself needs no Event from the gateway: the controller that tried to create the pod
     * already writes one about the denial.
     */
    Optional<EventTarget> aboveOwner(String namespace, PodOwner owner) throws IOException {
        String path = MADE_BY_OTHERS.get(owner.kind());
        // The sender of the review has chosen these names, so they are checked before they become part of a path.
        if (path == null
                || !NAME.matcher(owner.name()).matches()
                || !NAME.matcher(namespace).matches()) {
            return Optional.empty();
        }
        return read(path, namespace, owner.name())
                .flatMap(EventObjectMetadata::controller)
                .filter(EventTopController::isLegal)
                .map(controller -> controller.target(namespace));
    }

    private static boolean isLegal(Controller controller) {
        return NAME.matcher(controller.name()).matches()
                && WORD.matcher(controller.kind()).matches()
                && WORD.matcher(controller.apiVersion()).matches()
                && WORD.matcher(controller.uid()).matches();
    }

    private Optional<EventObjectMetadata> read(String path, String namespace, String name) throws IOException {
        try {
            return Optional.of(EventObjectMetadata.of(objects.metadata(path.formatted(namespace, name))));
        } catch (ApiFailure failure) {
            if (failure.isNotFound()) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
