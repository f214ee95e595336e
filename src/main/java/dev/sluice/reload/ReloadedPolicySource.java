package dev.sluice.reload;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.Policies;
import java.nio.file.Path;
import java.util.List;

/** Reads the files of the policy. The methods block, and only one thread may call them at a time. */
public interface ReloadedPolicySource {

    /** The source of a policy that was not read from files. Such a policy never changes. */
    ReloadedPolicySource FIXED = new ReloadedPolicySource() {
        @Override
        public List<Path> files() {
            return List.of();
        }

        @Override
        public PolicyReading read() {
            throw new IllegalStateException("there are no files");
        }
    };

    /** Returns the files that were read last. */
    List<Path> files();

    PolicyReading read();

    sealed interface PolicyReading {

        /**
         * The files are valid.
         *
         * @param waiting sentences about the changes that take effect only after a restart
         */
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
