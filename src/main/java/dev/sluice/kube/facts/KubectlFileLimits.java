package dev.sluice.kube.facts;

/**
 * Limits what is read from files. A file may come from somebody whom the administrator does not trust, and a small
 * compressed file can contain gigabytes.
 *
 * @param factBytes the memory that the facts from all files may take, in bytes
 * @param textBytes the maximum total length of all files after decompression, in bytes
 */
public record KubectlFileLimits(long factBytes, long textBytes) {

    /** The default for {@link #textBytes}, in MiB. The files of a cluster with 100,000 pods have about 1,000 MiB. */
    public static final int MEBIBYTES = 4_096;

    private static final int MEBIBYTE = 1 << 20;

    /**
     * Returns the limits for a process that only reads files.
     *
     * @param mebibytes the maximum total length of all files after decompression, in MiB
     */
    public static KubectlFileLimits ofCommand(int mebibytes) {
        return new KubectlFileLimits(FactBudget.ofCommand(), (long) mebibytes * MEBIBYTE);
    }

    /** Sets no limits, for a file that the administrator of the gateway chooses. */
    public static final KubectlFileLimits NONE = new KubectlFileLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns the limits for a process that also does other work. The facts may take only a part of its memory. */
    public static KubectlFileLimits ofGateway() {
        return new KubectlFileLimits(
                FactBudget.ofGateway(Runtime.getRuntime().maxMemory()), (long) MEBIBYTES * MEBIBYTE);
    }
}
