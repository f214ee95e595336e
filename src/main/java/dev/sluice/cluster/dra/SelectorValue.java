package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A value inside an expression. */
sealed interface SelectorValue {

    /** A value that Sluice cannot tell, or an error. */
    static SelectorValue unknown() {
        return new Truth(Certainty.MAYBE);
    }

    record Truth(Certainty certainty) implements SelectorValue {}

    record WholeNumber(long value) implements SelectorValue {}

    record StringValue(String value) implements SelectorValue {}

    record VersionNumber(SemanticVersion value) implements SelectorValue {}

    record QuantityValue(Quantity value) implements SelectorValue {}

    record Choices(List<SelectorValue> values) implements SelectorValue {}

    /** {@code device}. */
    record WholeDevice() implements SelectorValue {}

    enum FieldKind {
        ATTRIBUTES,
        CAPACITY
    }

    /** {@code device.attributes} or {@code device.capacity}. */
    record Domains(FieldKind kind) implements SelectorValue {}

    /** {@code device.attributes["domain"]}. A domain that no name has is an empty map. */
    record DomainFields(FieldKind kind, String domain) implements SelectorValue {}

    static SelectorValue of(AttributeValue value) {
        return switch (value) {
            case AttributeValue.StringAttribute(String text) -> new StringValue(text);
            case AttributeValue.IntAttribute(long number) -> new WholeNumber(number);
            case AttributeValue.BoolAttribute(boolean flag) -> of(flag);
            case AttributeValue.VersionAttribute(String text) ->
                SemanticVersion.parse(text)
                        .<SelectorValue>map(VersionNumber::new)
                        .orElse(unknown());
            case AttributeValue.OtherAttribute() -> unknown();
        };
    }

    static SelectorValue of(boolean answer) {
        return new Truth(Certainty.of(answer));
    }

    /** Returns the value as the result of an expression or of a part of it; "maybe" if it is not a boolean. */
    default Certainty truth() {
        return this instanceof Truth(Certainty certainty) ? certainty : Certainty.MAYBE;
    }

    /** Returns whether both are equal. CEL compares plain values of any types, and versions and quantities not. */
    default Certainty equalTo(SelectorValue other) {
        if (isPlain() && other.isPlain()) {
            return Certainty.of(equals(other));
        }
        OptionalInt order = order(other);
        return order.isEmpty() ? Certainty.MAYBE : Certainty.of(order.getAsInt() == 0);
    }

    private boolean isPlain() {
        return switch (this) {
            case Truth(Certainty certainty) -> certainty != Certainty.MAYBE;
            case WholeNumber _, StringValue _ -> true;
            case VersionNumber _, QuantityValue _, Choices _, WholeDevice _, Domains _, DomainFields _ -> false;
        };
    }

    /** Returns the order of two versions or of two quantities; empty for other values. */
    default OptionalInt order(SelectorValue other) {
        if (this instanceof VersionNumber(SemanticVersion a) && other instanceof VersionNumber(SemanticVersion b)) {
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
