package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigTablesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1g.5gb",
                "1g.5gb.me",
                "3g.20gb",
                "7g.80gb",
                "1g.20gb",
                "3g.47gb",
                "4g.48gb",
                "2g.35gb",
                "3g.72gb",
                "7g.180gb",
                "2g.47gb",
                "3g.135gb",
                "7g.278gb",
                "1g.6gb",
                "2g.12gb.me",
                "4g.24gb",
                "1g.24gb.me.all",
                "2g.48gb-me",
                "4g.96gb.gfx",
                "1g.16gb",
                "2g.32gb"
            })
    void knowsWhatTheTablesHave(String name) {
        assertThat(MigTables.isKnown(profile(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7g.79gb", "1g.24gb", "1g.24gb.me", "3g.95gb", "4g.95gb", "7g.189gb"})
    void knowsNamesThatDriftedOnRealNodes(String name) {
        assertThat(MigTables.isKnown(profile(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3g.30gb",
                "7g.70gb",
                "3g.24gb",
                "2g.30gb",
                "5g.40gb",
                "3g.40gb.me",
                "2g.20gb.gfx",
                "1c.3g.40gb",
                "1c.1g.10gb",
                "1g.10gb-me"
            })
    void knowsNoNameThatNoGpuHas(String name) {
        assertThat(MigTables.isKnown(profile(name))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "3g.30gb,    3g.20gb 3g.40gb 3g.47gb",
        "3g.24gb,    3g.20gb 3g.40gb 3g.47gb",
        "7g.70gb,    7g.80gb 7g.94gb 7g.96gb",
        "2g.30gb,    2g.32gb 2g.35gb 2g.24gb",
        "3g.40gb.me, 3g.40gb 3g.47gb 3g.48gb",
        "1g.11gb.me, 1g.10gb.me 1g.12gb.me 1g.10gb",
        "1c.3g.40gb, 3g.40gb 3g.47gb 3g.48gb",
    })
    void theNearestHaveAsManySlices(String name, String expected) {
        assertThat(nearest(name)).containsExactly(expected.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"5g.40gb, 4g.40gb 3g.40gb 7g.40gb", "6g.20gb, 4g.20gb 3g.20gb 2g.20gb", "5g.96gb, 4g.96gb 7g.96gb"})
    void thenTheSameMemory(String name, String expected) {
        assertThat(nearest(name)).containsExactly(expected.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5g.33gb", "9g.999gb"})
    void nothingIsNearWhatSharesNothing(String name) {
        assertThat(nearest(name)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyProfileIsNearestToItselfAndKnown(GpuModel model) {
        assertThat(model.title()).isNotBlank();
        assertThat(model.seen()).allMatch(MigTables::isKnown).allMatch(MigProfile::isWholeInstance);
        assertThat(model.profiles())
                .isNotEmpty()
                .allSatisfy(profile ->
                        assertThat(MigTables.nearest(profile)).first().isEqualTo(profile));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"A30", "RTX_PRO_6000", "RTX_PRO_5000", "RTX_PRO_5000_72", "RTX_PRO_4500"})
    void sevenSliceModelsHaveTheSevenKindsWithTheirGeometry(GpuModel model) {
        List<MigProfile> profiles = model.profiles();
        assertThat(profiles).extracting(MigProfile::slices).containsExactly(1, 1, 1, 2, 3, 4, 7);
        assertThat(profiles).isSortedAccordingTo(Comparator.comparingInt(MigProfile::slices));
        assertThat(profiles.get(1).attribute()).isEqualTo(MigProfile.MigAttribute.MEDIA);
        assertThat(profiles.get(1).memoryGb()).isEqualTo(profiles.get(0).memoryGb());
        assertThat(profiles.get(2).memoryGb()).isEqualTo(profiles.get(3).memoryGb());
        assertThat(profiles.get(4).memoryGb()).isEqualTo(profiles.get(5).memoryGb());
    }

    private static Stream<String> nearest(String name) {
        return MigTables.nearest(profile(name)).stream().map(MigProfile::toString);
    }

    private static MigProfile profile(String name) {
        return MigProfile.parse(name).orElseThrow();
    }
}
