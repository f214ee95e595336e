package dev.sluice.cli;

import java.util.Optional;

/**
 * Whether the JVM uses the AOT cache that the launcher gave it. A JVM that cannot use it starts without it, and the
 * launcher keeps it from saying so in several lines of its own.
 */
final class AotCache {

    private AotCache() {}

    /** What to log if the cache of this process is not used. */
    static Optional<String> problem() {
        return problem(Optional.ofNullable(System.getProperty("sluice.aot")), System.getProperty("java.vm.info", ""));
    }

    /** A JVM that was given a cache says that it shares classes only if it uses that one. */
    static Optional<String> problem(Optional<String> given, String vmInfo) {
        return given.filter(_ -> !vmInfo.contains("sharing"))
                .map(cache -> "The start and the first reviews are slower: this JVM cannot use " + cache
                        + ", which fits only the JDK, the options and the archives with which mvn package made it (cp -a"
                        + " keeps the times of the archives, cp -r does not)");
    }
}
