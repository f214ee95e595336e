package dev.sluice.record.events;

/** The object that an Event is about, which becomes the field {@code regarding}. */
record EventTarget(String apiVersion, String kind, String namespace, String name, String uid) {

    static EventTarget pod(String namespace, ObjectMetadata pod) {
        return new EventTarget("v1", "Pod", namespace, pod.name(), pod.uid());
    }
}
