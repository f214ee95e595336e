package dev.sluice.record;

import java.util.List;

/** The records of one gateway since its previous batch, in the order of their answers. */
public record RecordBatch(List<ReviewRecord> records) {

    public RecordBatch {
        records = List.copyOf(records);
    }
}
