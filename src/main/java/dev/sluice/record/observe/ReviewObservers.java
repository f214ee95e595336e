package dev.sluice.record.observe;

import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.webhook.intake.ClientHandshakeFailure;
import java.util.List;

/** Passes each call on to several observers. */
public record ReviewObservers(List<ReviewObserver> all) implements ReviewObserver {

    public ReviewObservers {
        all = List.copyOf(all);
    }

    @Override
    public void passed(AdmissionReview review) {
        all.forEach(observer -> observer.passed(review));
    }

    @Override
    public void refused(int status, String sentence) {
        all.forEach(observer -> observer.refused(status, sentence));
    }

    @Override
    public void handshakeFailed(ClientHandshakeFailure failure) {
        all.forEach(observer -> observer.handshakeFailed(failure));
    }

    @Override
    public void forwarded(ObservedForwardResult result, long nanos) {
        all.forEach(observer -> observer.forwarded(result, nanos));
    }

    @Override
    public void failed(String uid, Throwable fault) {
        all.forEach(observer -> observer.failed(uid, fault));
    }
}
