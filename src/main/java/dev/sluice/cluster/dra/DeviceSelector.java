package dev.sluice.cluster.dra;

import java.util.Optional;
import java.util.Set;

/**
 * A selector of a DeviceClass: a CEL expression about one device. Sluice evaluates the forms of expressions that are
 * common in the manifests of drivers. For every other form, the result is {@link DraCertainty#MAYBE}. This is also the
 * result if the scheduler would fail with an error, for example because the device lacks an attribute.
 */
public final class DeviceSelector {

    private final String expression;
    private final Optional<DeviceSelectorTerm> term;
    private final Set<String> drivers;

    private DeviceSelector(String expression, Optional<DeviceSelectorTerm> term, Set<String> drivers) {
        this.expression = expression;
        this.term = term;
        this.drivers = Set.copyOf(drivers);
    }

    public static DeviceSelector of(String expression) {
        DeviceSelectorParser parser = new DeviceSelectorParser(expression);
        Optional<DeviceSelectorTerm> term = parser.parse();
        return new DeviceSelector(parser.isTooLong() ? "" : expression, term, parser.drivers());
    }

    /** Returns true if Sluice can parse the expression, even if it cannot evaluate every part of it. */
    public boolean isReadable() {
        return term.isPresent();
    }

    /** Returns the text of the expression. Returns an empty text if the expression is longer than Kubernetes allows. */
    public String expression() {
        return expression;
    }

    /** Returns the drivers with which the expression compares {@code device.driver}. */
    public Set<String> drivers() {
        return drivers;
    }

    /** Returns whether the expression is true for this device of this driver. */
    public DraCertainty matches(String driver, Device device) {
        return matches(DeviceSelectorInput.of(driver, device));
    }

    DraCertainty matches(DeviceSelectorInput input) {
        return term.map(known -> known.of(input).truth()).orElse(DraCertainty.MAYBE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeviceSelector that && expression.equals(that.expression);
    }

    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    @Override
    public String toString() {
        return expression;
    }
}
