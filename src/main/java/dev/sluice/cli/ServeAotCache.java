package dev.sluice.cli;

import java.util.Optional;

/**
 * Checks whether the JVM uses the AOT cache that the launcher has passed to it. A JVM that cannot use the cache starts
 * without it. The launcher suppresses the JVM's own warning, which has several lines, so this class provides a shorter
 * one.
 */
final class ServeAotCache {

    private ServeAotCache() {}

    /** Returns a warning for the log. Returns empty if this process uses its cache, or if it has none. */
    static Optional<String> problem() {
        return problem(Optional.ofNullable(System.getProperty("sluice.aot")), System.getProperty("java.vm.info", ""));
    }

    /**
     * Returns a warning if there is a cache and the JVM does not use it. The description of the JVM contains the word
     * "sharing" only if the JVM uses the cache.
     */
    static Optional<String> problem(Optional<String> given, String vmInfo) {
        return given.filter(_ -> !vmInfo.contains("sharing"))
                .map(cache -> "The start and the first reviews are slower: this JVM cannot use " + cache
                        + ", which fits only the JDK, the options and the archives with which mvn package made it (cp -a"
                        + " keeps the times of the archives, cp -r does not)");
    }
}
