package dev.sluice.record.events;

/** The object that an Event is about. It becomes the field {@code regarding} of the Event. */
record EventTarget(String apiVersion, String kind, String namespace, String name, String uid) {

    static EventTarget pod(String namespace, EventObjectMetadata pod) {
        return new EventTarget("v1", "Pod", namespace, pod.name(), pod.uid());
    }
}
