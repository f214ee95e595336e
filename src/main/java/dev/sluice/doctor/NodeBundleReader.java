package dev.sluice.doctor;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.NodeBundle.GpuLine;
import dev.sluice.doctor.NodeBundle.Xid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the output of the script that {@code sluice doctor node} prints: the output of nvidia-smi 450 to 580, and the
 * lines that the driver writes to the kernel log. Unknown lines are skipped, because newer drivers print additional
 * lines.
 */
public final class NodeBundleReader {

    /**
     * The maximum number of entries that are read of each list, such as GPUs or files. Real nodes have fewer, so the
     * rest is skipped.
     */
    private static final int MOST = 1_000;

    private static final int LONGEST_COMPLAINT = 200;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private static final Pattern SECTION = Pattern.compile("--- sluice:([a-z]+) ---");

    /**
     * Matches {@code NVRM version: NVIDIA UNIX x86_64 Kernel Module 535.183.01 Sun May 12 …}. The open kernel module
     * prints additional words before the version.
     */
    private static final Pattern MODULE = Pattern.compile("NVRM version:.*?\\s(\\d{3,4}\\.\\d+(?:\\.\\d+)?)(?:\\s.*)?");

    /**
     * Matches {@code MIG 3g.40gb Device 0: (UUID: MIG-…)}. Drivers before version 470 print single blanks between the
     * columns.
     */
    private static final Pattern MIG_DEVICE = Pattern.compile("\\s+MIG (\\S+)\\s+Device\\s+\\d+:.*");

    /** Matches {@code NVRM: Xid (PCI:0000:3b:00): 79, pid=…}. Old drivers do not print {@code PCI:}. */
    private static final Pattern XID =
            Pattern.compile(".*NVRM: Xid \\((?:PCI:)?([0-9A-Fa-f:.]{1,20})\\): (\\d{1,4})\\D.*");

    private static final Pattern REGISTERED = Pattern.compile("registered (\\S{1,300}) (\\d{1,9})");

    private final Map<String, String> head = new LinkedHashMap<>();
    private final List<GpuLine> gpus = new ArrayList<>();
    private final Map<ResourceName, Integer> migInstances = new LinkedHashMap<>();
    private final List<Xid> xids = new ArrayList<>();
    private final List<String> sockets = new ArrayList<>();
    private final Map<ResourceName, Long> registered = new LinkedHashMap<>();
    private Optional<String> driver = Optional.empty();
    private Optional<String> complaint = Optional.empty();
    private boolean socketsKnown;
    private boolean runtimeKnowsNvidia;
    private String section = "";

    /**
     * Reads the next line. Replaces control characters with blanks, because parts of the line are printed on terminals.
     */
    public void read(String written) {
        String line = CONTROL.matcher(written).replaceAll(" ").stripTrailing();
        Matcher next = SECTION.matcher(line);
        if (next.matches()) {
            section = next.group(1);
            socketsKnown |= section.equals("sockets");
        } else if (!section.isEmpty() && !line.isBlank()) {
            content(line);
        }
    }

    private void content(String line) {
        switch (section) {
            case "node" -> head(line);
            case "driver" -> matched(MODULE, line).ifPresent(module -> driver = Optional.of(module.group(1)));
            case "gpus" -> gpu(line);
            case "devices" -> matched(MIG_DEVICE, line).ifPresent(device -> instance(device.group(1)));
            case "xids" -> matched(XID, line).ifPresent(xid -> add(xids, new Xid(xid.group(1), number(xid.group(2)))));
            case "sockets" -> socket(line);
            case "checkpoint" -> matched(REGISTERED, line).ifPresent(this::registered);
            case "runtime" -> runtimeKnowsNvidia |= !line.startsWith("!");
            default -> {}
        }
    }

    private static Optional<Matcher> matched(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    private static <T> void add(List<T> list, T element) {
        if (list.size() < MOST) {
            list.add(element);
        }
    }

    private void head(String line) {
        int colon = line.indexOf(": ");
        if (colon > 0 && head.size() < MOST) {
            head.putIfAbsent(line.substring(0, colon), line.substring(colon + 2).strip());
        }
    }

    /**
     * Reads a line such as {@code 0, 00000000:3B:00.0, NVIDIA A100-SXM4-80GB, 535.183.01, Enabled, Enabled}. If
     * nvidia-smi fails, it prints an error instead of such lines. Therefore the first line in another form is kept as
     * the error of nvidia-smi.
     */
    private void gpu(String line) {
        String[] columns = line.split(", ", -1);
        if (columns.length == 6 && !columns[0].isEmpty() && columns[0].chars().allMatch(Character::isDigit)) {
            add(gpus, new GpuLine(columns[1], columns[2], columns[3], columns[4], columns[5].strip()));
        } else if (complaint.isEmpty()) {
            String said = line.startsWith("! ") ? line.substring(2) : line;
            complaint = Optional.of(said.substring(0, Math.min(LONGEST_COMPLAINT, said.length()))
                    .strip());
        }
    }

    /**
     * Counts a MIG instance. Skips compute instances, which are parts of a GPU instance, because the device plugin does
     * not register them.
     */
    private void instance(String profile) {
        MigProfile.parse(profile)
                .filter(MigProfile::isWholeInstance)
                .ifPresent(known -> migInstances.merge(known.resource(), 1, Integer::sum));
    }

    private void socket(String line) {
        if (!line.startsWith("! ")) {
            add(sockets, line.strip());
        }
    }

    private void registered(Matcher line) {
        if (registered.size() < MOST) {
            registered.put(new ResourceName(line.group(1)), Long.parseLong(line.group(2)));
        }
    }

    /**
     * Returns the bundle. All lines must have been read.
     *
     * @throws BundleProblem if the lines are not a complete bundle
     */
    public NodeBundle end() throws BundleProblem {
        String format = head.getOrDefault("format", "");
        if (!format.equals("1")) {
            throw new BundleProblem(
                    format.isEmpty()
                            ? "is not what the script of \"sluice doctor node\" prints"
                            : "has format " + format + ", which this version of sluice does not know");
        }
        String name = head.getOrDefault("name", "");
        if (name.isEmpty()) {
            throw new BundleProblem("names no node");
        }
        if (!section.equals("end")) {
            throw new BundleProblem("is truncated: it ends within the section " + section);
        }
        return new NodeBundle(
                name,
                head.getOrDefault("time", ""),
                driver,
                gpus,
                migInstances,
                complaint,
                xids,
                socketsKnown ? Optional.of(List.copyOf(sockets)) : Optional.empty(),
                registered,
                runtimeKnowsNvidia);
    }

    /**
     * Reports that a file is not a complete bundle. The message is the end of a sentence that begins with the name of
     * the file.
     */
    public static final class BundleProblem extends Exception {

        private static final long serialVersionUID = 1;

        BundleProblem(String predicate) {
            super(predicate);
        }
    }
}
