/** Names that the pipeline and the HTTP surface of the log store agree on; lower case, as Node gives them. */

/** Id of a batch: one that was stored is not stored again. */
export const BATCH_ID_HEADER = 'x-batch-id';
/** How many lines of an accepted batch could not be stored. */
export const SKIPPED_HEADER = 'x-rows-skipped';
/** In the answer of `/health`: a batch ID is stored once. */
export const KEEPS_BATCH_IDS_HEADER = 'x-keeps-batch-ids';
