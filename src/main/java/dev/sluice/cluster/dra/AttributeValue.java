package dev.sluice.cluster.dra;

/** The value of an attribute of a DRA device. */
public sealed interface AttributeValue {

    record StringAttribute(String value) implements AttributeValue {}

    record IntAttribute(long value) implements AttributeValue {}

    record BoolAttribute(boolean value) implements AttributeValue {}

    record VersionAttribute(String value) implements AttributeValue {}

    /** The value is a list, or has a type that is unknown to Sluice. */
    record OtherAttribute() implements AttributeValue {}
}
