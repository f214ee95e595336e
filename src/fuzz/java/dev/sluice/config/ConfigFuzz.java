package dev.sluice.config;

import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Never throws for what a user wrote, and says everything that is wrong in sentences of one line. */
public final class ConfigFuzz {

    private ConfigFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> {
            Path file = Scratch.file("gateway.yaml", input);
            judge(ConfigLoader.load(file, Map.of()));
        });
    }

    static void judge(ConfigLoader.Loading loading) {
        switch (loading) {
            case ConfigLoader.Loading.Loaded loaded -> inOneLine(loaded.warnings());
            case ConfigLoader.Loading.NotLoaded refused -> {
                if (refused.problems().isEmpty()) {
                    throw new AssertionError("refused without a reason");
                }
                inOneLine(refused.problems());
                inOneLine(refused.warnings());
            }
        }
    }

    private static void inOneLine(List<ConfigProblem> problems) {
        for (ConfigProblem problem : problems) {
            if (problem.toString().lines().count() != 1) {
                throw new AssertionError("a problem of several lines: " + problem);
            }
        }
    }
}
