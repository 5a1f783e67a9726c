import type { DataWarning } from '../../../contract/data-health.ts';
import type { LogRecord } from '../../../contract/logs.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { createTurns } from '../core/turns.ts';
import { stillAllowed } from '../core/still-allowed.ts';
import { answerHead } from '../core/head-request.ts';
import { logReach } from './log-scope.ts';
import { logExport } from './log-export.ts';
import { pipedRows, pipesAt } from './log-pipes.ts';
import { JsonText, ALREADY_SENT, route, type App } from '../core/route.ts';
import { EVENT_STREAM, openEventStream, sseEvent } from '../stream/sse.ts';
import { rememberLast } from '../../../lib/bounded-map.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Searches of one caller at the same time; a page of logs asks for more, and each is soon done. */
const AT_ONCE = 4;

/** Logs. */
export function logRoutes(app: App): void {
  const { logs, pipelines, access, clock, limits } = app.services;
  const turns = createTurns({ most: () => AT_ONCE, waiting: () => limits.logReadQueue, what: 'log searches' });
  route(app, 'logs.pipeline', () => pipelines.stats());
  route(app, 'logs.search', async ({ query: { limit = 500, order = 'desc', cursor, ...asked }, identity, reply }) => {
    const filter = { ...asked, ...(await logReach(app, identity, asked)).reach };
    const gone = disconnectSignal(reply);
    const search = { ...filter, limit, order, ...(cursor === undefined ? {} : { cursor }) };
    if (pipesAt(filter.query) === null)
      return new JsonText(await turns(identity, gone, () => logs.searchJson(search, gone)));
    // What pipes make is one whole, in their own order; there is no next page.
    const records: LogRecord[] = [];
    await turns(identity, gone, async () => {
      for await (const rows of pipedRows(logs, filter, limit, clock.now(), gone)) records.push(...rows);
    });
    const lacking = logs.warnings(filter);
    return new JsonText(
      JSON.stringify({
        query: filter.query,
        from: filter.from ?? null,
        to: filter.to ?? null,
        records,
        nextCursor: null,
        ...(lacking.length === 0 ? {} : { warnings: lacking }),
      }),
    );
  });
  route(app, 'logs.hits', async ({ query, identity, reply }) => {
    const gone = disconnectSignal(reply);
    const { step, ...asked } = query;
    const rest = { ...asked, ...(await logReach(app, identity, query)).reach };
    const [, count, unit] = /^(\d+)(\D+)$/.exec(step ?? '') ?? [];
    const stepMs = count === undefined ? null : Number(count) * (UNITS[unit ?? ''] ?? 1);
    return turns(identity, gone, () => logs.hits({ ...rest, stepMs }, gone));
  });

  route(app, 'logs.fields', async ({ query, identity, reply }) => {
    const gone = disconnectSignal(reply);
    const { reach } = await logReach(app, identity, query);
    return turns(identity, gone, () => logs.fields({ ...query, ...reach, limit: query.limit ?? 100 }, gone));
  });
  route(app, 'logs.values', async ({ query, identity, reply }) => {
    const gone = disconnectSignal(reply);
    const { reach } = await logReach(app, identity, query);
    return turns(identity, gone, () => logs.values({ ...query, ...reach, limit: query.limit ?? 100 }, gone));
  });
  logExport(app);

  /** A side that has fewer records than were asked for speaks for all the time there is. */
  function contextWarnings(at: string, before: number, after: number, older: string, newer: string): DataWarning[] {
    const [left, right] = [parseJson<LogRecord[]>(older), parseJson<LogRecord[]>(newer)];
    const timeOf = (record: LogRecord | undefined) => (record === undefined ? null : Date.parse(record._time));
    const to = right.length > after ? timeOf(right.at(-1)) : null;
    return logs.warningsIn({
      from: before === 0 ? Date.parse(at) : left.length === before ? timeOf(left[0]) : null,
      to: to === null ? null : to + 1,
    });
  }

  /** Two searches that meet at the moment: what was before it, and what was at it or after. Their records are only sent on. */
  route(app, 'logs.context', async ({ query: { at, before = 20, after = 20, ...asked }, identity, reply }) => {
    const gone = disconnectSignal(reply);
    const scope = { ...asked, ...(await logReach(app, identity, asked)).reach };
    const [older, newer] = await Promise.all([
      before === 0
        ? '[]'
        : turns(identity, gone, () => logs.recordsText({ ...scope, to: at, order: 'desc', limit: before }, gone)),
      // The records of that very moment come on top of what was asked for.
      turns(identity, gone, () => logs.recordsText({ ...scope, from: at, order: 'asc', limit: after + 1 }, gone)),
    ]);
    const lacking =
      logs.warningsIn({ from: null, to: null }).length === 0 ? [] : contextWarnings(at, before, after, older, newer);
    const warned = lacking.length === 0 ? '' : `,"warnings":${JSON.stringify(lacking)}`;
    return new JsonText(`{"at":${JSON.stringify(at)},"before":${older},"after":${newer}${warned}}`);
  });

  // Many who follow the same are given the same text, one after another.
  const batchEvent = rememberLast(1, (records: string) => sseEvent(records));
  const recordEvents = rememberLast(1, (records: string) =>
    parseJson<LogRecord[]>(records)
      .map((record) => sseEvent(JSON.stringify(record)))
      .join(''),
  );

  /** Records as they arrive. A reader that cannot keep up is told how many it missed. */
  route(app, 'logs.tail', async ({ query: { batch = false, ...query }, identity, request, reply }) => {
    const { reach, mayStill } = await logReach(app, identity, query);
    const bar = pipesAt(query.query);
    if (bar !== null)
      throw new Fault('QUERY_INVALID', 'a live tail supports only filters: remove the pipes', {
        extra: { position: bar },
      });
    const closed = new AbortController();
    let stream: ReturnType<typeof openEventStream> | undefined;
    let missed = 0;
    const deliver = (records: string, count: number, leftOut = 0) => {
      if (!mayStill()) return void stream?.end();
      missed += leftOut;
      if (!stream?.ready) {
        missed += count;
        logs.tailLosses.missed(count);
        return;
      }
      let text = missed === 0 ? '' : sseEvent(JSON.stringify({ count: missed }), 'dropped');
      missed = 0;
      if (count === 0) return stream.write(text);
      text += batch ? batchEvent(records) : recordEvents(records);
      stream.write(text);
    };
    // A bad query is refused before the answer becomes a stream.
    logs.tail({ ...query, ...reach }, deliver, closed.signal);
    if (answerHead(request, reply.header('content-type', EVENT_STREAM))) {
      closed.abort();
      return ALREADY_SENT;
    }
    stream = openEventStream(reply, access, stillAllowed(app, identity, request));
    stream.closed.addEventListener('abort', () => closed.abort());
    stream.write(': following\nretry: 2000\n\n');
    return ALREADY_SENT;
  });
}
