package dev.sluice.record;

import java.util.List;

/** The records of one gateway since its previous batch, in the order of their answers. */
public record ReviewRecordBatch(List<ReviewRecord> records) {

    public ReviewRecordBatch {
        records = List.copyOf(records);
    }
}
