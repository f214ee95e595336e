package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigProfileTest {

    @ParameterizedTest
    @CsvSource({
        "1g.10gb,         0, 1, 10,  NONE",
        "3g.139gb,        0, 3, 139, NONE",
        "1g.10gb.me,      0, 1, 10,  MEDIA",
        "1g.24gb.me.all,  0, 1, 24,  ALL_MEDIA",
        "1g.24gb.gfx,     0, 1, 24,  GRAPHICS",
        "1g.24gb-me,      0, 1, 24,  WITHOUT_MEDIA",
        "1c.3g.40gb,      1, 3, 40,  NONE",
        "2c.2g.20gb,      2, 2, 20,  NONE",
    })
    void readsTheGrammarAndWritesItBack(
            String name, int compute, int slices, int memory, MigProfile.MigAttribute attribute) {
        MigProfile expected = new MigProfile(compute, slices, memory, attribute);
        assertThat(MigProfile.parse(name)).contains(expected);
        assertThat(expected).hasToString(name);
        assertThat(MigProfile.ofResource(new ResourceName("nvidia.com/mig-" + name)))
                .contains(expected);
        assertThat(expected.resource()).isEqualTo(new ResourceName("nvidia.com/mig-" + name));
    }

    @ParameterizedTest
    @CsvSource({"1g.10gb+me, 1g.10gb.me", "1g.24gb+me.all, 1g.24gb.me.all", "4g.96gb+gfx, 4g.96gb.gfx"})
    void readsThePlusOfNvidiaSmiAndWritesTheDotOfAResource(String name, String resourceSpelling) {
        assertThat(MigProfile.parse(name)).map(MigProfile::toString).contains(resourceSpelling);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1g",
                "1g.10",
                "g.10gb",
                "1g.gb",
                "0g.10gb",
                "01g.10gb",
                "1g.010gb",
                "1g.10gb.",
                "1g.10gb.shared",
                "1g.10gb.foo",
                "1g.10gb+",
                "1g.10gb-gfx",
                "1g.10GB",
                " 1g.10gb",
                "1g.10gb ",
                "c.1g.10gb",
                "-1g.10gb",
                "9999g.10gb",
                "1g.1000000gb",
                "1g.10gbxme",
                "1gx10gb"
            })
    void refusesWhatIsNoProfile(String name) {
        assertThat(MigProfile.parse(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/gpu",
                "nvidia.com/mig-",
                "nvidia.com/mig-.shared",
                "nvidia.com/mig-shared",
                "nvidia.com/mig-1g.10gb+me",
                "amd.com/mig-1g.10gb",
                "mig-1g.10gb"
            })
    void noOtherResourceStandsForAProfile(String resource) {
        assertThat(MigProfile.ofResource(new ResourceName(resource))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"nvidia.com/mig-1g.10gb.shared, 1g.10gb", "nvidia.com/mig-1g.10gb.me.shared, 1g.10gb.me"})
    void aSharedResourceStandsForItsProfile(String resource, String profile) {
        assertThat(MigProfile.ofResource(new ResourceName(resource))).isEqualTo(MigProfile.parse(profile));
    }

    @ParameterizedTest
    @CsvSource({"1c.3g.40gb, false", "2c.2g.20gb, false", "3g.40gb, true", "1g.10gb.me, true"})
    void onlyANameWithoutComputePartIsAWholeInstance(String name, boolean whole) {
        assertThat(MigProfile.parse(name)).map(MigProfile::isWholeInstance).contains(whole);
    }
}
