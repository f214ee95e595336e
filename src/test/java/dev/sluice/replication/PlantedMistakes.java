package dev.sluice.replication;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The simulation with a mistake in the code: one source is compiled again with a few words replaced. */
final class PlantedMistakes {

    /** A mistake that the simulation must find. */
    enum Planted {
        DROPS_BEFORE_WRITING(
                "ReplicationLeaseView",
                "content().ifPresent(content -> to.addAll(content.inSync()));",
                "content().filter(_ -> uncertain.isEmpty()).ifPresent(content -> to.addAll(content.inSync()));"),
        ADDS_BEFORE_WAITING("ReplicationLeadership", "new TreeSet<>(joining.keySet())", "new TreeSet<>()"),
        ACKNOWLEDGES_LOWER_TERMS(
                "ReplicationLogPosition",
                "other > term || (other == term && (holder == null || holder.equals(from)))",
                "true"),
        SENDS_NO_SNAPSHOT(
                "ReplicationLeadership",
                "follower == null ? EntryLog.NOTHING",
                "follower.acknowledged() < 0 ? Long.MAX_VALUE"),
        OUTSIDER_DOES_NOT_WAIT("Replica", "waitFrom(over);", ""),
        FORGETS_UNKNOWN_WRITES(
                "ReplicationLeaseView", "uncertain.forEach(content -> to.addAll(content.inSync()));", ""),
        BELIEVES_A_READ_RECORD("Replica", "confirm(content);", "lead(content.term(), now + times.renewDeadline());"),
        ANSWERS_FROM_OLDER_TERMS("SimulatedReplica", "&& earlier.get().term() == replica.term()", ""),
        ADDS_WHILE_WAITING("Replica", "if (!waitsForFormerHolder() && !closing)", "if (!closing)"),
        ADDS_WHOSE_WATCH_IS_BEHIND(
                "ReplicationLeadership", "follower != null && follower.hasSettled(target)", "follower != null"),
        ANSWERS_AFTER_ITS_TIME("Replica", "done.sentAt() + times.renewDeadline()", "now + 9 * times.renewDeadline()"),
        SLEEPS_WITH_ITS_MACHINE("SimulatedReplica", "unnoticed = 0;", ""),
        LEADS_A_TERM_TWICE("Replica", "content.term() > ledTerm && stream", "stream"),
        WRITES_THAT_CHANGE_NOTHING("InSyncRecord", "renewal + 1", "renewal"),
        NEVER_DROPS(
                "ReplicationLeadership",
                "follower == null || !follower.isCurrent() || follower.isOverdue(times, last, now)",
                "false"),
        NEVER_RESENDS("FollowerProgress", "sent = acknowledged;", "");

        /** Schedules that show them are rare: one of ten thousand, or fewer. */
        private static final Set<Planted> RARE = EnumSet.of(
                ACKNOWLEDGES_LOWER_TERMS,
                FORGETS_UNKNOWN_WRITES,
                ANSWERS_FROM_OLDER_TERMS,
                ADDS_WHILE_WAITING,
                ADDS_WHOSE_WATCH_IS_BEHIND,
                ANSWERS_AFTER_ITS_TIME);

        private final String type;
        private final String good;
        private final String bad;

        Planted(String type, String good, String bad) {
            this.type = type;
            this.good = good;
            this.bad = bad;
        }

        boolean isRare() {
            return RARE.contains(this);
        }
    }

    private PlantedMistakes() {}

    /** Runs schedules with a mistake. Returns the first that failed with what went wrong; empty if none did. */
    static String firstFailure(Planted planted, Path directory, long schedules) {
        try {
            ClassLoader loader = new MutantLoader(compiled(planted, directory));
            // It is of the same name as the simulation here, but of another loader.
            Method firstFailure = loader.loadClass(Simulation.class.getName())
                    .getDeclaredMethod("firstFailure", long.class, long.class);
            firstFailure.setAccessible(true);
            return String.valueOf(firstFailure.invoke(null, 0L, schedules));
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Compiles the changed source into the directory, and returns the directory. */
    private static Path compiled(Planted planted, Path directory) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Path changed = Files.writeString(directory.resolve(planted.type + ".java"), changedSource(planted));
            String classPath = Stream.of(Replica.class, Simulation.class, Nullable.class)
                    .map(PlantedMistakes::location)
                    .collect(Collectors.joining(":"));
            List<String> options = List.of("-proc:none", "-nowarn", "-cp", classPath, "-d", directory.toString());
            boolean compiles = compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(changed))
                    .call();
            if (!compiles) {
                throw new IllegalStateException(planted + " does not compile");
            }
            return directory;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String changedSource(Planted planted) throws IOException {
        for (String root : List.of("src/main/java", "src/test/java")) {
            Path source = Path.of(root, "dev/sluice/replication", planted.type + ".java");
            if (Files.exists(source)) {
                String text = Files.readString(source);
                // The format may have broken a line in the middle of what is replaced.
                String pattern =
                        Stream.of(planted.good.split(" ")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
                String changed = text.replaceAll(pattern, Matcher.quoteReplacement(planted.bad));
                if (changed.equals(text)) {
                    throw new IllegalStateException(source + " does not contain " + planted.good);
                }
                return changed;
            }
        }
        throw new IllegalStateException("no source of " + planted.type);
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Loads the whole room anew, with the changed classes in place of the real ones. */
    private static final class MutantLoader extends ClassLoader {
        private static final String ROOM = Replica.class.getPackageName() + ".";

        private final Path changed;

        MutantLoader(Path changed) {
            super(PlantedMistakes.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(ROOM)) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? defined(name) : loaded;
            }
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            Path mutant = changed.resolve(file);
            try (InputStream in = Files.exists(mutant)
                    ? Files.newInputStream(mutant)
                    : getParent().getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failed) {
                throw new ClassNotFoundException(name, failed);
            }
        }
    }
}
