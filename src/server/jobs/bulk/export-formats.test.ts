import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobFilter } from '../../../contract/jobs.ts';
import { csvField } from '../../../lib/csv.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { CSV_COLUMNS } from './export-formats.ts';
import type { ExportFormat } from './port.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const flow = (workflowId = 'flow') => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });
async function text(format: ExportFormat, filter: JobFilter = {}): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const piece of rig.jobs.export({ filter }, format)) all += decoder.decode(piece, { stream: true });
  return all;
}
const listed = async (filter: JobFilter = {}): Promise<Job[]> =>
  (await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,desc', ...filter })).items;
const lines = (ndjson: string): Job[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Job);

describe('an export', () => {
  it('holds all jobs, newest first, as the list shows them', async () => {
    for (let i = 0; i < 5; i++) await rig.submit(flow(), i % 2 ? [{ i }] : [], { externalId: `order-${i}` });
    expect(JSON.parse(await text('json'))).toEqual(await listed());
    expect(lines(await text('ndjson'))).toEqual(await listed());
    const [head, ...rows] = (await text('csv')).split('\r\n');
    expect(head).toBe(CSV_COLUMNS.join(','));
    expect(rows.filter((row) => row !== '').map((row) => row.split(',').slice(0, 4))).toEqual(
      (await listed()).map(({ id, externalId, status, workflowId }) => [id, externalId, status, workflowId]),
    );
  });

  it('shows no secret that a caller put into an external id or a label', async () => {
    await rig.close();
    const named = [{ name: 'SHOP_KEY', value: 'COMPLETED-22' }];
    rig = await openRig({
      secrets: {
        lease: () => ({}),
        refusal: () => null,
        recordUses() {},
        redactor: createRedactor(named, 6),
        watch: (listener) => listener(named),
      },
    });
    await rig.submit(flow(), [{}], { externalId: 'order COMPLETED-22', labels: { key: 'COMPLETED-22', team: 'x' } });
    for (const format of ['json', 'ndjson', 'csv'] as const) {
      const shown = await text(format);
      expect(shown).not.toContain('COMPLETED-22');
      expect(shown).toContain('order [secret SHOP_KEY]');
    }
  });

  it('of nothing is still a document', async () => {
    expect(JSON.parse(await text('json'))).toEqual([]);
    expect(await text('ndjson')).toBe('');
    expect(await text('csv')).toBe(`${CSV_COLUMNS.join(',')}\r\n`);
  });

  it('holds what each filter of the list leaves, over several blocks of jobs', async () => {
    const all = await Promise.all(
      Array.from({ length: 4300 }, (_, i) =>
        rig.submit(flow(i % 3 === 0 ? 'third' : 'flow'), i < 10 ? [{}] : [], i === 7 ? { externalId: 'seven' } : {}),
      ),
    );
    expect(lines(await text('ndjson')).map(({ id }) => id)).toEqual(all.toReversed());
    const filters: JobFilter[] = [
      { status: ['RUNNING'] },
      { status: ['RUNNING', 'EMPTY'], workflowId: 'third' },
      { externalId: 'seven' },
      { q: 'sev' },
      { q: (all[0] as string).slice(0, 13), status: ['RUNNING'] },
      { environment: 'prod' },
      { createdTo: '2001-01-01T00:00:00Z' },
      { createdFrom: '2001-01-01T00:00:00Z', status: ['RUNNING'] },
    ];
    for (const filter of filters) {
      const expected = (await listed(filter)).map(({ id }) => id);
      const got = lines(await text('ndjson', filter)).map(({ id }) => id);
      expect([filter, got.slice(0, 500)]).toEqual([filter, expected]);
    }
  });

  it('ends where its reader does, and frees its place', async () => {
    await rig.close();
    rig = await openRig({ limits: { jobExports: 1 } });
    await Promise.all(Array.from({ length: 1200 }, () => rig.submit(flow(), [])));
    const first = rig.jobs.export({ filter: {} }, 'csv');
    await first.next();
    await expect(rig.jobs.export({ filter: {} }, 'csv').next()).rejects.toMatchObject({ code: 'OVERLOADED' });
    await first.return(undefined);
    expect(lines(await text('ndjson'))).toHaveLength(1200);
  });
});

describe('a CSV field', () => {
  it('is quoted by RFC 4180, so that a reader gets it back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é') }), { minLength: 1 }),
        (values) => {
          expect(parseLine(values.map(csvField).join(','))).toEqual(
            values.map((value) => (/^[\t\r\n]/.test(value) ? `'${value}` : value)),
          );
        },
      ),
    );
  });

  it('is never a formula to a spreadsheet', () => {
    for (const start of ['=', '+', '-', '@', '\t=', ' =', '＝', '|'])
      expect(csvField(`${start}cmd`).replace(/^"/, '').startsWith("'")).toBe(true);
    expect([csvField('plain'), csvField(-5), csvField(null), csvField('a=b')]).toEqual(['plain', '-5', '', 'a=b']);
  });
});

/** The fields of one record. */
function parseLine(text: string): string[] {
  const fields: string[] = [];
  for (let i = 0; i <= text.length; i++) {
    let field = '';
    if (text[i] === '"') {
      for (i++; !(text[i] === '"' && text[i + 1] !== '"'); i++) {
        if (text[i] === '"') i++;
        field += text[i];
      }
      i++;
    } else for (; i < text.length && text[i] !== ','; i++) field += text[i];
    fields.push(field);
  }
  return fields;
}
