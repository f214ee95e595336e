package dev.sluice.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Fuzzes each target in a process of its own, for {@code -Dfuzz.seconds} each; what breaks one is kept in
 * {@code target/fuzz}. {@code -Dfuzz.target=REVIEW} chooses one. {@link FuzzSeedsTest} is its short version.
 */
@Tag("campaign")
class FuzzIT {

    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 300);

    private static final String CHOSEN = System.getProperty("fuzz.target", "");

    /** Longer inputs repeat what shorter ones show, and take the time of hundreds of those. */
    private static final int LONGEST = 4096;

    private static final Path HOME = Path.of("target", "fuzz").toAbsolutePath();

    private static final Pattern UNUSED = Pattern.compile(
            "/(kubernetes-(model|client|httpclient)|archunit|palantir|bcp|netty-tcnative|jacoco)[^/]*$");

    private static final Pattern DONE = Pattern.compile("Done (\\d+) runs");

    @ParameterizedTest
    @EnumSource
    void nothingBreaks(FuzzTarget target) throws Exception {
        if (!CHOSEN.isEmpty() && !target.name().equals(CHOSEN)) {
            return;
        }
        Path log = HOME.resolve(target + ".log");
        int code = fuzzed(target, log);
        String told = Files.readString(log);
        Matcher done = DONE.matcher(told);
        assertThat(code)
                .as("%s; what broke it is in %s\n%s", target, HOME, told)
                .isZero();
        assertThat(done.find()).as(told).isTrue();
        LoggerFactory.getLogger(FuzzIT.class)
                .atInfo()
                .addKeyValue("target", target)
                .addKeyValue("executions", done.group(1))
                .log("Fuzzed");
    }

    /** Without libraries of thousands of classes that no decoder uses: the fuzzer looks at every class there is. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !UNUSED.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static int fuzzed(FuzzTarget target, Path log) throws IOException, InterruptedException {
        Path grown = Files.createDirectories(HOME.resolve(target.name()));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                // As the gateway has it: what breaks there, breaks here.
                "-Xmx192m",
                "-classpath",
                classPath(),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.className(),
                "--instrumentation_includes=dev.sluice.**",
                // It fails on Netty, which takes its handles of Unsafe from a table.
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.UnsafeSanitizer",
                "--reproducer_path=" + HOME));
        words.add("-max_total_time=" + SECONDS);
        words.addAll(List.of(
                "-timeout=60",
                "-rss_limit_mb=2048",
                "-max_len=" + LONGEST,
                "-dict=src/fuzz/kubernetes.dict",
                "-artifact_prefix=" + HOME.resolve(target.name() + "-"),
                grown.toString(),
                target.seeds().toString()));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }
}
