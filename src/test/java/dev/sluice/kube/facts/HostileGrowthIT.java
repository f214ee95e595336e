package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kube.facts.HostileObjects.Choice;
import dev.sluice.kube.facts.HostileObjects.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures all fields of all kinds, and writes {@code target/hostile-growth.txt}. */
@Tag("campaign")
class HostileGrowthIT {

    @TempDir
    private Path directory;

    @Test
    void noTextOfAnyFieldIsQuadratic() throws Exception {
        HostileGrowth growth = new HostileGrowth(directory);
        List<String> lines = new ArrayList<>();
        List<AssertionError> quadratic = new ArrayList<>();
        int largest = Integer.getInteger("hostile.objects", 8_000);
        for (Choice choice : Choice.values()) {
            for (Place place : new HostileObjects().places()) {
                try {
                    lines.add(growth.check(place, choice, choice.objects(largest) / 4, choice.objects(largest)));
                } catch (AssertionError tooMuch) {
                    quadratic.add(tooMuch);
                }
            }
        }
        var _ = Files.write(Path.of("target", "hostile-growth.txt"), lines);
        assertThat(quadratic).isEmpty();
    }
}
