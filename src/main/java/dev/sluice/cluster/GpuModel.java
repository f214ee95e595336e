package dev.sluice.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The GPU models that support MIG, and the names of their profiles. The sources are NVIDIA's MIG User Guide and the
 * default configuration of mig-parted, unless a comment names another source.
 */
public enum GpuModel {
    A100_40("A100 40 GB, A800 40 GB", "1g.5gb 1g.5gb.me 1g.10gb 2g.10gb 3g.20gb 4g.20gb 7g.40gb", ""),
    A100_80("A100 80 GB, A800 80 GB", "1g.10gb 1g.10gb.me 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb", "7g.79gb"),
    H100_80("H100 80 GB, H800 80 GB", "1g.10gb 1g.10gb.me 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb", ""),
    H100_94("H100 NVL 94 GB, H800 NVL", "1g.12gb 1g.12gb.me 1g.24gb 2g.24gb 3g.47gb 4g.47gb 7g.94gb", ""),
    H100_96("H100, GH200 and H20 96 GB", "1g.12gb 1g.12gb.me 1g.24gb 2g.24gb 3g.48gb 4g.48gb 7g.96gb", ""),
    H200_141("H200 141 GB, H200 NVL, H20-3e", "1g.18gb 1g.18gb.me 1g.35gb 2g.35gb 3g.71gb 4g.71gb 7g.141gb", ""),
    GH200_144("GH200 144 GB", "1g.18gb 1g.18gb.me 1g.36gb 2g.36gb 3g.72gb 4g.72gb 7g.144gb", ""),
    B200("B200", "1g.23gb 1g.23gb.me 1g.45gb 2g.45gb 3g.90gb 4g.90gb 7g.180gb", ""),
    /**
     * Some drivers and ECC settings use other names for the profiles (mig-parted#227). The second text contains these
     * names.
     */
    GB200(
            "GB200",
            "1g.23gb 1g.23gb.me 1g.47gb 2g.47gb 3g.93gb 4g.93gb 7g.186gb",
            "1g.24gb 1g.24gb.me 3g.95gb 4g.95gb 7g.189gb"),
    B300("B300", "1g.34gb 1g.34gb.me 1g.67gb 2g.67gb 3g.135gb 4g.135gb 7g.269gb", ""),
    GB300("GB300", "1g.35gb 1g.35gb.me 1g.70gb 2g.70gb 3g.139gb 4g.139gb 7g.278gb", ""),
    /** The A30 has four slices and no 3g profile. */
    A30("A30", "1g.6gb 1g.6gb.me 2g.12gb 2g.12gb.me 4g.24gb", ""),
    RTX_PRO_6000(
            "RTX PRO 6000 Blackwell",
            "1g.24gb 1g.24gb.gfx 1g.24gb-me 1g.24gb.me 1g.24gb.me.all"
                    + " 2g.48gb 2g.48gb.gfx 2g.48gb-me 2g.48gb.me.all 4g.96gb 4g.96gb.gfx",
            ""),
    /**
     * The MIG User Guide says that this model has two slices. The names of the profiles are derived from its memory,
     * and their attributes are those of the RTX PRO 6000.
     */
    RTX_PRO_5000(
            "RTX PRO 5000 Blackwell 48 GB",
            "1g.24gb 1g.24gb.gfx 1g.24gb-me 1g.24gb.me 1g.24gb.me.all 2g.48gb 2g.48gb.gfx",
            ""),
    RTX_PRO_5000_72(
            "RTX PRO 5000 Blackwell 72 GB",
            "1g.36gb 1g.36gb.gfx 1g.36gb-me 1g.36gb.me 1g.36gb.me.all 2g.72gb 2g.72gb.gfx",
            ""),
    /** Only the documentation of NVIDIA vGPU lists the profiles of this model. */
    RTX_PRO_4500("RTX PRO 4500 Server Edition", "1g.16gb 2g.32gb", "");

    private final String title;
    private final String profiles;
    private final String otherNames;

    GpuModel(String title, String profiles, String otherNames) {
        this.title = title;
        this.profiles = profiles;
        this.otherNames = otherNames;
    }

    public String title() {
        return title;
    }

    /** Returns the profiles with the names in NVIDIA's tables. */
    public List<MigProfile> profiles() {
        return parseAll(profiles);
    }

    /** Returns the profiles, followed by other names that nodes with some drivers have reported. */
    public Stream<MigProfile> seen() {
        return Stream.concat(parseAll(profiles).stream(), parseAll(otherNames).stream());
    }

    private static List<MigProfile> parseAll(String names) {
        return Arrays.stream(names.split(" "))
                .filter(name -> !name.isEmpty())
                .map(name -> MigProfile.parse(name).orElseThrow())
                .toList();
    }
}
