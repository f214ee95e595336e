package dev.sluice.policyfile;

import dev.sluice.injection.Injector;
import dev.sluice.policy.Policies;
import java.nio.file.Path;
import java.util.List;

/** Files that say what decisions follow. Blocks; one caller at a time. */
public interface PolicySource {

    /** Nothing that could change. */
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

    /** All that were read the last time. */
    List<Path> files();

    PolicyReading read();

    /** What they say now. */
    sealed interface PolicyReading {

        /**
         * It can be used.
         *
         * @param waiting what else is different, in words, and holds after a restart only
         */
        record UsablePolicy(Policies policies, Injector injector, List<String> waiting) implements PolicyReading {
            public UsablePolicy {
                waiting = List.copyOf(waiting);
            }
        }

        /** It cannot be used, or not at this moment. */
        record UnusablePolicy(List<String> problems) implements PolicyReading {
            public UnusablePolicy {
                problems = List.copyOf(problems);
            }
        }
    }
}
