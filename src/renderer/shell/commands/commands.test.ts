import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import docs from '../../../../docs/cli.md?raw';
import { ROUTES } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import { bulkCommand, cliText, pageCommands, curlText, publishCommand } from './commands.ts';
import { fuzzy } from '../palette/fuzzy.ts';
import { linkedPath } from '../palette/linked-path.ts';

const ADDRESSES: readonly [pathname: string, search: Record<string, unknown>][] = [
  ['/', {}],
  ['/workflows', { q: "it's" }],
  ['/workflows/orders', { from: 'aaaa', to: 'bbbb' }],
  ['/jobs', { status: ['FAILED'], workflow: 'orders', label: ['a=b'], created: '1h' }],
  ['/jobs', {}],
  ['/jobs/0193', { task: '0194' }],
  ['/jobs/0193', { tab: 'tasks', state: ['FAILED'], replica: 0 }],
  ['/failures', { status: 'all', group: 'abc' }],
  ['/failures', {}],
  ['/operations', { operation: '1' }],
  ['/workers', { worker: '1', state: ['Down'] }],
  ['/logs', { query: '"a b"' }],
  ['/cluster', {}],
  ['/dashboards', {}],
  ['/dashboards/mine', {}],
  ...['rules', 'silences', 'channels', 'history', 'routing', 'firing'].map((tab): [string, Record<string, unknown>] => [
    '/alerts',
    { tab },
  ]),
  ...['connections', 'keys', 'tokens', 'sessions', 'secrets', 'limits', 'audit', 'pipeline', 'about'].map(
    (tab): [string, Record<string, unknown>] => ['/settings', { tab }],
  ),
];
const all = ADDRESSES.flatMap(([pathname, search]) => pageCommands(pathname, search));
const routes: readonly Route[] = Object.values(ROUTES);
const pattern = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

describe('a page as a command', () => {
  it('asks for routes that there are', () => {
    expect(
      all
        .filter(
          ({ method, path }) => !routes.some((route) => route.method === method && pattern(route.path).test(path)),
        )
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual([]);
  });
  it('names commands that the docs of the command line name', () => {
    const verbs = (cli: readonly string[]) =>
      cli
        .slice(
          0,
          ['alerts', 'logs'].includes(cli[0] ?? '') &&
            ['rules', 'silences', 'channels', 'policy'].includes(cli[1] ?? '')
            ? 3
            : 2,
        )
        .filter((word) => /^[a-z][a-z-]+$/.test(word));
    const unknown = all.flatMap(({ cli }) =>
      cli === null || verbs(cli).every((verb) => docs.includes(verb)) ? [] : [cli.join(' ')],
    );
    expect(unknown).toEqual([]);
  });
  it('keeps the view: filters, and what is open', () => {
    const [list] = pageCommands('/jobs', { status: ['FAILED', 'TIMEOUT'], workflow: 'orders', created: '1h' });
    expect(list && cliText(list)).toBe(
      'yardmaster jobs list --display-status FAILED,TIMEOUT --workflow orders --from 1h',
    );
    expect(list && curlText(list, 'http://h')).toContain(
      "'http://h/api/v1/jobs?displayStatus=FAILED&displayStatus=TIMEOUT&workflowId=orders'",
    );
  });
  it('keeps the filters of failures and of the tasks of a job', () => {
    const [failures] = pageCommands('/failures', { node: 'charge', code: 'TASK_ERROR', q: 'card' });
    expect(failures && cliText(failures)).toBe('yardmaster failures list --node charge --code TASK_ERROR --q card');
    const tasks = pageCommands('/jobs/0193', {
      state: ['FAILED', 'RUN_TIMEOUT'],
      replica: 0,
      worker: '4f1c',
      code: 'TASK_ERROR',
      error: 'timed out',
    }).find(({ path }) => path.endsWith('/tasks'));
    expect(tasks && cliText(tasks)).toBe(
      "yardmaster jobs tasks 0193 --state FAILED,RUN_TIMEOUT --replica 0 --worker 4f1c --code TASK_ERROR --q 'timed out'",
    );
    expect(tasks && curlText(tasks, 'http://h')).toContain(
      'tasks?state=FAILED&state=RUN_TIMEOUT&replica=0&worker=4f1c&code=TASK_ERROR&q=timed',
    );
  });
  it('begins bulk work with a dry run, and names all jobs only where no filter is set', () => {
    const kill = (search: Record<string, unknown>) =>
      pageCommands('/jobs', search).find(({ label }) => label.startsWith('Kill'));
    expect(kill({})?.body).toEqual({ filter: {}, all: true, dryRun: true });
    expect(kill({ q: 'a' })?.body).toEqual({ filter: { q: 'a' }, dryRun: true });
  });
  it('is in a dialog what the dialog is about to do', () => {
    const bulk = bulkCommand('retry', {
      filter: { status: ['FAILED'], workflowId: 'orders', label: ['a=b'] },
      includeNonRetryable: true,
    });
    expect(cliText(bulk)).toBe(
      'yardmaster jobs retry --status FAILED --workflow orders --label a=b --include-non-retryable',
    );
    expect(bulk.body).toEqual({
      filter: { status: ['FAILED'], workflowId: 'orders', label: ['a=b'] },
      includeNonRetryable: true,
    });
    expect(cliText(bulkCommand('kill', { ids: ['1', '2'] }))).toBe('yardmaster jobs kill 1 2');
    expect(curlText(publishCommand('orders', 'prod', 'abcd', "Ada's"), 'http://h')).toContain(
      `-X PUT -H "authorization: Bearer $YARDMASTER_TOKEN" -H 'content-type: application/json' -d '{"hash":"abcd","description":"Ada'\\''s"}' http://h/api/v1/workflows/orders/environments/prod`,
    );
  });
  it('shows no secret, whatever the address holds, and one word stays one word of the shell', () => {
    for (const command of all) expect(curlText(command, 'http://h')).toContain('$YARDMASTER_TOKEN');
    const [list] = pageCommands('/workflows', { q: `it's "$(rm)"` });
    expect(list && cliText(list)).toBe(`yardmaster workflow list --q 'it'\\''s "$(rm)"'`);
  });
});

describe('a search in any order of letters', () => {
  const best = (query: string, texts: string[]) =>
    texts
      .map((text) => ({ text, score: fuzzy(query, text) }))
      .filter(({ score }) => score !== null)
      .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .map(({ text }) => text);
  it('prefers whole words, then their starts, then letters', () => {
    expect(best('work', ['Network', 'Workers', 'New workflow'])).toEqual(['Workers', 'New workflow', 'Network']);
    expect(best('nwf', ['New workflow', 'Workers'])).toEqual(['New workflow']);
  });
  it('wants every word, in any order', () => {
    expect(fuzzy('flow new', 'New workflow')).not.toBeNull();
    expect(fuzzy('new job', 'New workflow')).toBeNull();
  });
  it('finds a text by any run of its letters', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
        fc.nat(),
        fc.nat(),
        (text, a, b) => {
          const [from, to] = [a % text.length, b % text.length].toSorted((x, y) => x - y) as [number, number];
          expect(fuzzy(text.slice(from, to + 1), text)).not.toBeNull();
        },
      ),
    );
  });
});

describe('a pasted link', () => {
  const here = { protocol: 'https:', host: 'yard.example.com' };
  it('to this console leads there; to another, and what is none, nowhere', () => {
    expect(linkedPath('https://yard.example.com/jobs/1?tab=logs', here)).toBe('/jobs/1?tab=logs');
    expect(linkedPath('https://elsewhere.example.com/jobs/1', here)).toBeNull();
    expect(linkedPath('https://yard.example.com//elsewhere.example.com', here)).toBe('/');
    expect(linkedPath('javascript:alert(1)', here)).toBeNull();
    expect(linkedPath('order 7', here)).toBeNull();
  });
});
