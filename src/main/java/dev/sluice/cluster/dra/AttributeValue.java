package dev.sluice.cluster.dra;

/** The value of an attribute of a device. */
public sealed interface AttributeValue {

    record StringAttribute(String value) implements AttributeValue {}

    record IntAttribute(long value) implements AttributeValue {}

    record BoolAttribute(boolean value) implements AttributeValue {}

    record VersionAttribute(String value) implements AttributeValue {}

    /** A list, or a type of value that Sluice does not know. */
    record OtherAttribute() implements AttributeValue {}
}
