package dev.sluice.config;

import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Likewise for gpuinjector's file. */
public final class InjectionFuzz {

    private InjectionFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> {
            Path rules = Scratch.file("injection.json", input);
            byte[] naming = ("injection: {file: '" + rules + "'}\n").getBytes(StandardCharsets.UTF_8);
            ConfigFuzz.judge(ConfigLoader.load(Scratch.file("naming.yaml", naming), Map.of()));
        });
    }
}
