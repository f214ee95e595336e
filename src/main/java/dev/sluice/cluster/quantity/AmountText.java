package dev.sluice.cluster.quantity;

import dev.sluice.text.CountText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats amounts for people, for example {@code 1.5} cores or {@code 1.5Gi}. */
public final class AmountText {

    private static final int CPU_SCALE = 3;
    private static final BigDecimal STEP = BigDecimal.valueOf(1024);
    private static final String[] UNITS = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

    private AmountText() {}

    /** Formats an amount. The unit is millicores for cpu and bytes for memory and storage. */
    public static String of(ResourceName resource, long amount) {
        if (resource.equals(ResourceName.CPU)) {
            return String.format(Locale.ROOT, "%,.3f", BigDecimal.valueOf(amount, CPU_SCALE))
                    .replaceFirst("\\.?0+$", "");
        }
        return isBytes(resource) ? bytes(amount) : CountText.number(amount);
    }

    /** Formats an amount without a comma between thousands, for text that programs parse. */
    public static String plain(ResourceName resource, long amount) {
        return of(resource, amount).replace(",", "");
    }

    private static boolean isBytes(ResourceName resource) {
        return resource.equals(ResourceName.MEMORY)
                || resource.equals(ResourceName.EPHEMERAL_STORAGE)
                || resource.value().startsWith("hugepages-");
    }

    /** Formats bytes. The number is rounded down to a tenth, so that the text never shows more than the real amount. */
    private static String bytes(long amount) {
        BigDecimal number = BigDecimal.valueOf(amount);
        int unit = 0;
        while (unit < UNITS.length - 1 && number.abs().compareTo(STEP) >= 0) {
            number = number.divide(STEP);
            unit++;
        }
        String tenths = number.setScale(1, RoundingMode.FLOOR).toPlainString();
        return tenths.replaceFirst("\\.0$", "") + UNITS[unit];
    }
}
