package dev.sluice.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A text that is the simple name of a record of one of these sealed types; the OpenAPI document lists them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface SimpleNamesOf {
    Class<?>[] value();

    /** The name of the schema that lists them; empty if they are listed where they stand. */
    String schema() default "";
}
