package dev.sluice.record;

/**
 * What a review says of itself. Names are cut at 253 characters, the longest that the API server allows.
 *
 * @param uid of the review
 * @param namespace of the request
 * @param podName the pod's name, or its generateName followed by {@code *}; empty if it has neither
 * @param owner who controls the pod, by its own word
 * @param dryRun the pod is not going to be stored
 */
public record ReviewHead(String uid, String namespace, String podName, PodOwner owner, boolean dryRun) {

    private static final int LONGEST_NAME = 253;

    /**
     * The controller of a pod: of its ownerReferences the one with {@code controller: true}.
     *
     * @param kind such as {@code ReplicaSet} or {@code Job}
     */
    public record PodOwner(String kind, String name) {

        /** Nobody controls the pod. */
        public static final PodOwner NONE = new PodOwner("", "");

        public PodOwner {
            kind = kept(kind);
            name = kept(name);
        }
    }

    public ReviewHead {
        uid = kept(uid);
        namespace = kept(namespace);
        podName = kept(podName);
    }

    /** A name as far as it is kept. */
    static String kept(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
