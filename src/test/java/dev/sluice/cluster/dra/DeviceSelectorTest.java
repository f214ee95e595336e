package dev.sluice.cluster.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectorTest {

    private static final String DRIVER = "gpu.nvidia.com";

    private static final Device DEVICE = new Device(
            "gpu-0-mig-3g40gb-0",
            Map.of(
                    "type", new AttributeValue.StringAttribute("mig"),
                    "gpu.nvidia.com/profile", new AttributeValue.StringAttribute("3g.40gb"),
                    "productName", new AttributeValue.StringAttribute("NVIDIA H100 80GB HBM3"),
                    "driverVersion", new AttributeValue.VersionAttribute("580.95.5"),
                    "numa", new AttributeValue.IntAttribute(1),
                    "healthy", new AttributeValue.BoolAttribute(true),
                    "links", new AttributeValue.OtherAttribute(),
                    "resource.kubernetes.io/pcieRoot", new AttributeValue.StringAttribute("pci0000:00")),
            Map.of(
                    "memory",
                    Quantity.parse("40320Mi").orElseThrow(),
                    "odd",
                    Quantity.parse("1").orElseThrow()),
            List.of(),
            List.of(),
            new ResourceSliceNodes.NoKnownNode(),
            /* shared= */ false,
            /* boundLate= */ false);

    private static DraCertainty answer(String expression) {
        return DeviceSelector.of(expression).matches(DRIVER, DEVICE);
    }

    /** As in the Helm charts of the drivers and in their documents. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "device.driver == 'gpu.nvidia.com' ~ YES",
                "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu' ~ NO",
                "device.driver == \"gpu.nvidia.com\" && device.attributes[\"gpu.nvidia.com\"].type == \"mig\" ~ YES",
                "device.driver == 'gpu.amd.com' ~ NO",
                "device.attributes['gpu.nvidia.com'].profile == '3g.40gb' ~ YES",
                "'3g.40gb' == device.attributes['gpu.nvidia.com'].profile ~ YES",
                "device.attributes['gpu.nvidia.com'].profile != '3g.40gb' ~ NO",
                "device.attributes['gpu.nvidia.com'].profile in ['1g.10gb', '3g.40gb'] ~ YES",
                "device.attributes['gpu.nvidia.com'].profile in ['1g.10gb'] ~ NO",
                "!(device.attributes['gpu.nvidia.com'].profile in ['1g.10gb']) ~ YES",
                "device.attributes['gpu.nvidia.com']['profile'] == '3g.40gb' ~ YES",
                "device.attributes['resource.kubernetes.io'].pcieRoot == 'pci0000:00' ~ YES",
                "device.attributes['gpu.nvidia.com'].healthy ~ YES",
                "!device.attributes['gpu.nvidia.com'].healthy ~ NO",
                "device.attributes['gpu.nvidia.com'].healthy == true ~ YES",
                "device.attributes['gpu.nvidia.com'].numa == 1 ~ YES",
                "device.attributes['gpu.nvidia.com'].numa >= 2 ~ NO",
                "device.attributes['gpu.nvidia.com'].numa > -1 ~ YES",
                "device.attributes['gpu.nvidia.com'].numa == '1' ~ NO",
                "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('570.0.0')) ~ YES",
                "device.attributes['gpu.nvidia.com'].driverVersion.compareTo(semver('580.95.5')) == 0 ~ YES",
                "device.attributes['gpu.nvidia.com'].driverVersion == semver('580.95.6-rc1') ~ NO",
                "device.attributes['gpu.nvidia.com'].driverVersion == '580.95.5' ~ MAYBE",
                "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0 ~ NO",
                "device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity('39Gi')) ~ YES",
                "quantity('39Gi').isLessThan(device.capacity['gpu.nvidia.com'].memory) ~ YES",
                "device.capacity['gpu.nvidia.com'].memory == quantity('40320Mi') ~ YES",
                "'profile' in device.attributes['gpu.nvidia.com'] ~ YES",
                "'parentUUID' in device.attributes['gpu.nvidia.com'] ~ NO",
                "'dra.example.com' in device.attributes ~ NO",
                "'resource.kubernetes.io' in device.attributes ~ YES",
                "has(device.attributes['gpu.nvidia.com'].profile) ~ YES",
                "has(device.attributes['gpu.nvidia.com'].nothing) ~ NO",
                "has(device.capacity['dra.example.com'].memory) ~ NO",
                "device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA H') ~ YES",
                "device.attributes['gpu.nvidia.com'].productName.lowerAscii().contains('a100') ~ NO",
                "device.attributes['gpu.nvidia.com'].productName.endsWith('HBM3') ~ YES",
                "device.allowMultipleAllocations ~ NO",
                "true ~ YES",
                "(true || false) && !false ~ YES",
            })
    void answersTheFormsThatDriversPublish(String expression, DraCertainty expected) {
        assertThat(answer(expression)).isEqualTo(expected);
    }

    /** The scheduler gives up with an error where an attribute is missing, unless the other side decides. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "device.attributes['gpu.nvidia.com'].nothing == 'x' ~ MAYBE",
                "!(device.attributes['gpu.nvidia.com'].nothing == 'x') ~ MAYBE",
                "device.attributes['dra.example.com'].type == 'mig' ~ MAYBE",
                "device.attributes['gpu.nvidia.com'].nothing == 'x' && device.driver == 'other' ~ NO",
                "device.driver == 'gpu.nvidia.com' || device.attributes['gpu.nvidia.com'].nothing == 'x' ~ YES",
                "device.attributes['gpu.nvidia.com'].links == 'x' ~ MAYBE",
                "device.attributes['gpu.nvidia.com'].type ~ MAYBE",
                "device.attributes['gpu.nvidia.com'].type < 'n' ~ MAYBE",
                "device.attributes['gpu.nvidia.com'].nothing == device.attributes['gpu.nvidia.com'].nothing ~ MAYBE",
                "device.attributes['gpu.nvidia.com'].productName.matches('H100') ~ MAYBE",
                "device.driver.matches('gpu.*') && device.attributes['gpu.nvidia.com'].type == 'gpu' ~ NO",
                "device.attributes['gpu.nvidia.com'].productName.split(' ').exists(w, w == 'H100') ~ MAYBE",
                "cel.bind(dra, device.attributes['gpu.nvidia.com'], dra.type == 'gpu') ~ MAYBE",
                "[1, 2].all(x, x > 0) ~ MAYBE",
            })
    void saysMaybeWhereItCannotTell(String expression, DraCertainty expected) {
        assertThat(answer(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "device.driver ==",
                "device.driver == 'a",
                "device.driver = 'a'",
                "a ? b : c",
                "1 + 1 == 2",
                "1.5 == 1.5",
                "99999999999999999999 == 1",
                "device.attributes['a'].?b.orValue('') == 'x'",
                "device.driver == 'a' // comment",
                "device.driver == \"\"\"a\"\"\"",
                "device.driver == '\\u0041'",
                "a == b == c",
                "true \0",
                "((((",
                "[",
                "-",
                "!",
            })
    void doesNotReadOtherForms(String expression) {
        DeviceSelector selector = DeviceSelector.of(expression);
        assertThat(selector.isReadable()).isFalse();
        assertThat(selector.matches(DRIVER, DEVICE)).isEqualTo(DraCertainty.MAYBE);
    }

    @Test
    void isBoundedInDepthAndLength() {
        assertThat(answer("(".repeat(5_000) + "true" + ")".repeat(5_000))).isEqualTo(DraCertainty.MAYBE);
        assertThat(answer("!".repeat(10_000) + "true")).isEqualTo(DraCertainty.MAYBE);
        assertThat(answer("device" + ".a".repeat(5_000))).isEqualTo(DraCertainty.MAYBE);
        assertThat(answer("[".repeat(10_000))).isEqualTo(DraCertainty.MAYBE);
        assertThat(answer("true" + " ".repeat(20_000))).isEqualTo(DraCertainty.MAYBE);
        assertThat(DeviceSelector.of("x".repeat(100_000)).expression()).isEmpty();
    }

    @Test
    void tellsTheDriversThatItSpeaksOf() {
        assertThat(DeviceSelector.of("device.driver == 'a' && device.attributes['b'].c == 'd'")
                        .drivers())
                .containsExactly("a");
        assertThat(DeviceSelector.of("device.driver in ['a', 'b']").drivers()).containsExactlyInAnyOrder("a", "b");
        assertThat(DeviceSelector.of("'a' == device.driver").drivers()).containsExactly("a");
    }

    /** The example of semver.org. */
    @Test
    void ordersVersionsBySemver() {
        List<String> rising = List.of(
                "1.0.0-alpha",
                "1.0.0-alpha.1",
                "1.0.0-alpha.beta",
                "1.0.0-beta",
                "1.0.0-beta.2",
                "1.0.0-beta.11",
                "1.0.0-rc.1",
                "1.0.0",
                "1.0.1",
                "1.10.0",
                "2.0.0");
        for (int i = 0; i < rising.size(); i++) {
            for (int k = 0; k < rising.size(); k++) {
                String expression = "semver('" + rising.get(i) + "').compareTo(semver('" + rising.get(k) + "')) == "
                        + Integer.compare(i, k);
                assertThat(answer(expression)).as(expression).isEqualTo(DraCertainty.YES);
            }
        }
        assertThat(answer("semver('01.0.0') == semver('1.0.0')")).isEqualTo(DraCertainty.MAYBE);
        assertThat(answer("semver('1.0') == semver('1.0.0')")).isEqualTo(DraCertainty.MAYBE);
    }
}
