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
     * The API server appends so many letters to {@code generateName}, of which it keeps so many (names/generate.go).
     */
    private static final int RANDOM_LETTERS = 5;

    private static final int MOST_GENERATED = 63 - RANDOM_LETTERS;

    /**
     * The controller of a pod: of its ownerReferences the one with {@code controller: true}.
     *
     * @param kind such as {@code ReplicaSet} or {@code Job}
     * @param apiVersion of the kind, such as {@code apps/v1}; empty if it is not known
     * @param uid empty if it is not known
     */
    public record PodOwner(String kind, String name, String apiVersion, String uid) {

        /** Nobody controls the pod. */
        public static final PodOwner NONE = new PodOwner("", "");

        public PodOwner {
            apiVersion = kept(apiVersion);
            kind = kept(kind);
            name = kept(name);
            uid = kept(uid);
        }

        /** An owner as people know it. */
        public PodOwner(String kind, String name) {
            this(kind, name, "", "");
        }
    }

    public ReviewHead {
        uid = kept(uid);
        namespace = kept(namespace);
        podName = kept(podName);
    }

    /**
     * Namespace and name, by which the pod is found when it exists. Pods with the same {@code generateName} have one
     * key, the {@link #generatedKey} of each of them.
     */
    public String podKey() {
        return namespace + "/" + (isGenerated() ? generatedPrefix() + "*" : podName);
    }

    /** True if the pod has this name, or may be given it when it is stored. */
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
     * The key of a pod if its name was generated.
     *
     * @param fullName namespace and name
     */
    public static String generatedKey(String fullName) {
        int slash = fullName.indexOf('/');
        return fullName.length() - slash <= RANDOM_LETTERS
                ? fullName
                : fullName.substring(0, fullName.length() - RANDOM_LETTERS) + "*";
    }

    /** A name as far as it is kept. */
    static String kept(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
