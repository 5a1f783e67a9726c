import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../contract/logs.ts';
import { BACKENDS, openBackend, type Opened } from './backends.fixture.ts';
import type { LogFilter } from './port.ts';

// What every log store does alike, here and elsewhere. A store may be shared: each test has a source of its own.

const OPTIONS = {
  timeFields: ['_time'],
  messageFields: ['_msg'],
  streamFields: ['source'],
  ignoreFields: [],
  extraFields: {},
};

describe.each(BACKENDS)('the log store: %s', (kind) => {
  let opened: Opened;
  let source = '';
  /** The last hour, in whole minutes: VictoriaLogs drops lines that are older than its retention. */
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
  const at = (ms: number, nanos = '') => `${new Date(start + ms).toISOString().slice(0, -1)}${nanos}Z`;
  beforeAll(async () => {
    opened = await openBackend(kind);
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    source = `test-${randomUUID()}`;
  });

  /** Stores lines and waits until they are found. */
  async function given(lines: readonly Record<string, unknown>[], id: string | null = null): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify({ source, ...line })}\n`).join('');
    await opened.logs.insert({ id, ndjson: new Uint8Array(Buffer.from(text)), options: OPTIONS });
    const wanted = new Set(lines.map(({ _msg }) => String(_msg).slice(0, 6)));
    const isThere = async () => {
      const found = messages((await search({ limit: 10_000 })).records).map((text) => text.slice(0, 6));
      return [...wanted].every((text) => found.includes(text));
    };
    await expect.poll(isThere).toBe(true);
  }
  const search = (more: LogFilter & Partial<{ limit: number; order: 'asc' | 'desc'; cursor: string }> = {}) =>
    opened.logs.search({ source, limit: 100, order: 'asc', ...more });
  const messages = (records: readonly LogRecord[]) => records.map(({ _msg }) => _msg);
  async function rows(query: string): Promise<Record<string, unknown>[]> {
    const run = {
      query,
      from: null,
      to: null,
      extraFilters: [`source:="${source}"`],
      limit: null,
      offset: 0,
      now: Date.now(),
      timeoutMs: 20_000,
    };
    let text = '';
    for await (const page of opened.logs.run(run, new AbortController().signal)) text += Buffer.from(page).toString();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  const refusal = (work: () => Promise<unknown>) =>
    work().then(
      () => null,
      (error: { code?: string; extra?: { position?: number } }) => ({
        code: error.code,
        position: error.extra?.position,
      }),
    );

  it('finds lines by words, fields and time, oldest or newest first', async () => {
    await given([
      { _time: at(0), _msg: 'card declined', level: 'ERROR', job_id: 'j1', task_id: 't1', worker_id: 'w1' },
      { _time: at(1000), _msg: 'card accepted', level: 'INFO', job_id: 'j1', shop: 'north' },
      { _time: at(2000), _msg: 'ship', level: 'INFO', job_id: 'j2', task_id: 't2' },
    ]);
    expect(messages((await search()).records)).toEqual(['card declined', 'card accepted', 'ship']);
    expect(messages((await search({ order: 'desc' })).records)).toEqual(['ship', 'card accepted', 'card declined']);
    expect(messages((await search({ query: 'card' })).records)).toEqual(['card declined', 'card accepted']);
    expect(messages((await search({ query: 'card -declined' })).records)).toEqual(['card accepted']);
    expect(messages((await search({ job_id: 'j1', level: 'error' })).records)).toEqual(['card declined']);
    expect(messages((await search({ query: 'shop:=north' })).records)).toEqual(['card accepted']);
    expect(messages((await search({ from: at(1000), to: at(2000) })).records)).toEqual(['card accepted']);
    const [first] = (await search({ task_id: 't1' })).records;
    expect(first).toEqual({
      _time: at(0),
      _msg: 'card declined',
      level: 'ERROR',
      job_id: 'j1',
      task_id: 't1',
      worker_id: 'w1',
      source,
    });
    expect(await search({ worker_id: 'nobody' })).toMatchObject({ records: [], nextCursor: null });
  });

  it('pages through all lines once, also where many have one time, in both orders', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => ({
      // Half of them share a moment; some lie minutes apart.
      _time: i < 30 ? at(5000) : at(10_000 + i * 45_000, '123456'),
      _msg: `line ${String(i).padStart(2, '0')}`,
    }));
    await given(lines);
    for (const order of ['asc', 'desc'] as const) {
      const found: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await search({ limit: 7, order, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...messages(page.records));
        cursor = page.nextCursor ?? undefined;
        pages++;
      } while (cursor !== undefined);
      expect(pages).toBe(9);
      const expected = lines.map(({ _msg }) => _msg);
      expect(found).toEqual(order === 'asc' ? expected : expected.toReversed());
    }
    const first = await search({ limit: 7 });
    expect(await refusal(() => search({ limit: 7, order: 'desc', cursor: first.nextCursor ?? '' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('shows a batch once that was sent twice', async () => {
    const id = randomUUID();
    const lines = Array.from({ length: 25 }, (_, i) => ({ _time: at(i < 10 ? 0 : i), _msg: `once ${i}` }));
    await given(lines, id);
    await given(lines, id);
    await given([{ _time: at(100), _msg: 'last' }]);
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({ limit: 10, ...(cursor === undefined ? {} : { cursor }) });
      all.push(...messages(page.records));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(all).toEqual([...lines.map(({ _msg }) => _msg), 'last']);
    expect((await rows('once')).length).toBe(25);
  });

  it('gives the lines around a moment', async () => {
    await given(Array.from({ length: 9 }, (_, i) => ({ _time: at(i * 1000), _msg: String(i) })));
    const before = await opened.logs.recordsText({ source, to: at(4000), order: 'desc', limit: 2 });
    const after = await opened.logs.recordsText({ source, from: at(4000), order: 'asc', limit: 3 });
    const read = (text: string) => messages(JSON.parse(text) as LogRecord[]);
    expect(read(before)).toEqual(['2', '3']);
    expect(read(after)).toEqual(['4', '5', '6']);
  });

  it('counts lines in steps of time, by a field too', async () => {
    await given([
      { _time: at(0), _msg: 'a', level: 'INFO' },
      { _time: at(59_000), _msg: 'b', level: 'ERROR' },
      { _time: at(180_000), _msg: 'c', level: 'INFO' },
    ]);
    const { hits } = await opened.logs.hits({ source, stepMs: 60_000, from: at(0), to: at(240_000) });
    expect(hits).toEqual([
      {
        fields: {},
        timestamps: [at(0), at(60_000), at(120_000), at(180_000)],
        values: [2, 0, 0, 1],
        total: 3,
      },
    ]);
    const by = await opened.logs.hits({ source, stepMs: 60_000, from: at(0), to: at(240_000), field: 'level' });
    expect(by.hits.map(({ fields, total }) => [fields['level'], total])).toEqual([
      ['ERROR', 1],
      ['INFO', 2],
    ]);
    expect((await opened.logs.hits({ source, stepMs: null })).hits[0]?.total).toBe(3);
    expect(await opened.logs.hits({ source: 'nobody', stepMs: null })).toEqual({ hits: [] });
    expect(await refusal(() => opened.logs.hits({ source, stepMs: 1, from: at(0), to: at(240_000) }))).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('names fields and their values with counts', async () => {
    await given([
      { _time: at(0), _msg: 'a', shop: 'north', 'odd name': 'x' },
      { _time: at(1), _msg: 'b', shop: 'south' },
      { _time: at(2), _msg: 'c', shop: 'north' },
    ]);
    const shops = await opened.logs.values({ source, field: 'shop', limit: 10 });
    expect(shops).toEqual({
      values: [
        { value: 'north', count: 2 },
        { value: 'south', count: 1 },
      ],
      complete: true,
    });
    expect(await opened.logs.values({ source, field: 'shop', limit: 1 })).toMatchObject({
      values: [{ value: 'north' }],
      complete: false,
    });
    expect((await opened.logs.values({ source, field: 'shop', limit: 10, contains: 'SOU' })).values).toEqual([
      { value: 'south', count: 1 },
    ]);
    expect((await opened.logs.values({ source, field: 'odd name', limit: 10 })).values).toContainEqual({
      value: 'x',
      count: 1,
    });
    const names = (await opened.logs.fields({ source, limit: 100 })).values.map(({ value }) => value);
    expect(names).toEqual(expect.arrayContaining(['_msg', '_time', 'shop', 'source']));
    expect(names).not.toContain('yardmaster_line_id');
    expect((await opened.logs.fields({ source, limit: 10, contains: 'SHO' })).values.map(({ value }) => value)).toEqual(
      ['shop'],
    );
  });

  it('runs pipes', async () => {
    await given([
      { _time: at(0), _msg: 'same', level: 'INFO' },
      { _time: at(1), _msg: 'same', level: 'INFO' },
      { _time: at(2), _msg: 'other', level: 'ERROR' },
    ]);
    expect(await rows('* | stats by (level, _msg) count() n | sort by (n desc)')).toEqual([
      { level: 'INFO', _msg: 'same', n: '2' },
      { level: 'ERROR', _msg: 'other', n: '1' },
    ]);
    expect(await rows('other | fields _msg')).toEqual([{ _msg: 'other' }]);
    expect(await rows('level:in(level:=ERROR | fields level) | fields _msg')).toEqual([{ _msg: 'other' }]);
  });

  it('keeps those who may see some workflows alone from the lines of others, subqueries included', async () => {
    await given([
      { _time: at(0), _msg: 'mine', workflow_id: 'w1', secret: 'a' },
      { _time: at(1), _msg: 'theirs', workflow_id: 'w2', secret: 'b' },
      { _time: at(2), _msg: 'nobody' },
    ]);
    expect(messages((await search({ within: ['w1'] })).records)).toEqual(['mine']);
    expect(messages((await search({ within: ['w1'], query: 'theirs or mine' })).records)).toEqual(['mine']);
    expect((await search({ within: [] })).records).toEqual([]);
    expect(await opened.logs.values({ source, field: 'secret', limit: 9, within: ['w1'] })).toMatchObject({
      values: [{ value: 'a', count: 1 }],
    });
    expect(await refusal(() => search({ within: ['w1'], query: 'x) or (*' }))).toMatchObject({ code: 'QUERY_INVALID' });
  });

  it('refuses a bad query with the place of the mistake', async () => {
    expect(await refusal(() => search({ query: 'error and (a:b' }))).toEqual({ code: 'QUERY_INVALID', position: 14 });
    expect(await refusal(() => rows('* | nonsense'))).toMatchObject({ code: 'QUERY_INVALID' });
    expect(await refusal(() => search({ from: 'yesterday' }))).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('follows lines as they arrive, each once', async () => {
    const told: LogRecord[] = [];
    const end = new AbortController();
    opened.logs.tail(
      { source, query: 'paid' },
      (records) => void told.push(...(JSON.parse(records) as LogRecord[])),
      end.signal,
    );
    try {
      // A request to a store elsewhere takes its moment; lines from now on are given.
      await given([{ _time: new Date().toISOString(), _msg: 'paid 1' }], randomUUID());
      await given([{ _time: new Date().toISOString(), _msg: 'refused' }]);
      await given([{ _time: new Date().toISOString(), _msg: 'paid 2' }]);
      await expect.poll(() => messages(told)).toEqual(['paid 1', 'paid 2']);
    } finally {
      end.abort();
    }
  });

  it('takes out secrets before a line is kept, and those that became such later when it is read', async () => {
    opened.logs.redact([{ name: 'KEY', value: 'hunter2-hunter2' }]);
    await given([
      { _time: at(0), _msg: 'the key hunter2-hunter2', deep: { er: 'hunter2-hunter2' } },
      { _time: at(1), _msg: 'later swordfish-9' },
    ]);
    opened.logs.redact([{ name: 'LATER', value: 'swordfish-9' }]);
    try {
      const found = (await search()).records;
      expect(messages(found)).toEqual(['the key [secret KEY]', 'later [secret LATER]']);
      expect(JSON.stringify(await rows('*'))).not.toMatch(/hunter2|swordfish/);
      if (opened.url !== null) {
        const asked = `${opened.url}/select/logsql/query?query=${encodeURIComponent(`source:="${source}"`)}`;
        expect(await (await fetch(asked)).text()).not.toContain('hunter2');
      }
    } finally {
      opened.logs.redact([]);
    }
  });

  it('keeps digits, odd characters and long lines as they were', async () => {
    const long = 'x'.repeat(200_000);
    await given([
      { _time: at(0, '000001'), _msg: 'a "quoted" \\ line\nnext ü 🚚', big: '12345678901234567890' },
      { _time: at(1), _msg: long },
    ]);
    const [first, second] = (await search()).records;
    expect(first).toMatchObject({
      _time: at(0, '000001'),
      _msg: 'a "quoted" \\ line\nnext ü 🚚',
      big: '12345678901234567890',
    });
    expect(second?._msg.length).toBe(200_000);
  });

  it('says what it is', async () => {
    await search();
    await expect
      .poll(() => opened.logs.info())
      .toMatchObject({
        kind: kind === 'embedded' ? 'embedded' : 'victorialogs',
        address: opened.url,
        state: 'ok',
        reason: null,
      });
  });
});
