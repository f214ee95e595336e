/** The policy and the injection rules, read again when their files change. */
@NullMarked
package dev.sluice.policyfile;

import org.jspecify.annotations.NullMarked;
