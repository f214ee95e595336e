package dev.sluice.record;

/**
 * The identity of the pod in a review. Each name is cut to 253 characters, the maximum that the API server allows.
 *
 * @param uid the uid of the review
 * @param namespace the namespace of the request
 * @param podName the pod's name, or its generateName followed by {@code *}; empty if it has neither
 * @param owner the controller of the pod, according to the pod's metadata
 * @param dryRun true if the API server will not store the pod
 */
public record RecordedReviewHead(String uid, String namespace, String podName, PodOwner owner, boolean dryRun) {

    private static final int LONGEST_NAME = 253;

    /** The number of characters that the API server appends to {@code generateName} (names/generate.go). */
    private static final int RANDOM_LETTERS = 5;

    private static final int MOST_GENERATED = 63 - RANDOM_LETTERS;

    /**
     * The controller of a pod: the entry of its ownerReferences with {@code controller: true}.
     *
     * @param kind the kind, such as {@code ReplicaSet} or {@code Job}
     * @param apiVersion the API version of the kind, such as {@code apps/v1}; empty if unknown
     * @param uid the uid of the controller; empty if unknown
     */
    public record PodOwner(String kind, String name, String apiVersion, String uid) {

        /** The value for a pod without a controller. */
        public static final PodOwner NONE = new PodOwner("", "");

        public PodOwner {
            apiVersion = kept(apiVersion);
            kind = kept(kind);
            name = kept(name);
            uid = kept(uid);
        }

        /** Creates a controller whose API version and uid are unknown. */
        public PodOwner(String kind, String name) {
            this(kind, name, "", "");
        }
    }

    public RecordedReviewHead {
        uid = kept(uid);
        namespace = kept(namespace);
        podName = kept(podName);
    }

    /**
     * Returns the key by which the created pod is found: its namespace and name. If the API server generates the name
     * from {@code generateName}, the key is the same for all names that can be generated ({@link #generatedKey}).
     */
    public String podKey() {
        return namespace + "/" + (isGenerated() ? generatedPrefix() + "*" : podName);
    }

    /** Returns true if this is the name of the pod, or if the API server can generate it for the pod. */
    public boolean mayBeNamed(String name) {
        return podName.equals(name) || (isGenerated() && name.startsWith(generatedPrefix()));
    }

    private boolean isGenerated() {
        return podName.endsWith("*");
    }

    private String generatedPrefix() {
        return podName.substring(0, Math.min(MOST_GENERATED, podName.length() - 1));
    }

    /**
     * Returns the key that is the same for all pods with one {@code generateName}.
     *
     * @param fullName the namespace and name of a pod whose name may have been generated
     */
    public static String generatedKey(String fullName) {
        int slash = fullName.indexOf('/');
        return fullName.length() - slash <= RANDOM_LETTERS
                ? fullName
                : fullName.substring(0, fullName.length() - RANDOM_LETTERS) + "*";
    }

    /** Returns the first 253 characters of a name. */
    static String kept(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
