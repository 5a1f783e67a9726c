import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { query } from '../../testing/postgres.fixture.ts';
import { startJournal } from '../testing.fixture.ts';
import { bucketBodies } from './bucket.ts';
import type { SnapshotBodies } from './port.ts';
import { openBucket } from './s3-client.ts';
import { startFakeS3, type FakeS3 } from './s3.fake.ts';
import { withBodies } from './with-bodies.ts';

let s3: FakeS3;
beforeEach(async () => {
  s3 = await startFakeS3();
});
afterEach(() => s3.close());

const open = (where = "s3://bucket/deep/it's-(all)/", env: Record<string, string> = {}, objectBytes = 1000) =>
  bucketBodies(openBucket(where, 'cluster', { ...s3.env, ...env }, 1), objectBytes);

async function put(bodies: SnapshotBodies, id: number, chunks: readonly Uint8Array[]): Promise<void> {
  await bodies.begin(id);
  for (const [i, chunk] of chunks.entries()) await bodies.put(id, i, chunk);
  await bodies.end(id);
}

async function read(bodies: SnapshotBodies, id: number, count: number): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (let i = 0; i < count; i++) found.push((await bodies.chunk(id, i)) ?? new Uint8Array());
  return found;
}

const CHUNKS = [400, 700, 10, 5000, 0, 3].map((bytes) => new Uint8Array(randomBytes(bytes)));

it('takes snapshots into a bucket, restores a master from there, and keeps as many as are needed', async () => {
  const rig = await startJournal();
  try {
    const bodies = open('s3://bucket', {}, 200_000);
    await bodies.probe();
    const database = withBodies(rig.connect(), bodies);
    const { store } = await rig.own('a', rig.file());
    await store.durable();
    const replica = await rig.follow(rig.file(), database);
    for (let i = 0; i < 3; i++) await replica.takeSnapshot('b');
    await database.trim(2);
    expect(await bodies.ids()).toHaveLength(2);
    expect(await query(rig.url, 'SELECT count(*)::int AS n FROM yardmaster.snapshot_chunk WHERE index >= 0')).toEqual([
      { n: 0 },
    ]);
    // The journal before it is gone: this one has nothing but the snapshot.
    await database.trim(1);
    expect([...s3.objects.keys()].every((key) => key.startsWith('cluster/'))).toBe(true);
    expect((await rig.follow(rig.file(), database)).position).toEqual(replica.position);
  } finally {
    await rig.close();
  }
});

it('gives back what was put, whatever the sizes of chunks and objects', async () => {
  let id = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 100 }),
      async (chunks, objectBytes) => {
        const bodies = open('s3://bucket/p', {}, objectBytes);
        await put(bodies, ++id, chunks);
        expect((await read(bodies, id, chunks.length)).map((one) => [...one])).toEqual(chunks.map((one) => [...one]));
      },
    ),
    { numRuns: 25 },
  );
});

it('puts chunks together into objects, and begins anew where another snapshot of that number was left', async () => {
  const bodies = open();
  await put(bodies, 4, CHUNKS);
  expect(s3.objects.size).toBe(4);
  await put(bodies, 4, CHUNKS.slice(0, 1));
  expect([...s3.objects.keys()]).toEqual([
    "deep/it's-(all)/cluster/4/000000",
    "deep/it's-(all)/cluster/4/manifest.json",
  ]);
  expect(await bodies.ids()).toEqual([4]);
  await bodies.drop(4);
  expect(s3.objects.size).toBe(0);
  expect(await bodies.chunk(4, 0)).toBeNull();
});

it('sends and reads again what was cut or answered "slow down"', async () => {
  const bodies = open();
  s3.weather.slow = 2;
  await put(bodies, 1, CHUNKS);
  s3.weather.cuts = 2;
  expect(await read(bodies, 1, CHUNKS.length)).toEqual(CHUNKS);
});

it('says so where it is cut again and again, and a snapshot that failed is not whole', async () => {
  const bodies = open();
  await put(bodies, 1, CHUNKS);
  s3.weather.cuts = 100;
  await expect(bodies.chunk(1, 0)).rejects.toMatchObject({
    code: 'SNAPSHOTS_UNUSABLE',
    message: expect.stringMatching(
      /^s3:\/\/bucket\/.*manifest.json: 127\.0\.0\.1:\d+ cannot be reached, or .* was cut/,
    ),
  });
  s3.weather.cuts = 0;
  await bodies.begin(2);
  s3.weather.denied = ['PUT'];
  await expect(bodies.put(2, 0, CHUNKS[3] ?? new Uint8Array())).rejects.toThrow('access is denied');
  s3.weather.denied = [];
  await expect(bodies.end(2)).rejects.toThrow('the snapshot 2 was not begun, or failed');
  expect(await bodies.chunk(2, 0)).toBeNull();
});

it.each([
  ['a byte that changed', (bytes: Buffer) => bytes.fill((bytes[5] ?? 0) ^ 1, 5, 6), 'its SHA-256 is not'],
  ['an object that is too short', (bytes: Buffer) => bytes.subarray(1), 'it has 1099 bytes instead of 1100'],
  ['an object that is missing', () => null, 'it is missing'],
])('refuses %s', async (_, harm, why) => {
  const bodies = open();
  await put(bodies, 7, CHUNKS);
  const key = [...s3.objects.keys()].find((one) => one.endsWith('/000000')) ?? '';
  const harmed = harm(Buffer.from(s3.objects.get(key) ?? ''));
  if (harmed) s3.objects.set(key, harmed);
  else s3.objects.delete(key);
  const refused = bodies.chunk(7, 0);
  await expect(refused).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  await expect(refused).rejects.toThrow(`7/000000 is damaged: ${why}`);
});

it('reads no more of an object than was put there', async () => {
  const bodies = open();
  await put(bodies, 7, CHUNKS);
  const key = [...s3.objects.keys()].find((one) => one.endsWith('/000000')) ?? '';
  s3.objects.set(key, Buffer.alloc(20 * 1024 * 1024));
  await expect(bodies.chunk(7, 0)).rejects.toThrow('more than 16777216 bytes');
});

it.each([[''], ['{}'], ['{"version":2,"parts":[],"chunks":[]}'], ['{"version":1,"parts":[],"chunks":[[0,-1,5]]}']])(
  'refuses the manifest %j',
  async (text) => {
    const bodies = open();
    await put(bodies, 7, CHUNKS);
    const key = [...s3.objects.keys()].find((one) => one.endsWith('manifest.json')) ?? '';
    s3.objects.set(key, Buffer.from(text));
    await expect(bodies.chunk(7, 0)).rejects.toThrow('it is no manifest');
  },
);

it.each<[string, () => SnapshotBodies, RegExp]>([
  [
    'a bucket that is not there',
    () => open('s3://another/x'),
    /no such bucket: create it.*NoSuchBucket.*bucket another/,
  ],
  ['a wrong key', () => open(undefined, { AWS_ACCESS_KEY_ID: 'AKOTHER' }), /AWS_ACCESS_KEY_ID.*key AKOTHER/],
  ['a wrong secret', () => open(undefined, { AWS_SECRET_ACCESS_KEY: 'no' }), /AWS_SECRET_ACCESS_KEY \(Signature/],
  ['another region', () => open(undefined, { AWS_REGION: 'us-east-1' }), /set AWS_REGION .*region us-east-1/],
  ['a clock that is off', () => ((s3.weather.skewMs = 3_600_000), open()), /clock of this machine .*NTP/],
  ['a missing right', () => ((s3.weather.denied = ['DELETE']), open()), /access is denied: .*s3:DeleteObject/],
  [
    'an endpoint where nobody listens',
    () => open(undefined, { AWS_ENDPOINT_URL_S3: 'http://nobody.invalid' }),
    /nobody\.invalid cannot be reached.*(ENOTFOUND|EAI_AGAIN).*AWS_ENDPOINT_URL_S3/,
  ],
])('names %s before a master starts', async (_, bodies, why) => {
  const probed = bodies().probe();
  await expect(probed).rejects.toMatchObject({ code: 'SNAPSHOTS_UNUSABLE' });
  await expect(probed).rejects.toThrow(why);
  await expect(probed).rejects.not.toThrow(s3.env['AWS_SECRET_ACCESS_KEY']);
});

it.each<[string, Record<string, string>, RegExp]>([
  ['s3:/bucket', {}, /s3:\/\/BUCKET\/PREFIX/],
  ['s3://B', {}, /s3:\/\/BUCKET\/PREFIX/],
  ['s3://bucket/a?b', {}, /s3:\/\/BUCKET\/PREFIX/],
  ['s3://bucket', { AWS_SECRET_ACCESS_KEY: '' }, /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
  ['s3://bucket', { AWS_ENDPOINT_URL_S3: 'minio:9000' }, /AWS_ENDPOINT_URL_S3 expects/],
])('refuses %s with %j', (where, env, why) => {
  expect(() => open(where, env)).toThrow(why);
});
