package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kube.facts.HostileObjects.Choice;
import dev.sluice.kube.facts.HostileObjects.Place;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileGrowthTest {

    @TempDir
    private Path directory;

    @Test
    void namesOfSchedulersAndLabelsWithEqualHashesAreNotQuadratic() throws Exception {
        HostileGrowth growth = new HostileGrowth(directory);
        for (Place place : new HostileObjects().places()) {
            if (place.pointer().endsWith("schedulerName") || place.pointer().equals("/metadata/labels")) {
                assertThat(growth.check(place, Choice.COLLIDING, 500, 2_000)).isNotEmpty();
            }
        }
    }
}
