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
        public Reading read() {
            throw new IllegalStateException("there are no files");
        }
    };

    /** All that were read the last time. */
    List<Path> files();

    Reading read();

    /** What they say now. */
    sealed interface Reading {

        /**
         * It can be used.
         *
         * @param waiting what else is different, in words, and holds after a restart only
         */
        record Usable(Policies policies, Injector injector, List<String> waiting) implements Reading {
            public Usable {
                waiting = List.copyOf(waiting);
            }
        }

        /** It cannot be used, or not at this moment. */
        record Refused(List<String> problems) implements Reading {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }
}
