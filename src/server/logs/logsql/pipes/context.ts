import type { Filter, PipeOf } from '../../../../lib/logsql/ast.ts';
import { isoOf, spanOf } from '../../../../lib/logsql/times.ts';
import { readerOf, rowsOf } from '../frame.ts';
import { framesOfRows, type Row, createRowReader, rowBytes } from '../rows.ts';
import type { Run, Stage } from '../run-context.ts';

/** How far from a match its neighbours are looked for. */
const WINDOW_MS = 3_600_000;

/** `stream_context before N after M`: the rows of the same stream around each match, in the order of time. */
export function contextStage({ before, after }: PipeOf<'stream_context'>, run: Run): Stage {
  return function* (frames) {
    const matches = new Set<string>();
    const streams = new Set<string>();
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const frame of frames) {
      yield null;
      if (frame === null) continue;
      run.check();
      const time = readerOf(frame.column('_time'));
      const stream = readerOf(frame.column('_stream'));
      const message = readerOf(frame.column('_msg'));
      for (const row of rowsOf(frame)) {
        const key = keyOf(stream(row), time(row), message(row));
        if (matches.has(key)) continue;
        run.hold(key.length * 2 + 64);
        matches.add(key);
        streams.add(stream(row));
        const ms = Number((spanOf(time(row), 0n)?.from ?? 0n) / 1_000_000n);
        low = Math.min(low, ms);
        high = Math.max(high, ms);
      }
    }
    if (matches.size === 0) return;
    const filter: Filter = {
      kind: 'and',
      parts: [
        {
          kind: 'time',
          spec: {
            kind: 'range',
            low: isoOf(low - WINDOW_MS, 0),
            lowIn: true,
            high: isoOf(high + WINDOW_MS, 0),
            highIn: true,
          },
          offset: null,
        },
        { kind: 'field', field: '_stream', test: { kind: 'in', values: [...streams] } },
      ],
    };
    yield* around(
      run.inner({
        options: [],
        filter,
        pipes: [
          {
            kind: 'sort',
            by: [
              { field: '_stream', desc: false },
              { field: '_time', desc: false },
            ],
            offset: 0,
            limit: null,
            partition: [],
            rank: null,
          },
        ],
      }),
      matches,
      before,
      after,
      run,
    );
  };
}

const keyOf = (stream: string, time: string, message: string): string => `${stream}\0${time}\0${message}`;

function* around(
  frames: ReturnType<Run['inner']>,
  matches: ReadonlySet<string>,
  before: number,
  after: number,
  run: Run,
): ReturnType<Stage> {
  let stream: string | null = null;
  let waiting: Row[] = [];
  let left = 0;
  for (const frame of frames) {
    yield null;
    if (frame === null) continue;
    run.check();
    const take = createRowReader(frame, null);
    const time = readerOf(frame.column('_time'));
    const streamOf = readerOf(frame.column('_stream'));
    const message = readerOf(frame.column('_msg'));
    const out: Row[] = [];
    for (const row of rowsOf(frame)) {
      if (streamOf(row) !== stream) {
        stream = streamOf(row);
        waiting = [];
        left = 0;
      }
      if (matches.has(keyOf(stream, time(row), message(row)))) {
        out.push(...waiting, take(row));
        waiting = [];
        left = after;
      } else if (left > 0) {
        out.push(take(row));
        left--;
      } else if (before > 0) {
        const one = take(row);
        run.hold(rowBytes(one));
        waiting.push(one);
        const gone = waiting.length > before ? waiting.shift() : undefined;
        if (gone) run.hold(-rowBytes(gone));
      }
    }
    yield* framesOfRows(out);
  }
}
