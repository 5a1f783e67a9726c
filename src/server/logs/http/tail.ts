import { Refusal, warningsHeader } from './answer.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, durationArg } from './query-args.ts';
import { joinQuery, reshapes } from './query-text.ts';

const SECOND = 1_000_000_000n;
const MIN_MS = 50;
/** A timer of more than 24 days would fire at once, over and over. */
const MAX_MS = 3_600_000;

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
  const intervalMs = Math.min(
    MAX_MS,
    Math.max(MIN_MS, Number((durationArg(args, 'refresh_interval') ?? SECOND) / 1_000_000n)),
  );
  const offset = durationArg(args, 'offset') ?? 5n * SECOND;
  const startOffset = durationArg(args, 'start_offset') ?? 5n * SECOND;
  const from = options.clock.now() - Number(startOffset / 1_000_000n);

  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    ...warningsHeader({ ...ask, range: { from, to: null } }),
  });
  response.flushHeaders();
  if (ask.request.method === 'HEAD') return void response.end();
  await ask.tails.follow(
    {
      query: joinQuery(common.query.filter, common.query.pipes),
      extraFilters: common.run.extraFilters,
      timeoutMs: common.run.timeoutMs,
      intervalMs,
      offsetMs: Number(offset / 1_000_000n),
    },
    { response, from, signal },
  );
}
