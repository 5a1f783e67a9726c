import { INCIDENT_FORMAT, INCIDENT_PATHS, INCIDENT_VERSION, type IncidentEnd, type IncidentManifest } from '../../../contract/incident.ts';
import { createTarReader, NotTar } from '../../../lib/tar.ts';

/** What is wrong with a file that should be an incident bundle. */
export type BundleTrouble = 'not-a-bundle' | 'damaged' | 'cut' | 'newer' | 'too-large' | 'too-many-parts';

export class BundleFault extends Error {
  readonly trouble: BundleTrouble;
  /** What it was, for those who want to know. */
  readonly detail: string;
  constructor(trouble: BundleTrouble, detail = '') {
    super(`${trouble}: ${detail}`);
    this.trouble = trouble;
    this.detail = detail;
  }
}

export interface BundleLimits {
  /** Bytes of all parts, unpacked: what a small file that unpacks without end is stopped by. */
  readonly bytes: number;
  readonly parts: number;
}

export interface Bundle {
  readonly manifest: IncidentManifest;
  readonly end: IncidentEnd;
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

const decoder = new TextDecoder();

/** Unpacks a bundle piece by piece. `onBytes` hears how far it is. Throws `BundleFault`. */
export async function readBundle(file: ReadableStream<Uint8Array<ArrayBuffer>>, limits: BundleLimits, onBytes: (bytes: number) => void): Promise<Bundle> {
  const tar = createTarReader({ partBytes: limits.bytes, parts: limits.parts });
  const parts = new Map<string, Uint8Array>();
  const reader = file.pipeThrough(new DecompressionStream('gzip')).getReader();
  let bytes = 0;
  let manifest: IncidentManifest | null = null;
  try {
    for (;;) {
      const { done, value } = await unpack(reader, bytes);
      if (done) break;
      bytes += value.length;
      // A part is held in memory whole: what may not be taken is told before it is.
      if (bytes > limits.bytes + 1024 * limits.parts) throw new BundleFault('too-large', `${limits.bytes}`);
      for (const part of partsIn(tar, value)) {
        manifest ??= manifestIn(part.name, part.bytes);
        parts.set(part.name, part.bytes);
      }
      onBytes(bytes);
      if (tar.ended) break;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  if (manifest === null) throw new BundleFault('not-a-bundle');
  const end = parts.get(INCIDENT_PATHS.end);
  if (!tar.ended || end === undefined) throw new BundleFault('cut');
  return { manifest, end: endIn(end), parts };
}

async function unpack(reader: ReadableStreamDefaultReader<Uint8Array>, bytes: number): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch (error) {
    // The browser tells what is no gzip and what ends early by the same kind of error.
    throw new BundleFault(bytes === 0 ? 'not-a-bundle' : 'cut', String(error));
  }
}

function partsIn(tar: ReturnType<typeof createTarReader>, piece: Uint8Array) {
  try {
    return tar.push(piece);
  } catch (error) {
    if (error instanceof RangeError) throw new BundleFault(error.message.includes('parts') ? 'too-many-parts' : 'too-large', error.message);
    if (error instanceof NotTar) throw new BundleFault('damaged', error.message);
    throw error;
  }
}

/** A bundle begins with its manifest: anything else is told by the first part. */
function manifestIn(name: string, bytes: Uint8Array): IncidentManifest {
  if (name !== INCIDENT_PATHS.manifest) throw new BundleFault('not-a-bundle', name.slice(0, 100));
  const manifest = parsed<Partial<IncidentManifest>>(bytes);
  const { format, version, createdAt, createdBy, cluster, master, jobId, jobs, payloads } = manifest;
  if (format !== INCIDENT_FORMAT) throw new BundleFault('not-a-bundle', String(format).slice(0, 100));
  if (typeof version !== 'number' || version > INCIDENT_VERSION) throw new BundleFault('newer', String(master?.version ?? version).slice(0, 40));
  const texts = [createdAt, createdBy, cluster, jobId];
  if (texts.some((text) => typeof text !== 'string') || typeof payloads !== 'boolean' || !isTexts(jobs) || typeof master?.version !== 'string' || Number.isNaN(Date.parse(createdAt ?? ''))) throw new BundleFault('damaged', 'the manifest lacks something');
  return manifest as IncidentManifest;
}

/** What the page shows of the end is there, whoever wrote the file. */
function endIn(bytes: Uint8Array): IncidentEnd {
  const end = parsed<Partial<IncidentEnd>>(bytes);
  if (!isTexts(end.leftOut)) throw new BundleFault('damaged', 'the last part lacks something');
  return end as IncidentEnd;
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** JSON of a part. Throws `BundleFault`. */
export function parsed<T>(bytes: Uint8Array): T {
  try {
    const value = JSON.parse(decoder.decode(bytes)) as T;
    if (value === null || typeof value !== 'object') throw new BundleFault('damaged', 'a part is no JSON object');
    return value;
  } catch (error) {
    throw error instanceof BundleFault ? error : new BundleFault('damaged', String(error));
  }
}
