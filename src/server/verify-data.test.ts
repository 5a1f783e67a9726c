import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { endFrame, frameOf } from './logs/pipeline/frames.ts';
import { openMaster } from './master.fixture.ts';
import { verifyData } from './verify-data.ts';

const ADMIN = 'a'.repeat(40);
let data: string;
beforeEach(async () => {
  data = join(temporaryFolder('verify'), 'data');
  const master = await openMaster({ data, adminToken: ADMIN });
  const response = await fetch(`http://127.0.0.1:${master.ready.ports.logStore}/insert/jsonline`, {
    method: 'POST',
    body: Array.from({ length: 5000 }, (_, n) => `{"_time":"2026-01-01T00:00:00.000Z","_msg":"line ${n}"}\n`).join(''),
  });
  expect(response.status).toBe(200);
  const written = await fetch(
    `http://127.0.0.1:${master.ready.ports.metrics}/api/v2/write?org=yardmaster&bucket=metrics`,
    {
      method: 'POST',
      headers: { authorization: `Token ${ADMIN}` },
      body: 'climate,room=attic degrees=21',
    },
  );
  expect(written.status).toBe(204);
  await master.close();
});

it('says of a folder that is as it was written that all of it is sound, shallow and deep', async () => {
  const shallow = await verifyData(data, false);
  const deep = await verifyData(data, true);
  expect([shallow.damages, deep.damages]).toEqual([[], []]);
  expect(deep.bytes).toBeGreaterThan(shallow.bytes);
});

it('finds a flipped byte in the database and in lines that wait, by file', async () => {
  const queue = join(data, 'pipeline', 'queue');
  mkdirSync(queue, { recursive: true });
  const bytes = Buffer.concat([frameOf(Buffer.from('{"_msg":"one"}\n'), 1, 0), endFrame(1)]);
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  writeFileSync(join(queue, '000000000001-a.batch'), bytes);
  const database = readFileSync(join(data, 'yardmaster.db'));
  const at = Math.floor(database.length / 2);
  database[at] = (database[at] ?? 0) ^ 1;
  writeFileSync(join(data, 'yardmaster.db'), database);
  const files = (await verifyData(data, true)).damages.map(({ file }) => file);
  expect(files).toContain('yardmaster.db');
  expect(files).toContain('pipeline/queue/000000000001-a.batch');
});

it('finds damaged points of metrics', async () => {
  const file = join(data, 'metrics', 'head.db');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('attic');
  expect(at).toBeGreaterThan(0);
  bytes.write('z', at);
  writeFileSync(file, bytes);
  const { damages } = await verifyData(data, true);
  expect(damages.map(({ part }) => part)).toContain('metrics');
});
