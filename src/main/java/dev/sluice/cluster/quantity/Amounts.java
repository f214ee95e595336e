package dev.sluice.cluster.quantity;

import dev.sluice.text.TextWeight;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongBinaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/**
 * Immutable amounts of resources in the units of kube-scheduler: millicores for cpu, and whole units for all other
 * resources. Fractions are rounded up. The amounts are sorted by name, and a missing resource counts as 0. A sum that
 * would overflow becomes the largest or smallest {@code long}.
 */
public final class Amounts implements ResourceArithmetic<Amounts> {

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

    /** Creates amounts from numbers that are already in the scheduler's units. */
    public static Amounts ofUnits(SortedMap<ResourceName, Long> amounts) {
        ResourceName[] names = amounts.keySet().toArray(new ResourceName[0]);
        long[] values = amounts.values().stream().mapToLong(Long::longValue).toArray();
        return names.length == 0 ? NONE : new Amounts(names, values);
    }

    /** Converts a quantity to the scheduler's unit for the resource {@code name}. */
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

    public int size() {
        return names.length;
    }

    /** Returns the sum of all amounts. */
    public long sum() {
        long sum = 0;
        for (long value : values) {
            sum = saturatedSum(sum, value);
        }
        return sum;
    }

    public boolean isZero() {
        return !anyMatch((_, value) -> value != 0);
    }

    /** Returns true if the resource is present, even if its amount is 0. */
    public boolean has(ResourceName name) {
        return Arrays.binarySearch(names, name) >= 0;
    }

    /** Returns a copy in which each amount is limited to the range from {@code least} to {@code most}. */
    public Amounts within(long least, long most) {
        for (long value : values) {
            if (value < least || value > most) {
                long[] bounded = new long[values.length];
                Arrays.setAll(bounded, i -> Math.clamp(values[i], least, most));
                return new Amounts(names, bounded);
            }
        }
        return this;
    }

    /** Returns the approximate memory of this object in bytes. */
    public long weight() {
        long weight = 0;
        for (ResourceName name : names) {
            weight += TextWeight.of(name.value());
        }
        return weight;
    }

    /**
     * Returns true if each amount is at least as large as the amount in {@code need}. Amounts of 0 or less in
     * {@code need} are always covered.
     */
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

    /** Returns these amounts minus the amounts in {@code other}. The results may be negative. */
    public Amounts minus(Amounts other) {
        if (other.isEmpty()) {
            return this;
        }
        long[] negated = new long[other.values.length];
        Arrays.setAll(negated, i -> other.values[i] == Long.MIN_VALUE ? Long.MAX_VALUE : -other.values[i]);
        return merge(new Amounts(other.names, negated), Amounts::saturatedSum);
    }

    @Override
    public Amounts max(Amounts other) {
        return merge(other, Math::max);
    }

    @Override
    public Amounts replacedBy(Amounts others) {
        return others.isEmpty()
                ? this
                : only(name -> Arrays.binarySearch(others.names, name) < 0).plus(others);
    }

    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    /**
     * Returns the product of two numbers that are at least 0. A product that would overflow is the largest
     * {@code long}.
     */
    public static long saturatedProduct(long amount, long times) {
        return times > 0 && amount > Long.MAX_VALUE / times ? Long.MAX_VALUE : amount * times;
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
        ResourceName[] bothNames = new ResourceName[names.length + other.names.length];
        long[] bothValues = new long[bothNames.length];
        int merged = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = mine == names.length
                    ? 1
                    : theirs == other.names.length ? -1 : names[mine].compareTo(other.names[theirs]);
            bothNames[merged] = order <= 0 ? names[mine] : other.names[theirs];
            long own = order <= 0 ? values[mine++] : 0;
            bothValues[merged] = order < 0 ? own : combine.applyAsLong(own, other.values[theirs++]);
            merged++;
        }
        return new Amounts(Arrays.copyOf(bothNames, merged), Arrays.copyOf(bothValues, merged));
    }

    @Override
    public Amounts only(Predicate<ResourceName> wanted) {
        return only((name, _) -> wanted.test(name));
    }

    public Amounts only(Condition wanted) {
        ResourceName[] keptNames = new ResourceName[names.length];
        long[] keptValues = new long[names.length];
        int kept = 0;
        for (int i = 0; i < names.length; i++) {
            if (wanted.holds(names[i], values[i])) {
                keptNames[kept] = names[i];
                keptValues[kept] = values[i];
                kept++;
            }
        }
        return kept == names.length
                ? this
                : new Amounts(Arrays.copyOf(keptNames, kept), Arrays.copyOf(keptValues, kept));
    }

    /**
     * Returns a copy with the name objects that {@code shared} returns. The copies take less memory if {@code shared}
     * returns one object for all equal names.
     */
    public Amounts named(UnaryOperator<ResourceName> shared) {
        ResourceName[] same = new ResourceName[names.length];
        Arrays.setAll(same, i -> shared.apply(names[i]));
        return new Amounts(same, values);
    }

    /** Returns the resource for which {@code size} is smallest. Resources with an amount of 0 or less are ignored. */
    public Optional<ResourceName> smallestBy(ToIntFunction<ResourceName> size) {
        ResourceName smallest = null;
        for (int i = 0; i < names.length; i++) {
            if (values[i] > 0 && (smallest == null || size.applyAsInt(names[i]) < size.applyAsInt(smallest))) {
                smallest = names[i];
            }
        }
        return Optional.ofNullable(smallest);
    }

    public boolean anyMatch(Condition condition) {
        for (int i = 0; i < names.length; i++) {
            if (condition.holds(names[i], values[i])) {
                return true;
            }
        }
        return false;
    }

    /** A condition on a resource and its amount. */
    public interface Condition {
        boolean holds(ResourceName name, long amount);
    }

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
        return "{" + listed() + "}";
    }

    /** Returns the amounts as text in a sentence, for example {@code cpu: 4, nvidia.com/gpu: 1}. */
    public String listed() {
        StringBuilder text = new StringBuilder();
        forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append(": ")
                .append(value));
        return text.toString();
    }
}
