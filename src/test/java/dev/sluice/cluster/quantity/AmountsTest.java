package dev.sluice.cluster.quantity;

import static dev.sluice.cluster.quantity.KubernetesFacts.quantity;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {

    private static final List<ResourceName> NAMES = List.of(
            ResourceName.CPU, ResourceName.MEMORY, ResourceName.NVIDIA_GPU, new ResourceName("nvidia.com/mig-1g.10gb"));

    private static Amounts random(Random random) {
        Map<ResourceName, Quantity> quantities = new HashMap<>();
        for (ResourceName name : NAMES) {
            if (random.nextBoolean()) {
                quantities.put(name, Quantity.of(random.nextInt(20) == 0 ? Long.MAX_VALUE : random.nextInt(5)));
            }
        }
        return Amounts.of(quantities);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumAndMaximumDependOnNoOrder(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Amounts a = random(random);
            Amounts b = random(random);
            Amounts c = random(random);
            assertThat(a.plus(b)).isEqualTo(b.plus(a)).hasSameHashCodeAs(b.plus(a));
            assertThat(a.max(b)).isEqualTo(b.max(a));
            assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
            assertThat(a.max(b).max(c)).isEqualTo(a.max(b.max(c)));
            assertThat(a.plus(Amounts.NONE)).isEqualTo(a).isEqualTo(Amounts.NONE.plus(a));
            assertThat(a.max(a)).isEqualTo(a);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void coversResourceByResource(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            Amounts have = random(random);
            Amounts need = random(random);
            boolean enough = NAMES.stream().allMatch(name -> need.get(name) <= have.get(name));
            assertThat(have.covers(need)).as("%s for %s", have, need).isEqualTo(enough);
            assertThat(have.max(need).covers(need)).isTrue();
            assertThat(have.plus(need).covers(have)).isTrue();
            for (ResourceName name : NAMES) {
                assertThat(have.plus(need).get(name)).isEqualTo(Amounts.saturatedSum(have.get(name), need.get(name)));
                assertThat(have.only(name::equals).get(name)).isEqualTo(have.get(name));
                assertThat(have.only(name::equals).plus(have.only(other -> !other.equals(name))))
                        .isEqualTo(have);
            }
        }
    }

    @Test
    void sumsSaturateInsteadOfWrapping() {
        Amounts most = Amounts.of(ResourceName.NVIDIA_GPU, Long.MAX_VALUE);
        Amounts one = Amounts.of(ResourceName.NVIDIA_GPU, 1);
        assertThat(most.plus(one)).isEqualTo(most);
        assertThat(Amounts.saturatedSum(Long.MIN_VALUE, -1)).isEqualTo(Long.MIN_VALUE);
        assertThat(Amounts.saturatedSum(Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(-1);
    }

    @Test
    void cpuCountsInThousandthsAndTheRestInWholeUnitsRoundedUp() {
        Amounts amounts = Amounts.of(Map.of(
                ResourceName.CPU, quantity("1.0001"),
                ResourceName.MEMORY, quantity("1500m"),
                ResourceName.NVIDIA_GPU, quantity("2")));
        assertThat(amounts).hasToString("{cpu: 1001, memory: 2, nvidia.com/gpu: 2}");
    }

    @Test
    void aResourceOfZeroIsNeededByNobody() {
        Amounts zero = Amounts.of(ResourceName.NVIDIA_GPU, 0);
        assertThat(Amounts.NONE.covers(zero)).isTrue();
        assertThat(Amounts.of(ResourceName.NVIDIA_GPU, -3).covers(zero)).isTrue();
        assertThat(Amounts.of(ResourceName.NVIDIA_GPU, 1).covers(Amounts.of(ResourceName.NVIDIA_GPU, 2)))
                .isFalse();
    }
}
