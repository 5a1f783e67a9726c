import type { Limits } from '../../../contract/limits.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { PipelineTarget } from './port.ts';

/** A batch is at most about this size (1 MB), uncompressed. */
const BATCH_BYTES = 1_000_000;

/** What the limits say of a pipeline. */
export const settingsOf = (
  limits: Readonly<Limits>,
): Pick<
  PipelineOptions,
  | 'lineBytes'
  | 'heldBytes'
  | 'connections'
  | 'connectionsPerAddress'
  | 'firstLineMs'
  | 'queueBytes'
  | 'batchBytes'
  | 'flushMs'
  | 'deadLetterBytes'
  | 'dropWhenFull'
> => ({
  lineBytes: limits.logLineBytes,
  heldBytes: limits.pipelineUnfinishedBytes,
  connections: limits.pipelineConnections,
  connectionsPerAddress: limits.pipelineConnectionsPerAddress,
  firstLineMs: limits.pipelineFirstLineSeconds * 1000,
  queueBytes: limits.pipelineQueueBytes,
  batchBytes: BATCH_BYTES,
  flushMs: limits.pipelineFlushMs,
  deadLetterBytes: limits.pipelineDeadLetterBytes,
  dropWhenFull: limits.pipelineDropWhenFull === 1,
});

/** The log store of a master, which keeps each batch once. `token`: null: none is asked for. */
export const masterTarget = (url: string, token: string | null): PipelineTarget => ({
  url,
  headers: token === null ? {} : { authorization: `Bearer ${token}` },
  ca: null,
  gzip: false,
  lineIds: false,
  select: null,
});
