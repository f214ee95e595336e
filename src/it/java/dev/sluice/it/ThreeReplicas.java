package dev.sluice.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Tests whose {@link Reserving} has {@link Replicas} behind one address in place of a single gateway. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface ThreeReplicas {

    /** True if they wait a quarter of the usual time when nobody is left who knows the reservations. */
    boolean shortWaits() default false;
}
