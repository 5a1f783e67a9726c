import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DataHealth } from '../contract/data-health.ts';
import type { RunningMaster } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { openMaster } from './master.fixture.ts';

/*
 * The whole master over real files with flipped bits, anywhere in the database or its log, as it was left by an end in order or
 * by a kill: an acknowledged job has its right output, or is refused by name, or the master says that something is damaged
 * (or does not start, and says why). Never another output, never a lost job untold.
 */
const RUNS = Number(process.env['YARDMASTER_DAMAGE_RUNS'] ?? 10);
const JOBS = 30;
const left: Record<'closed' | 'killed', string> = { closed: '', killed: '' };
const outputs = new Map<string, unknown>();

const json = { 'content-type': 'application/json' };
async function ask(master: RunningMaster, path: string, method = 'GET', body?: unknown, headers = {}) {
  const response = await fetch(`${master.ready.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${master.ready.token}`, ...(body === undefined ? {} : json), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

const definition = {
  schemaVersion: 1,
  name: 'Echo',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'out', type: 'output' },
  ],
  edges: [{ from: 'in', to: 'out' }],
  output: 'out',
};

beforeAll(async () => {
  const data = join(temporaryFolder('damage'), 'data');
  const master = await openMaster({ data });
  await ask(master, '/api/v1/workflows', 'POST', { id: 'echo', name: 'Echo' });
  const commit = await ask(master, '/api/v1/workflows/echo/commits', 'POST', {
    definition,
    message: 'one',
    parent: null,
  });
  const { hash } = commit.body as { hash: string };
  await ask(master, '/api/v1/workflows/echo/environments/dev', 'PUT', { hash });
  const key = await ask(master, '/api/v1/keys', 'POST', { name: 'k', workflows: ['echo'], environments: ['dev'] });
  const apiKey = (key.body as { key: string }).key;
  for (let n = 0; n < JOBS; n++) {
    const input = { n, text: `the text of ${n} `.repeat(n % 10 === 0 ? 2000 : 20) };
    const { status, headers, body } = await ask(master, '/api/v1/events/echo/dev', 'POST', [input], {
      'api-key': apiKey,
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body) === JSON.stringify([input])).toBe(true);
    outputs.set(headers.get('x-job-id') ?? '', [input]);
    if (n === JOBS - 1) {
      left.killed = join(temporaryFolder('damage'), 'killed');
      cpSync(data, left.killed, { recursive: true });
    }
  }
  await master.close();
  left.closed = data;
});

let folder = '';
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function startWith(
  from: 'closed' | 'killed',
  name: string,
  at: number,
  bit: number,
): Promise<RunningMaster | Fault> {
  rmSync(folder, { recursive: true, force: true });
  folder = join(temporaryFolder('damage'), 'data');
  cpSync(left[from], folder, { recursive: true });
  for (const file of ['local.json', 'yardmaster.lock']) rmSync(join(folder, file), { force: true });
  const bytes = readFileSync(join(folder, name));
  const place = Math.floor(at * bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
  writeFileSync(join(folder, name), bytes);
  return openMaster({ data: folder }).catch((error: unknown) => {
    if (error instanceof Fault) return error;
    throw error;
  });
}

it('answers what was written, or says what is damaged', async () => {
  const what = fc.constantFrom(
    ['closed', 'yardmaster.db'] as const,
    ['killed', 'yardmaster.db'] as const,
    ['killed', 'yardmaster.db-wal'] as const,
  );
  const seen = { whole: 0, refused: 0, told: 0, notStarted: 0 };
  await fc.assert(
    fc.asyncProperty(
      what,
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      fc.nat({ max: 7 }),
      async ([from, name], at, bit) => {
        const master = await startWith(from, name, at, bit);
        if (master instanceof Fault) {
          expect(master.code).toMatch(/^(STORE_CORRUPT|SCHEMA_UNKNOWN)$/);
          seen.notStarted++;
          return;
        }
        try {
          const health = (await ask(master, '/api/v1/health/data')).body as DataHealth;
          let wrong = 0;
          for (const [id, output] of outputs) {
            const { status, body } = await ask(master, `/api/v1/jobs/${id}/output`);
            const { code } = body as { code?: string };
            if (status === 500 && code === 'DATA_DAMAGED') seen.refused++;
            else if (status !== 200 || JSON.stringify((body as { output: unknown }).output) !== JSON.stringify(output))
              wrong++;
          }
          if (!health.sound) seen.told++;
          if (wrong > 0) expect(health.sound).toBe(false);
          else seen.whole++;
          // A text that does not check is never answered, whatever is known besides.
          expect(wrong === 0 || health.damages.some(({ file }) => file.startsWith('yardmaster.db'))).toBe(true);
        } finally {
          await master.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(seen.whole + seen.notStarted + seen.told).toBeGreaterThan(0);
}, 300_000);
