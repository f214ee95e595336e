package dev.sluice.policyfile;

import dev.sluice.policyfile.PolicySource.PolicyReading;
import dev.sluice.reload.FileStamp;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the files of a policy now and then, and reads all of them again when one has changed, as one: where a file
 * changes while they are read, they are read once more, and while it changes from look to look, not at all. Blocks; one
 * caller at a time.
 */
final class PolicyPoll {

    private final PolicySource source;
    /** Of no reading at all: the first look reads what may have changed since the start. */
    private List<FileStamp> lastRead = List.of();

    private List<FileStamp> lastSeen = List.of();

    PolicyPoll(PolicySource source) {
        this.source = source;
    }

    /** What the files say, if one has changed and the change has settled. */
    Optional<PolicyReading> look() {
        List<FileStamp> now = stamps();
        boolean settled = now.equals(lastSeen);
        lastSeen = now;
        if (now.equals(lastRead)) {
            return Optional.empty();
        }
        return settled ? read(now) : Optional.empty();
    }

    private Optional<PolicyReading> read(List<FileStamp> before) {
        List<Path> files = source.files();
        PolicyReading reading = source.read();
        if (!files.stream().map(FileStamp::of).toList().equals(before)) {
            return Optional.empty();
        }
        // Which files there are may just have become different; their state is that of this reading.
        lastRead = files.equals(source.files()) ? before : stamps();
        return Optional.of(reading);
    }

    private List<FileStamp> stamps() {
        return source.files().stream().map(FileStamp::of).toList();
    }
}
