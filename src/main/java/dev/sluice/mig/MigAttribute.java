package dev.sluice.mig;

/** The attribute of a profile, spelled as in a resource name, where {@code +} becomes a dot. */
public enum MigAttribute {
    NONE(""),
    /** The GPU's extra set of media engines; one instance per GPU gets it. */
    MEDIA(".me"),
    ALL_MEDIA(".me.all"),
    GRAPHICS(".gfx"),
    WITHOUT_MEDIA("-me");

    private final String suffix;

    MigAttribute(String suffix) {
        this.suffix = suffix;
    }

    public String suffix() {
        return suffix;
    }

    static MigAttribute ofSuffix(String suffix) {
        String dotted = suffix.replace('+', '.');
        for (MigAttribute attribute : values()) {
            if (attribute.suffix.equals(dotted)) {
                return attribute;
            }
        }
        throw new IllegalArgumentException("no MIG attribute: " + suffix);
    }
}
