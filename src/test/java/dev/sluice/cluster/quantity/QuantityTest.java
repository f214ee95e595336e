package dev.sluice.cluster.quantity;

import static dev.sluice.cluster.quantity.KubernetesFacts.quantity;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @Test
    void readsRoundsAndPrintsAsKubernetesDoes() {
        List<String> disagreements = new ArrayList<>();
        for (List<String> fact : KubernetesFacts.rows("quantities.tsv")) {
            List<String> answers =
                    Quantity.parse(fact.getFirst()).map(QuantityTest::answers).orElse(List.of("refused"));
            List<String> ours = reliable(fact.getFirst(), answers);
            List<String> theirs = reliable(fact.getFirst(), fact.subList(1, fact.size()));
            if (!ours.equals(theirs)) {
                disagreements.add("\"" + fact.getFirst() + "\": " + ours + " instead of " + theirs);
            }
        }
        assertThat(disagreements).isEmpty();
    }

    /**
     * Kubernetes' own answers are wrong for some amounts that nobody can ask for: Value of {@code -1e-20} is 1, and
     * {@code 1000000000000000000k} is printed as {@code 1}.
     */
    private static List<String> reliable(String text, List<String> answers) {
        if (answers.size() < 3) {
            return answers;
        }
        return text.startsWith("-")
                ? List.of(answers.get(2))
                : answers.contains("beyond") ? answers.subList(0, 2) : answers;
    }

    /** Beyond an int64 Kubernetes' own numbers wrap around; ours stay at the end of the scale. */
    private static List<String> answers(Quantity quantity) {
        BigDecimal amount = quantity.amount();
        return List.of(
                answer(amount, quantity.value()),
                answer(amount.scaleByPowerOfTen(3), quantity.milliValue()),
                quantity.canonical());
    }

    private static String answer(BigDecimal exact, long given) {
        boolean above = exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
        boolean below = exact.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0;
        if (above || below) {
            assertThat(given).isEqualTo(above ? Long.MAX_VALUE : Long.MIN_VALUE);
            return "beyond";
        }
        return Long.toString(given);
    }

    @Test
    void comparesAndAddsAsKubernetesDoes() {
        List<String> disagreements = new ArrayList<>();
        for (List<String> fact : KubernetesFacts.rows("quantity-sums.tsv")) {
            Quantity a = quantity(fact.get(0));
            Quantity b = quantity(fact.get(1));
            String ours = Integer.signum(a.compareTo(b)) + "\t" + a.plus(b).text();
            String theirs = fact.get(2) + "\t" + fact.get(3);
            if (!ours.equals(theirs)) {
                disagreements.add(a + " and " + b + ": " + ours + " instead of " + theirs);
            }
        }
        assertThat(disagreements).isEmpty();
    }

    @Test
    void aSumCanBeReadAgainAndIsExact() {
        for (List<String> fact : KubernetesFacts.rows("quantity-sums.tsv")) {
            Quantity a = quantity(fact.get(0));
            Quantity b = quantity(fact.get(1));
            assertThat(a.plus(b).amount()).isEqualByComparingTo(a.amount().add(b.amount()));
            assertThat(a.plus(b))
                    .isEqualTo(b.plus(a))
                    .isEqualTo(Quantity.ZERO.plus(a).plus(b));
        }
    }

    @ParameterizedTest
    @CsvSource({"1000m, 1", "1024Mi, 1Gi", "1e3, 1k", "0, 0m", "+5, 5", "1.50, 1500m", "-0, 0"})
    void isEqualHoweverItWasWritten(String one, String other) {
        assertThat(quantity(one)).isEqualTo(quantity(other)).hasSameHashCodeAs(quantity(other));
        assertThat(quantity(one)).hasToString(one);
    }

    @Test
    void thirdsOfADeviceAreNotEqualToOne() {
        assertThat(quantity("1")).isNotEqualTo(quantity("999999999n")).isNotEqualTo(quantity("-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "1, true",
        "3000m, true",
        "3Ki, true",
        "0, true",
        "0.0, true",
        "-2, true",
        "1e-0, true",
        "2000000u, true",
        "0.5, false",
        "1500m, false",
        "1n, false",
        "0.5Ki, true",
        "0.3Ki, false"
    })
    void isWholeByItsAmount(String text, boolean whole) {
        assertThat(quantity(text).isWhole()).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e2147483647",
                "1e2147483648",
                "1e-2147483648",
                "1e-2147483649",
                "1e99999999",
                "1e-99999999",
                "1e20000",
                "1e2147483644",
                "12345678901234567890e2147483640",
                "1e-2147483640",
                "1E+999999999"
            })
    void anAbsurdExponentCostsNothingAndSaturates(String text) {
        for (Quantity absurd : List.of(quantity(text), quantity("-" + text))) {
            assertThat(Math.abs((double) absurd.value())).isIn(1.0, (double) Long.MAX_VALUE);
            assertThat(Math.abs((double) absurd.milliValue())).isIn(1.0, (double) Long.MAX_VALUE);
            assertThat(absurd.isNegative()).isEqualTo(absurd.value() < 0);
            assertThat(absurd.isZero()).isFalse();
            assertThat(absurd).isEqualTo(quantity(absurd.text())).isNotEqualTo(Quantity.ZERO);
            assertThat(absurd.canonical().length()).isLessThan(300);
            assertThat(absurd.plus(Quantity.ZERO)).isEqualTo(absurd);
            assertThat(absurd.compareTo(Quantity.of(1))).isEqualTo(absurd.value() == Long.MAX_VALUE ? 1 : -1);
        }
    }

    @Test
    void absurdExponentsAddUpWithoutExpandingThem() {
        Quantity large = quantity("1e999999999");
        assertThat(large.plus(Quantity.of(1)).value()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.of(1).plus(large).value()).isEqualTo(Long.MAX_VALUE);
        assertThat(large.plus(quantity("-1e999999998")).value()).isEqualTo(Long.MAX_VALUE);
    }

    /** Narrowed to 32 bits before it is used, so these are small numbers; so Kubernetes 1.36.3 answers, too. */
    @ParameterizedTest
    @CsvSource({
        "1e4294967296, 1", "1e4294967299, 1000", "1e-9223372036854775808, 1", "1e9223372036854775807, 0.1",
        "0e2147483647, 0", "0e-2147483648, 0", "0.00e2147483647, 0", "0e99999999, 0"
    })
    void anExponentIsNarrowedAsKubernetesNarrowsIt(String text, BigDecimal amount) {
        assertThat(quantity(text).amount()).isEqualByComparingTo(amount);
    }

    @Test
    void anExponentBeyond64BitsIsRefused() {
        assertThat(Quantity.parse("1e9223372036854775808")).isEmpty();
        assertThat(Quantity.parse("1e-9223372036854775809")).isEmpty();
    }

    /** The API server reads and stores numbers of any length, so whoever counts what pods hold must read them, too. */
    @Test
    void aTextOfAnyLengthIsRead() {
        assertThat(quantity("9".repeat(256)).value()).isEqualTo(Long.MAX_VALUE);
        assertThat(quantity("9".repeat(1_000_000)).value()).isEqualTo(Long.MAX_VALUE);
        assertThat(quantity("-" + "9".repeat(257)).milliValue()).isEqualTo(Long.MIN_VALUE);
        assertThat(quantity("0".repeat(1_000_000) + "12")).isEqualTo(quantity("12"));
        assertThat(quantity("0".repeat(10_000_000)).isZero()).isTrue();
        assertThat(quantity("0." + "0".repeat(1_000_000) + "1").value()).isEqualTo(1);
        assertThat(quantity("1." + "0".repeat(1_000_000) + "1").milliValue()).isEqualTo(1_001);
        assertThat(quantity("1." + "0".repeat(1_000_000))).isEqualTo(quantity("1"));
        assertThat(quantity("9".repeat(1_000) + "e-990").value()).isEqualTo(10_000_000_000L);
        assertThat(quantity("3".repeat(300)).plus(quantity("1")).value()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.parse("9".repeat(257) + "x")).isEmpty();
        assertThat(Quantity.parse("1e" + "9".repeat(300))).isEmpty();
    }
}
