package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MIG profile, identified by its name: {@code 3g.40gb}, {@code 1g.10gb.me}, {@code 1c.3g.40gb}. The syntax is that of
 * go-nvlib (mig_profile.go).
 *
 * @param computePart the number before {@code c} in the name of a compute instance; 0 for a GPU instance
 * @param slices the number of compute slices of the GPU instance
 * @param memoryGb the rounded memory in the name, in GB
 */
public record MigProfile(int computePart, int slices, int memoryGb, MigAttribute attribute) {

    static final String RESOURCE_PREFIX = "nvidia.com/mig-";
    /**
     * The suffix that NVIDIA's device plugin appends to the name of a resource that is shared by time-slicing or MPS
     * ({@code renameByDefault}).
     */
    public static final String SHARED_SUFFIX = ".shared";

    private static final Pattern NAME = Pattern.compile(
            "(?:([1-9]\\d{0,2})c\\.)?([1-9]\\d{0,2})g\\.([1-9]\\d{0,4})gb([.+]me[.+]all|[.+]me|[.+]gfx|-me)?");

    /** Parses a name such as {@code 1g.10gb.me}, or {@code 1g.10gb+me} as nvidia-smi writes it. */
    public static Optional<MigProfile> parse(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String compute = matcher.group(1);
        String attribute = matcher.group(4);
        return Optional.of(new MigProfile(
                compute == null ? 0 : Integer.parseInt(compute),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                attribute == null ? MigAttribute.NONE : MigAttribute.ofSuffix(attribute)));
    }

    /** Returns the profile of a resource such as {@code nvidia.com/mig-1g.10gb}. The resource may be shared. */
    public static Optional<MigProfile> ofResource(ResourceName resource) {
        String value = resource.value();
        if (!value.startsWith(RESOURCE_PREFIX) || value.indexOf('+') >= 0) {
            return Optional.empty();
        }
        int end = value.endsWith(SHARED_SUFFIX) ? value.length() - SHARED_SUFFIX.length() : value.length();
        return end < RESOURCE_PREFIX.length()
                ? Optional.empty()
                : parse(value.substring(RESOURCE_PREFIX.length(), end));
    }

    /**
     * Returns the resource that the user probably meant by a misspelt name such as {@code nvidia.com/mig-2g-20gb} or
     * {@code nvidia.com/mig-2g20gb}. Returns empty if the name is correct, or is not similar to a known name.
     */
    static Optional<ResourceName> meant(ResourceName written) {
        String value = written.value();
        return !value.startsWith(RESOURCE_PREFIX) || ofResource(written).isPresent()
                ? Optional.empty()
                : parse(value.substring(RESOURCE_PREFIX.length())
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[-_.]", ".")
                                .replaceFirst("^(\\d+)[a-z]{0,2}\\.?(\\d+)[a-z]{0,3}(?=$|\\.)", "$1g.$2gb"))
                        .filter(MigTables::isKnown)
                        .map(MigProfile::resource);
    }

    /**
     * Returns true for a GPU instance, and false for a compute instance such as {@code 1c.3g.40gb}. The device plugin
     * does not register compute instances.
     */
    public boolean isWholeInstance() {
        return computePart == 0;
    }

    /** Returns the name of the resource that the device plugin registers. */
    public ResourceName resource() {
        return new ResourceName(RESOURCE_PREFIX + this);
    }

    @Override
    public String toString() {
        return (isWholeInstance() ? "" : computePart + "c.") + slices + "g." + memoryGb + "gb" + attribute.suffix();
    }

    /** The attribute of a profile. In the name of a resource, a dot replaces the {@code +} before the attribute. */
    public enum MigAttribute {
        NONE(""),
        /** The instance has the additional media engines of the GPU. Only one instance of a GPU can have them. */
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
}
