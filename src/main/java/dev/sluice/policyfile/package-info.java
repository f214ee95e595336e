/** The policy and the injection rules, read again when their files change. */
@NullMarked
@CheckReturnValue
package dev.sluice.policyfile;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
