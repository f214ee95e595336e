package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpReviewsTest {

    @Test
    void eachResourceHasOneReview() {
        assertThat(WarmUpReviews.asking(List.of(ResourceName.NVIDIA_GPU, new ResourceName("nvidia.com/mig-1g.10gb"))))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }
}
