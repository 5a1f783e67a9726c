import { Fault } from '../../../lib/fault.ts';

/** Characters of a row: what is longer is no answer of a log store, and would be held whole. */
const ROW_CHARACTERS = 32 * 1024 * 1024;

export const rowTooLarge = () => new Fault('QUERY_TOO_LARGE', 'a row of the result is too large');

/** Whole lines of pieces. What is no JSON object is an error that came after the first rows. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  // Put together once its end is there: not anew with each piece of a long one.
  let held: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf('\n');
    const rest = text.slice(end + 1);
    if (end < 0) {
      held.push(rest);
      length += rest.length;
      if (length > ROW_CHARACTERS) throw rowTooLarge();
      continue;
    }
    const whole = rowsIn((held.join('') + text.slice(0, end)).split('\n'));
    [held, length] = [[rest], rest.length];
    if (whole.length > 0) yield whole;
  }
  const last = rowsIn([held.join('') + decoder.decode()]);
  if (last.length > 0) yield last;
}

function rowsIn(lines: readonly string[]): string[] {
  const rows = lines.filter((line) => line !== '');
  const wrong = rows.find((line) => !line.startsWith('{'));
  if (wrong !== undefined)
    throw /timeout|deadline|duration/i.test(wrong)
      ? new Fault('QUERY_TIMEOUT', `VictoriaLogs gave the query up (${wrong.slice(0, 500)}): narrow its time range`)
      : new Fault('LOGS_UNAVAILABLE', `VictoriaLogs failed after a part of the answer (${wrong.slice(0, 500)})`);
  return rows;
}
