package dev.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.UUID;

/** A Secret as kubelet mounts it: links to {@code ..data}, which is itself a link and changes in one step. */
record SecretMount(Path directory) {

    static SecretMount of(Path directory, Map<String, String> files) throws IOException {
        SecretMount mount = new SecretMount(directory);
        mount.swap(files);
        for (String name : files.keySet()) {
            var _ = Files.createSymbolicLink(directory.resolve(name), Path.of("..data", name));
        }
        return mount;
    }

    void swap(Map<String, String> files) throws IOException {
        Path version = Files.createDirectory(directory.resolve("..v" + UUID.randomUUID()));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(version.resolve(file.getKey()), file.getValue());
        }
        Path data = directory.resolve("..data");
        boolean swapped = Files.exists(data);
        Path former = swapped ? data.toRealPath() : data;
        Path link = Files.createSymbolicLink(directory.resolve("..tmp"), version.getFileName());
        var _ = Files.move(link, data, StandardCopyOption.ATOMIC_MOVE);
        if (swapped) {
            Directories.delete(former);
        }
    }
}
