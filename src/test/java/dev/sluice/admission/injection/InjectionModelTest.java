package dev.sluice.admission.injection;

import static dev.sluice.admission.injection.Pods.GPU;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injection.Injected;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Refused;
import dev.sluice.admission.injection.InjectionPodResources.Container;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arithmetic against fractions of whole numbers, which know nothing of decimals and quantities. */
class InjectionModelTest {

    private static final int INPUTS_PER_SEED = 100_000;
    private static final String[] UNITS = {"", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "u", "e3"};
    private static final ResourceName SHM = new ResourceName("nvidia.com/shm");

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    /** A fraction {@code units × numerator / denominator}. */
    private record Fraction(BigInteger numerator, BigInteger denominator) {

        BigInteger floor() {
            return numerator.divide(denominator);
        }

        Fraction times(BigInteger factor) {
            return new Fraction(numerator.multiply(factor), denominator);
        }
    }

    private record Input(String coefficient, Fraction fraction, String unit, List<Long> gpus, List<String> others) {}

    private static final class Inputs {

        private final Random random;

        Inputs(long seed) {
            this.random = new Random(seed);
        }

        Input next() {
            long digits = random.nextInt(4) == 0 ? random.nextLong(1_000_000_000_000L) : random.nextInt(10_000);
            int decimals = random.nextInt(6);
            int exponent = random.nextInt(3) == 0 ? random.nextInt(7) - 3 : 0;
            String text = decimal(digits, decimals) + (exponent == 0 ? "" : "e" + exponent);
            int shift = exponent - decimals;
            Fraction fraction = new Fraction(
                    BigInteger.valueOf(digits).multiply(BigInteger.TEN.pow(Math.max(0, shift))),
                    BigInteger.TEN.pow(Math.max(0, -shift)));
            String unit = UNITS[random.nextInt(UNITS.length)];
            List<Long> gpus = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                gpus.add(random.nextInt(20) == 0 ? 1 + random.nextLong(5_000_000) : 1 + random.nextInt(8));
            }
            List<String> others = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                others.add(random.nextInt(1 + random.nextInt(1 + (int) Math.min(digits * 4 + 1, 1 << 30))) + unit);
            }
            return new Input(text, fraction, unit, gpus, others);
        }

        private static String decimal(long digits, int decimals) {
            String padded =
                    "0".repeat(Math.max(0, decimals + 1 - Long.toString(digits).length())) + digits;
            int point = padded.length() - decimals;
            return decimals == 0 ? padded : padded.substring(0, point) + "." + padded.substring(point);
        }
    }

    private static Fraction unit(String unit) {
        int at = List.of(UNITS).indexOf(unit);
        return switch (unit) {
            case "m" -> new Fraction(BigInteger.ONE, BigInteger.valueOf(1_000));
            case "u" -> new Fraction(BigInteger.ONE, BigInteger.valueOf(1_000_000));
            case "Ki", "Mi", "Gi", "Ti" -> whole(BigInteger.TWO.pow(10 * (at - 4)));
            case "e3" -> whole(BigInteger.valueOf(1_000));
            default -> whole(BigInteger.valueOf(1_000).pow(at < 2 ? 0 : at - 1));
        };
    }

    private static Fraction whole(BigInteger number) {
        return new Fraction(number, BigInteger.ONE);
    }

    private static InjectionPodResources pod(Input input, ResourceName resource) {
        List<Container> containers = new ArrayList<>();
        for (long gpus : input.gpus()) {
            containers.add(container(Map.of(GPU, Quantity.of(gpus))));
        }
        for (String other : input.others()) {
            containers.add(container(Map.of(resource, Pods.quantity(other))));
        }
        return new InjectionPodResources("team-a", "V100", containers, Set.of(), "");
    }

    private static Container container(Map<ResourceName, Quantity> both) {
        return new Container(PodContainerKind.MAIN, "c", both, both);
    }

    private static Injector injector(Input input, ResourceName resource) {
        return Pods.injector(new InjectionRule(
                List.of(new InjectionResourceRule(
                        resource,
                        InjectionCoefficient.parse(input.coefficient()).orElseThrow(),
                        InjectionResourceRule.Unit.of(input.unit()).orElseThrow())),
                Map.of()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sharesAsFractionsDo(long seed) {
        Inputs inputs = new Inputs(seed);
        int given = 0;
        for (int i = 0; i < INPUTS_PER_SEED; i++) {
            Input input = inputs.next();
            Injection injection = injector(input, ResourceName.CPU).inject(pod(input, ResourceName.CPU));
            String said = said(injection);
            String expected = shared(input);
            if (!said.equals(expected)) {
                assertThat(said).as("%s", input).isEqualTo(expected);
            }
            given += injection instanceof Injected ? 1 : 0;
        }
        assertThat(given).as("most inputs must say something").isGreaterThan(INPUTS_PER_SEED / 3);
    }

    /** In thousandths, one number for each GPU container; or the refusal. */
    private static String said(Injection injection) {
        return switch (injection) {
            case Injection.NothingInjected _ -> "None";
            case Refused(Refusal refusal) -> refusal.getClass().getSimpleName();
            case Injected given -> {
                StringBuilder text = new StringBuilder();
                for (Portion portion : given.lines().getFirst().portions()) {
                    text.append(portion.request().amount().movePointRight(3).toBigIntegerExact())
                            .append(' ');
                }
                yield text.toString();
            }
        };
    }

    private static String shared(Input input) {
        BigInteger gpus = BigInteger.valueOf(
                input.gpus().stream().mapToLong(Long::longValue).sum());
        // In millionths, the finest unit there is here.
        BigInteger total = micro(input.fraction().times(gpus).floor(), input.unit());
        if (total.compareTo(BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.valueOf(1_000))) > 0) {
            return "Overflow";
        }
        BigInteger left = total;
        for (String other : input.others()) {
            String number = other.substring(0, other.length() - input.unit().length());
            left = left.subtract(micro(new BigInteger(number), input.unit()));
        }
        if (left.signum() < 0) {
            return "TooLarge";
        }
        BigInteger perGpu = left.divide(BigInteger.valueOf(1_000)).divide(gpus);
        StringBuilder text = new StringBuilder();
        for (long own : input.gpus()) {
            text.append(perGpu.multiply(BigInteger.valueOf(own))).append(' ');
        }
        return text.toString();
    }

    private static BigInteger micro(BigInteger units, String unit) {
        return unit(unit).times(units.multiply(BigInteger.valueOf(1_000_000))).floor();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverGivesMoreThanTheTotalAndTwiceIsOnce(long seed) {
        Inputs inputs = new Inputs(seed + 100);
        for (int i = 0; i < INPUTS_PER_SEED / 20; i++) {
            Input input = inputs.next();
            Injector injector = injector(input, ResourceName.CPU);
            InjectionPodResources pod = pod(input, ResourceName.CPU);
            if (injector.inject(pod) instanceof Injected given) {
                var basis = (Injection.Basis.Shared) given.lines().getFirst().basis();
                Quantity sum = given.lines().getFirst().portions().stream()
                        .map(Portion::limit)
                        .reduce(Quantity.ZERO, Quantity::plus);
                assertThat(sum).as("%s", input).isLessThanOrEqualTo(basis.left());
                assertThat(basis.left()).isLessThanOrEqualTo(basis.total());
                assertThat(injector.inject(Pods.given(pod, given)))
                        .as("%s", input)
                        .isEqualTo(given);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moreGpusNeverGetLess(long seed) {
        Inputs inputs = new Inputs(seed + 200);
        for (int i = 0; i < INPUTS_PER_SEED / 100; i++) {
            Input input = inputs.next();
            for (ResourceName resource : List.of(ResourceName.CPU, SHM)) {
                InjectionResourceRule rule = injector(input, resource)
                        .rules()
                        .rule("", "V100", GPU)
                        .orElseThrow()
                        .rule()
                        .resources()
                        .getFirst();
                Quantity before = Quantity.ZERO;
                for (long gpus = 1; gpus < 20; gpus++) {
                    Quantity amount = rule.amountFor(gpus).orElse(before);
                    assertThat(amount).as("%s × %s", input, gpus).isGreaterThanOrEqualTo(before);
                    before = amount;
                }
            }
        }
    }
}
