import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal, warningsHeader, write } from './answer.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, durationArg } from './query-args.ts';
import { joinQuery, reshapes } from './query-text.ts';
import { linesOf } from './rows.ts';

const SECOND = 1_000_000_000n;
/** How far back each look goes beyond the last one, for lines that come late. */
const OVERLAP = 5n * SECOND;
const MIN_MS = 50;
/** A timer of more than 24 days would fire at once, over and over. */
const MAX_MS = 3_600_000;
/** Rows of one look; more would be no tail that anybody reads. */
const ROWS = 100_000;

/** `/select/logsql/tail`: records as they come, until the caller hangs up. */
export async function tail(ask: LogQueryRequest): Promise<void> {
  const { args, response, signal, options } = ask;
  const common = commonOf(ask);
  if (reshapes(common.query.parsed))
    throw new Refusal(
      400,
      'the query cannot be tailed: pipes that sort, count, limit or merge rows need a complete result; remove stats, uniq, top, sort, limit, offset and similar pipes',
    );
  if (
    common.query.parsed.pipes.some(
      (pipe) =>
        (pipe.kind === 'delete' &&
          pipe.names.some(({ name, prefix }) => name === '_time' || (prefix && '_time'.startsWith(name)))) ||
        (pipe.kind === 'fields' &&
          !pipe.names.some(({ name, prefix }) => name === '_time' || (prefix && '_time'.startsWith(name)))),
    )
  )
    throw new Refusal(400, 'the query cannot be tailed: the field _time must be in its rows');
  const interval = Math.min(
    MAX_MS,
    Math.max(MIN_MS, Number((durationArg(args, 'refresh_interval') ?? SECOND) / 1_000_000n)),
  );
  const offset = durationArg(args, 'offset') ?? 5n * SECOND;
  const startOffset = durationArg(args, 'start_offset') ?? 5n * SECOND;
  const query = joinQuery(common.query.filter, common.query.pipes);
  const now = () => BigInt(options.clock.now()) * 1_000_000n;

  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    ...warningsHeader({ ...ask, range: { from: options.clock.now() - Number(startOffset / 1_000_000n), to: null } }),
  });
  response.flushHeaders();
  if (ask.request.method === 'HEAD') return void response.end();
  const first = now() - startOffset;
  // How often each row of the last look was there: looks overlap, and a row is told once.
  let before = new Map<string, number>();
  let from = first;
  while (!signal.aborted) {
    const to = now() - offset;
    const seen = new Map<string, number>();
    let rows = 0;
    if (to > from) {
      for await (const lines of linesOf(ask, {
        ...common.run,
        query,
        from: Number(from / 1_000_000n),
        to: Number(to / 1_000_000n),
        now: Number(to / 1_000_000n),
        limit: null,
        offset: 0,
      })) {
        const fresh = lines.filter((line) => {
          const key = line.length < 100 ? line : createHash('sha1').update(line).digest('base64');
          const count = (seen.get(key) ?? 0) + 1;
          seen.set(key, count);
          return count > (before.get(key) ?? 0);
        });
        if (fresh.length > 0 && !(await write(response, `${fresh.join('\n')}\n`))) return;
        if ((rows += lines.length) > ROWS)
          throw new Refusal(503, `more than ${ROWS} records in ${Number((to - from) / SECOND)} s: narrow the query`);
      }
      before = seen;
      from = to - OVERLAP > first ? to - OVERLAP : first;
    }
    await wait(interval, undefined, { signal }).catch(() => {});
  }
}
