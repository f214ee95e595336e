package dev.sluice.cluster;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Amounts per resource in the scheduler's units: millicores of cpu, whole units of everything else, rounded up.
 * Immutable, sorted by name; a resource that is not there counts as 0. Sums saturate instead of wrapping.
 */
public final class Amounts implements ResourceSums<Amounts> {

    public static final Amounts NONE = new Amounts(new ResourceName[0], new long[0]);

    private final ResourceName[] names;
    private final long[] values;

    private Amounts(ResourceName[] names, long[] values) {
        this.names = names;
        this.values = values;
    }

    public static Amounts of(ResourceName name, long amount) {
        return new Amounts(new ResourceName[] {name}, new long[] {amount});
    }

    /** From a resource map, cpu in millicores. */
    public static Amounts of(Map<ResourceName, Quantity> quantities) {
        if (quantities.isEmpty()) {
            return NONE;
        }
        ResourceName[] names = quantities.keySet().toArray(new ResourceName[0]);
        Arrays.sort(names);
        long[] values = new long[names.length];
        for (int i = 0; i < names.length; i++) {
            Quantity quantity = quantities.get(names[i]);
            values[i] = quantity == null ? 0 : inUnits(names[i], quantity);
        }
        return new Amounts(names, values);
    }

    /** A quantity of {@code name} in the unit that amounts of it have. */
    public static long inUnits(ResourceName name, Quantity quantity) {
        return name.equals(ResourceName.CPU) ? quantity.milliValue() : quantity.value();
    }

    public long get(ResourceName name) {
        int at = Arrays.binarySearch(names, name);
        return at < 0 ? 0 : values[at];
    }

    public boolean isEmpty() {
        return names.length == 0;
    }

    /** Resource by resource, this is at least {@code need}; what is needed 0 times is not looked at. */
    public boolean covers(Amounts need) {
        for (int i = 0; i < need.names.length; i++) {
            if (need.values[i] > 0 && get(need.names[i]) < need.values[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Amounts plus(Amounts other) {
        return merge(other, Amounts::saturatedSum);
    }

    @Override
    public Amounts max(Amounts other) {
        return merge(other, Math::max);
    }

    @Override
    public Amounts replacedBy(Amounts others) {
        return only(name -> Arrays.binarySearch(others.names, name) < 0).plus(others);
    }

    static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    private Amounts merge(Amounts other, LongBinaryOperator combine) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        if (Arrays.equals(names, other.names)) {
            long[] sums = new long[values.length];
            Arrays.setAll(sums, i -> combine.applyAsLong(values[i], other.values[i]));
            return new Amounts(names, sums);
        }
        TreeMap<ResourceName, Long> merged = new TreeMap<>();
        forEach(merged::put);
        other.forEach((name, value) -> merged.put(name, combine.applyAsLong(get(name), value)));
        return fromSorted(merged);
    }

    @Override
    public Amounts only(Predicate<ResourceName> wanted) {
        ResourceName[] keptNames = new ResourceName[names.length];
        long[] keptValues = new long[names.length];
        int kept = 0;
        for (int i = 0; i < names.length; i++) {
            if (wanted.test(names[i])) {
                keptNames[kept] = names[i];
                keptValues[kept] = values[i];
                kept++;
            }
        }
        return kept == names.length
                ? this
                : new Amounts(Arrays.copyOf(keptNames, kept), Arrays.copyOf(keptValues, kept));
    }

    private static Amounts fromSorted(Map<ResourceName, Long> sorted) {
        return new Amounts(
                sorted.keySet().toArray(new ResourceName[0]),
                sorted.values().stream().mapToLong(Long::longValue).toArray());
    }

    /** Of the resources needed at all, the one with the smallest {@code size}. */
    Optional<ResourceName> smallestBy(ToIntFunction<ResourceName> size) {
        ResourceName smallest = null;
        for (int i = 0; i < names.length; i++) {
            if (values[i] > 0 && (smallest == null || size.applyAsInt(names[i]) < size.applyAsInt(smallest))) {
                smallest = names[i];
            }
        }
        return Optional.ofNullable(smallest);
    }

    /** In the order of the names. */
    public void forEach(ObjLongConsumer<ResourceName> action) {
        for (int i = 0; i < names.length; i++) {
            action.accept(names[i], values[i]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Amounts that && Arrays.equals(names, that.names) && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        forEach((name, value) -> text.append(text.length() > 1 ? ", " : "")
                .append(name)
                .append(": ")
                .append(value));
        return text.append('}').toString();
    }
}
