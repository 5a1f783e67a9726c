import type { LogRecord } from '../../../../contract/logs.ts';
import { formatLogRecord } from '../../../../lib/log-line.ts';

/** Lines that are put on the clipboard at most; more are what an export is for. */
export const COPY_LINES = 200_000;
/** Milliseconds of one step, between which the window draws. */
const STEP_MS = 20;

export type CopyFormat = 'text' | 'ndjson';

/** Records `from` to `to`, both in it, as one text. It rests between its steps, so that nothing stands still meanwhile. */
export async function textOf(
  record: (number: number) => LogRecord,
  from: number,
  to: number,
  format: CopyFormat,
  rest: () => Promise<void>,
): Promise<string> {
  const pieces: string[] = [];
  const end = Math.min(to, from + COPY_LINES - 1);
  let started = performance.now();
  for (let number = from; number <= end; number++) {
    const one = record(number);
    pieces.push(format === 'text' ? formatLogRecord(one) : JSON.stringify(one));
    if ((number & 63) === 0 && performance.now() - started > STEP_MS) {
      await rest();
      started = performance.now();
    }
  }
  return pieces.join('\n');
}
