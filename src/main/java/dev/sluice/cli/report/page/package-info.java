/** A document that is written as Markdown or as HTML: its blocks, and the two writers. */
@NullMarked
package dev.sluice.cli.report.page;

import org.jspecify.annotations.NullMarked;
