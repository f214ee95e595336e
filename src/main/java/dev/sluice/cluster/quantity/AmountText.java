package dev.sluice.cluster.quantity;

import dev.sluice.text.Counted;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats amounts for people: cores, {@code 1.5Gi}, devices. */
public final class AmountText {

    private static final int CPU_SCALE = 3;
    private static final BigDecimal STEP = BigDecimal.valueOf(1024);
    private static final String[] UNITS = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

    private AmountText() {}

    /** Takes cpu in millicores, memory and storage in bytes. */
    public static String of(ResourceName resource, long amount) {
        if (resource.equals(ResourceName.CPU)) {
            return String.format(Locale.ROOT, "%,.3f", BigDecimal.valueOf(amount, CPU_SCALE))
                    .replaceFirst("\\.?0+$", "");
        }
        return isBytes(resource) ? bytes(amount) : Counted.number(amount);
    }

    /** The same without a comma between thousands, for text in which programs look for numbers. */
    public static String plain(ResourceName resource, long amount) {
        return of(resource, amount).replace(",", "");
    }

    private static boolean isBytes(ResourceName resource) {
        return resource.equals(ResourceName.MEMORY)
                || resource.equals(ResourceName.EPHEMERAL_STORAGE)
                || resource.value().startsWith("hugepages-");
    }

    /** Rounded down to a tenth, so that no more is shown than there is. */
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
