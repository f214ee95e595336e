package dev.sluice.reload;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.Policies;
import java.nio.file.Path;
import java.util.List;

/** The files of the policy. Blocks; one caller at a time. */
public interface PolicySource {

    /** A policy without files never changes. */
    PolicySource FIXED = new PolicySource() {
        @Override
        public List<Path> files() {
            return List.of();
        }

        @Override
        public PolicyReading read() {
            throw new IllegalStateException("there are no files");
        }
    };

    /** The files of the last reading. */
    List<Path> files();

    PolicyReading read();

    sealed interface PolicyReading {

        /** {@code waiting} names the changes that take effect after a restart only. */
        record UsablePolicy(Policies policies, Injector injector, List<String> waiting) implements PolicyReading {
            public UsablePolicy {
                waiting = List.copyOf(waiting);
            }
        }

        record UnusablePolicy(List<String> problems) implements PolicyReading {
            public UnusablePolicy {
                problems = List.copyOf(problems);
            }
        }
    }
}
