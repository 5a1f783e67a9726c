import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { fakeMaster } from '../../process-io.fake.ts';

interface Version {
  hash: string;
  definition: unknown;
  message: string;
}
interface Known {
  id: string;
  name: string;
  description: string | null;
  versions: Version[];
  dev: string | null;
}

/** A master with workflows in memory, as far as these commands ask it. */
let known: Map<string, Known>;
let changes: string[];
const hashOf = (n: number) => n.toString(16).padStart(40, '0');
const headOf = ({ versions }: Known) => versions.at(-1)?.hash ?? null;
const view = (one: Known) => ({
  id: one.id,
  name: one.name,
  description: one.description,
  head: headOf(one),
  archivedAt: null,
  environments: [{ environment: 'dev', hash: one.dev, description: null, publishedAt: null, publishedBy: null }],
  ...{ limits: { eventsPerSecond: null, concurrency: null }, createdAt: AT, updatedAt: AT, project: 'default' },
});
const AT = '2026-01-01T00:00:00.000Z';
/** Pages that the list of workflows is said to have. */
let pages = 1;
let made = 0;
const master = fakeMaster(({ method, path, body }, response) => {
  const [, , , , id = '', part = '', name = ''] = path.split('?')[0]?.split('/') ?? [];
  const one = known.get(id);
  if (method !== 'GET') changes.push(`${method} ${path}`);
  if (path.startsWith('/api/v1/schedules')) return { items: [], page: 0, size: 500, totalItems: 0, totalPages: 1 };
  if (id === '' && method === 'GET')
    return { items: [...known.values()].map(view), page: 0, size: 500, totalItems: known.size, totalPages: pages };
  const given = body === '' ? {} : (JSON.parse(body) as Record<string, string>);
  if (id === '') {
    save(given['id'] ?? '', null, '', given['name']);
    return view(known.get(given['id'] ?? '') as Known);
  }
  if (!one) {
    response.statusCode = 404;
    response.setHeader('content-type', 'application/problem+json');
    return { type: '', title: '', status: 404, detail: 'not found', code: 'WORKFLOW_NOT_FOUND', instance: '' };
  }
  if (part === '') return view(one);
  if (part === 'commits' && method === 'POST')
    return { ...save(id, given['definition'], given['message'] ?? ''), faults: [] };
  if (part === 'commits') {
    const version = one.versions.find(({ hash }) => hash === name);
    return {
      ...{ ...version, workflowId: id, parent: null, author: { name: 'ann', email: 'ann@example.org' }, createdAt: AT },
      ...{ restores: null, description: null, environments: [], valid: true, faults: [] },
    };
  }
  one.dev = given['hash'] ?? null;
  return { environment: 'dev', hash: one.dev };
});
function save(id: string, definition: unknown, message: string, name = id): Version | null {
  const one = known.get(id) ?? { id, name, description: null, versions: [], dev: null };
  known.set(id, one);
  if (definition === null) return null;
  const version = { hash: hashOf(++made), definition, message };
  one.versions.push(version);
  return version;
}

let folder: string;
beforeEach(() => {
  known = new Map();
  changes = [];
  pages = 1;
  folder = temporaryFolder('code');
  save('orders', { schemaVersion: 1, name: 'Orders', nodes: [{ id: 'a', big: 1 }] }, 'In the console');
});
const run = (...args: string[]) => master.yardmaster(args);
const file = (name = 'orders.workflow.json') => join(folder, name);
const change = (from: string, to: string, name?: string) =>
  writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to));

describe('workflows as code', () => {
  it('are pulled into files, the same text each time', async () => {
    expect((await run('pull', folder)).code).toBe(0);
    const text = readFileSync(file(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ id: 'orders', base: hashOf(made), definition: { name: 'Orders' } });
    expect((await run('pull', folder)).out).toContain('= orders');
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect((await run('plan', folder, '--check')).code).toBe(0);
    expect(changes).toEqual([]);
  });

  it('show what a push would change, and change nothing by that', async () => {
    await run('pull', folder);
    change('"big": 1', '"big": 2');
    const plan = await run('plan', folder);
    expect(plan.out).toContain('~ nodes/0/big: 1 → 2');
    expect(plan.out).toContain('0 to create, 1 to change');
    expect((await run('plan', folder, '--check')).code).toBe(1);
    expect((await run('push', folder, '--dry-run')).code).toBe(0);
    expect(changes).toEqual([]);
  });

  it('are read once from a master whose list has no end', async () => {
    pages = 1e9;
    const { code, out } = await run('pull', folder);
    expect([code, out.split('\n').filter((line) => line.includes('orders.workflow')).length]).toEqual([0, 1]);
  });

  it('are saved as versions and published where the file says so, and only what changed', async () => {
    await run('pull', folder);
    change('"big": 1', '"big": 2');
    change('"definition"', '"publish": ["dev"],\n  "definition"');
    writeFileSync(
      file('new.workflow.json'),
      JSON.stringify({ id: 'fresh', name: 'Fresh', definition: { name: 'Fresh' } }),
    );
    expect((await run('push', folder)).code).toBe(0);
    expect(known.get('orders')?.dev).toBe(headOf(known.get('orders') as Known));
    expect(known.get('fresh')?.versions).toHaveLength(1);
    changes = [];
    expect((await run('push', folder)).code).toBe(0);
    expect(changes).toEqual([]);
    // A push knows what a push saved, without the file being pulled again.
    change('"big": 2', '"big": 3');
    expect((await run('push', folder)).code).toBe(0);
  });

  it('refuse to go over a version that was saved on the master meanwhile, unless they are forced', async () => {
    await run('pull', folder);
    change('"big": 1', '"big": 2');
    save('orders', { name: 'Changed in the console' }, 'In the console again');
    expect((await run('plan', folder)).out).toContain('drifted');
    const push = await run('push', folder);
    expect([push.code, push.err]).toEqual([1, expect.stringContaining('do not know: orders')]);
    expect(changes).toEqual([]);
    expect((await run('push', folder, '--force')).code).toBe(0);
  });

  it.each([
    ['a key that is there twice', 'definition:\n  a: 1\n  a: 2\n', 'the key "a" is there twice'],
    ['a key that is no text', 'definition:\n  ? {a: 1}\n  : 2\n', 'keys must be texts'],
    [
      'aliases that grow without an end',
      `definition:\n  a0: &a0 [1, 1]\n${Array.from({ length: 30 }, (_, i) => `  a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}1]\n`).join('')}`,
      'Excessive alias count',
    ],
  ])('are refused as YAML with %s', async (_, text, why) => {
    writeFileSync(file('big.workflow.yaml'), `id: big\nname: Big\n${text}`);
    const { code, err } = await run('plan', folder);
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
  });

  it('are read in a moment as YAML with very many keys', async () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `  k${i}: ${i}\n`).join('');
    writeFileSync(file('big.workflow.yaml'), `id: big\nname: Big\ndefinition:\n${keys}`);
    expect((await run('plan', folder)).code).toBe(0);
  });

  it('may be YAML, and keep numbers that a double cannot hold', async () => {
    writeFileSync(
      file('big.workflow.yaml'),
      'id: big\nname: Big\ndefinition:\n  name: Big\n  value: 12345678901234567890\n',
    );
    expect((await run('push', folder, '--force')).code).toBe(0);
    await run('pull', folder, 'big');
    expect(readFileSync(file('big.workflow.yaml'), 'utf8')).toMatch(/base: "?0{30}/);
    expect(existsSync(file('big.workflow.json'))).toBe(false);
    await run('pull', folder, '--format', 'yaml');
    expect(readFileSync(file('orders.workflow.yaml'), 'utf8')).toContain('big: 1');
  });

  it.each([
    ['{"id": "x"', /not valid JSON/],
    ['{"id": "Not An Id", "definition": {}}', /"id" must match/],
    ['{"id": "x", "definition": {}, "publish": ["moon"]}', /list of environments/],
    ['{"id": "x", "definition": {}, "base": "main"}', /hash of a version/],
  ])('refuse %s', async (text, why) => {
    writeFileSync(file(), text);
    const { code, err } = await run('plan', folder);
    expect([code, err]).toEqual([1, expect.stringMatching(why)]);
    expect(err).toContain('orders.workflow.json');
  });
});
