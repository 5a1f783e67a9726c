import { Fault } from '../../../lib/fault.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { SnapshotBodies } from './port.ts';
import { sha256, type Bucket } from './s3-client.ts';

/** Is put last: a snapshot that has it is whole. */
const MANIFEST = 'manifest.json';
const MANIFEST_BYTES = 64 * 1024 * 1024;
/** The largest `snapshotObjectBytes`, and the chunk that passes it. */
const MOST_PART_BYTES = 1024 * 1024 * 1024 + 2 * 1024 * 1024;

interface Part {
  readonly bytes: number;
  readonly sha256: string;
}
/** Part, first byte in it, length. */
type Place = readonly [part: number, from: number, length: number];
interface Manifest {
  readonly version: 1;
  readonly parts: readonly Part[];
  readonly chunks: readonly Place[];
}

interface Writing {
  parts: Part[];
  chunks: Place[];
  held: Uint8Array[];
  heldBytes: number;
}

/**
 * Bodies in an S3 bucket: `<id>/000000`, `<id>/000001`, … with chunks one after the other, and `<id>/manifest.json`, which
 * says where each begins and what the hash of each object is. Plain objects instead of a multipart upload: what a master
 * that dies leaves is seen in a list, and removed like anything else.
 *
 * @param objectBytes chunks come together in objects of about this size: few requests, and little to send anew where one is cut
 */
export function bucketBodies(bucket: Bucket, objectBytes: number): SnapshotBodies {
  const underWay = new Map<number, Writing>();
  /** A restore goes through one snapshot from its beginning. */
  let manifest: { readonly id: number; readonly read: Promise<Manifest | null> } | null = null;
  let part: { readonly id: number; readonly index: number; readonly read: Promise<Uint8Array> } | null = null;
  const keyOf = (id: number, index: number): string => `${id}/${String(index).padStart(6, '0')}`;

  async function drop(id: number): Promise<void> {
    // First what makes it whole.
    await bucket.remove(`${id}/${MANIFEST}`);
    for (const key of await bucket.list(`${id}/`)) await bucket.remove(key);
  }

  async function flush(id: number, writing: Writing): Promise<void> {
    const body = Buffer.concat(writing.held);
    await bucket.put(keyOf(id, writing.parts.length), body);
    writing.parts.push({ bytes: body.length, sha256: sha256(body) });
    writing.held = [];
    writing.heldBytes = 0;
  }

  function writingOf(id: number): Writing {
    const writing = underWay.get(id);
    if (!writing) throw new Error(`the snapshot ${id} was not begun, or failed`);
    return writing;
  }

  /** What fails is not gone on with: its objects go with the next trim. */
  const step = async (id: number, run: (writing: Writing) => Promise<void>): Promise<void> => {
    const writing = writingOf(id);
    try {
      await run(writing);
    } catch (error) {
      underWay.delete(id);
      throw error;
    }
  };

  async function readManifest(id: number): Promise<Manifest | null> {
    const bytes = await bucket.get(`${id}/${MANIFEST}`, MANIFEST_BYTES);
    if (bytes === null) return null;
    const read = parseManifest(bytes);
    if (read === null) throw damaged(`${id}/${MANIFEST}`, 'it is no manifest of a snapshot of this version');
    return read;
  }

  async function readPart(id: number, index: number, expected: Part): Promise<Uint8Array> {
    const key = keyOf(id, index);
    if (expected.bytes > MOST_PART_BYTES) throw damaged(`${id}/${MANIFEST}`, 'it names an object that is too large');
    const bytes = await bucket.get(key, expected.bytes);
    if (bytes === null) throw damaged(key, 'it is missing');
    if (bytes.length !== expected.bytes)
      throw damaged(key, `it has ${bytes.length} bytes instead of ${expected.bytes}`);
    if (sha256(bytes) !== expected.sha256) throw damaged(key, 'its SHA-256 is not that of what was put');
    return bytes;
  }

  const damaged = (key: string, why: string): Fault =>
    new Fault('STORE_CORRUPT', `the snapshot in ${bucket.shown(key)} is damaged: ${why}`);

  return {
    async probe() {
      const key = `.probe-${process.pid}`;
      const sent = new TextEncoder().encode('yardmaster');
      await bucket.put(key, sent);
      const got = await bucket.get(key, sent.length);
      const listed = await bucket.list(key);
      await bucket.remove(key);
      if (got === null || sha256(got) !== sha256(sent) || !listed.includes(key))
        throw new Fault(
          'SNAPSHOTS_UNUSABLE',
          `${bucket.shown(key)}: what was written there was not found again; the object store must show an object as soon as it was put`,
        );
    },
    async begin(id) {
      await drop(id);
      underWay.set(id, { parts: [], chunks: [], held: [], heldBytes: 0 });
    },
    put: (id, index, body) =>
      step(id, async (writing) => {
        if (index !== writing.chunks.length) throw new Error(`chunk ${index} follows on ${writing.chunks.length - 1}`);
        writing.chunks.push([writing.parts.length, writing.heldBytes, body.length]);
        writing.held.push(body);
        writing.heldBytes += body.length;
        if (writing.heldBytes >= objectBytes) await flush(id, writing);
      }),
    end: (id) =>
      step(id, async (writing) => {
        if (writing.held.length > 0) await flush(id, writing);
        const whole: Manifest = { version: 1, parts: writing.parts, chunks: writing.chunks };
        await bucket.put(`${id}/${MANIFEST}`, new TextEncoder().encode(JSON.stringify(whole)));
        underWay.delete(id);
      }),
    async chunk(id, index) {
      if (index === 0 || manifest?.id !== id) manifest = { id, read: readManifest(id) };
      const whole = await manifest.read;
      if (whole === null) return null;
      const place = whole.chunks[index];
      const expected = place && whole.parts[place[0]];
      if (!place || !expected) throw damaged(`${id}/${MANIFEST}`, `it names no chunk ${index}`);
      if (index === 0 || part?.id !== id || part.index !== place[0])
        part = { id, index: place[0], read: readPart(id, place[0], expected) };
      const bytes = await part.read;
      return bytes.subarray(place[1], place[1] + place[2]);
    },
    async ids() {
      const keys = await bucket.list('');
      return [...new Set(keys.flatMap((key) => /^(\d+)\//.exec(key)?.[1] ?? []).map(Number))];
    },
    drop,
  };
}

function parseManifest(bytes: Uint8Array): Manifest | null {
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isRecord(read) || read['version'] !== 1 || !Array.isArray(read['parts']) || !Array.isArray(read['chunks']))
      return null;
    const isWhole =
      read['parts'].every(
        (one: unknown) => isRecord(one) && isCount(one['bytes']) && typeof one['sha256'] === 'string',
      ) && read['chunks'].every((one: unknown) => Array.isArray(one) && one.length === 3 && one.every(isCount));
    return isWhole ? (read as unknown as Manifest) : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
