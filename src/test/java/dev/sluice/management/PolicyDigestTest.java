package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyDigestTest {

    @TempDir
    private Path directory;

    private String digest(String policy) throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yaml"), policy);
        Loading.Loaded loaded = (Loading.Loaded) ConfigLoader.load(file, Map.of());
        return PolicyDigest.of(ActivePolicy.first(loaded.config().policy(), Injector.NONE));
    }

    @Test
    void isTheSameForTheSamePolicyInAnotherOrder() throws Exception {
        assertThat(digest("policy: {whenNotOffered: deny, chains: {a/b: [c/d, e/f], g/h: [c/d]}}"))
                .isEqualTo(digest("policy: {chains: {g/h: [c/d], a/b: [c/d, e/f]}, whenNotOffered: deny}"))
                .matches("[0-9a-f]{64}");
    }

    @Test
    void differsWhenADecisionMayDiffer() throws Exception {
        assertThat(digest("policy: {chains: {a/b: [c/d, e/f]}}"))
                .isNotEqualTo(digest("policy: {chains: {a/b: [e/f, c/d]}}"));
        assertThat(digest("policy: {namespaces: {a*: {chains: {}}, '*b': {whenNotOffered: deny}}}"))
                .isNotEqualTo(digest("policy: {namespaces: {'*b': {whenNotOffered: deny}, a*: {chains: {}}}}"));
    }
}
