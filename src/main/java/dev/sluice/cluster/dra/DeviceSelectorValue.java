package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A value in the evaluation of a CEL expression. */
sealed interface DeviceSelectorValue {

    /** Returns the value for a part of an expression that Sluice cannot evaluate, or that results in an error. */
    static DeviceSelectorValue unknown() {
        return new Truth(DraCertainty.MAYBE);
    }

    record Truth(DraCertainty certainty) implements DeviceSelectorValue {}

    record WholeNumber(long value) implements DeviceSelectorValue {}

    record StringValue(String value) implements DeviceSelectorValue {}

    record VersionNumber(DeviceAttributeVersion value) implements DeviceSelectorValue {}

    record QuantityValue(Quantity value) implements DeviceSelectorValue {}

    record Choices(List<DeviceSelectorValue> values) implements DeviceSelectorValue {}

    /** The value of the CEL variable {@code device}. */
    record WholeDevice() implements DeviceSelectorValue {}

    enum FieldKind {
        ATTRIBUTES,
        CAPACITY
    }

    /** The value of {@code device.attributes} or {@code device.capacity}: a map whose keys are domains. */
    record Domains(FieldKind kind) implements DeviceSelectorValue {}

    /** The value of {@code device.attributes["domain"]}. It is an empty map if no attribute has this domain. */
    record DomainFields(FieldKind kind, String domain) implements DeviceSelectorValue {}

    static DeviceSelectorValue of(AttributeValue value) {
        return switch (value) {
            case AttributeValue.StringAttribute(String text) -> new StringValue(text);
            case AttributeValue.IntAttribute(long number) -> new WholeNumber(number);
            case AttributeValue.BoolAttribute(boolean flag) -> of(flag);
            case AttributeValue.VersionAttribute(String text) ->
                DeviceAttributeVersion.parse(text)
                        .<DeviceSelectorValue>map(VersionNumber::new)
                        .orElse(unknown());
            case AttributeValue.OtherAttribute() -> unknown();
        };
    }

    static DeviceSelectorValue of(boolean answer) {
        return new Truth(DraCertainty.of(answer));
    }

    /**
     * Returns this value as the boolean result of an expression. Returns {@link DraCertainty#MAYBE} if the value is not
     * a boolean.
     */
    default DraCertainty truth() {
        return this instanceof Truth(DraCertainty certainty) ? certainty : DraCertainty.MAYBE;
    }

    /**
     * Returns whether this value equals {@code other}. As in CEL, simple values of different types are not equal. Two
     * versions or two quantities are equal if {@link #order} is 0. The result of all other comparisons is
     * {@link DraCertainty#MAYBE}.
     */
    default DraCertainty equalTo(DeviceSelectorValue other) {
        if (isPlain() && other.isPlain()) {
            return DraCertainty.of(equals(other));
        }
        OptionalInt order = order(other);
        return order.isEmpty() ? DraCertainty.MAYBE : DraCertainty.of(order.getAsInt() == 0);
    }

    private boolean isPlain() {
        return switch (this) {
            case Truth(DraCertainty certainty) -> certainty != DraCertainty.MAYBE;
            case WholeNumber _, StringValue _ -> true;
            case VersionNumber _, QuantityValue _, Choices _, WholeDevice _, Domains _, DomainFields _ -> false;
        };
    }

    /** Compares this value with {@code other}. Returns empty unless both values are versions or both are quantities. */
    default OptionalInt order(DeviceSelectorValue other) {
        if (this instanceof VersionNumber(DeviceAttributeVersion a)
                && other instanceof VersionNumber(DeviceAttributeVersion b)) {
            return OptionalInt.of(a.compareTo(b));
        }
        if (this instanceof QuantityValue(Quantity a) && other instanceof QuantityValue(Quantity b)) {
            return OptionalInt.of(a.compareTo(b));
        }
        return OptionalInt.empty();
    }

    default Optional<String> text() {
        return this instanceof StringValue(String value) ? Optional.of(value) : Optional.empty();
    }
}
