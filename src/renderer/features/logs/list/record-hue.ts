import type { LogRecord } from '../../../../contract/logs.ts';

/** What the stripe before a line tells apart. */
export const COLOUR_BY = ['level', 'source', 'job_id', 'task_id', 'worker_id', 'node'] as const;
export type ColourBy = (typeof COLOUR_BY)[number];
export const HUES = 8;

/** The colour (0 to 7) that lines of the same source, task, … share; undefined where a record has none. */
export function recordHue(record: LogRecord, by: ColourBy): number | undefined {
  const value = record[by];
  if (typeof value !== 'string' || value === '') return undefined;
  let hash = 2166136261;
  for (let i = 0; i < value.length; i++) hash = Math.imul(hash ^ value.charCodeAt(i), 16777619);
  return (hash >>> 3) % HUES;
}
