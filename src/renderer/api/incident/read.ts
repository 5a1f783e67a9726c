import { type TarHeader, unpackTar } from 'modern-tar';
import {
  INCIDENT_FORMAT,
  INCIDENT_PATHS,
  INCIDENT_VERSION,
  type IncidentEnd,
  type IncidentManifest,
} from '../../../contract/incident.ts';

/** What is wrong with a file that should be an incident bundle. */
export type BundleProblem = 'not-a-bundle' | 'damaged' | 'cut' | 'newer' | 'too-large' | 'too-many-parts';

export class BundleFault extends Error {
  readonly trouble: BundleProblem;
  /** What it was, for those who want to know. */
  readonly detail: string;
  constructor(trouble: BundleProblem, detail = '') {
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
export async function readBundle(
  file: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: BundleLimits,
  onBytes: (bytes: number) => void,
): Promise<Bundle> {
  let seen = 0;
  const isTaken = ({ name, size, type }: TarHeader): boolean => {
    // A bundle begins with its manifest: anything else is told by the first part.
    if (++seen === 1 && name !== INCIDENT_PATHS.manifest) throw new BundleFault('not-a-bundle', name.slice(0, 100));
    if (seen > limits.parts) throw new BundleFault('too-many-parts', `more than ${limits.parts}`);
    // A part is held in memory whole: what may not be taken is told before it is.
    if (size > limits.bytes)
      throw new BundleFault('too-large', `a part has ${size} bytes, at most ${limits.bytes} are taken`);
    return type === 'file';
  };
  const entries = await unpackTar(unzipped(file, limits, onBytes), { strict: true, filter: isTaken }).catch(
    (error: unknown) => {
      if (error instanceof BundleFault) throw error;
      const cut = String(error).includes('truncated');
      throw new BundleFault(!cut ? 'damaged' : seen === 0 ? 'not-a-bundle' : 'cut', String(error));
    },
  );
  const parts = new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
  const manifest = parts.get(INCIDENT_PATHS.manifest);
  if (manifest === undefined) throw new BundleFault('not-a-bundle');
  const read = manifestIn(manifest);
  const end = parts.get(INCIDENT_PATHS.end);
  if (end === undefined) throw new BundleFault('cut');
  return { manifest: read, end: endIn(end), parts };
}

/** The archive in the file. What is wrong with it comes as a `BundleFault`. */
function unzipped(
  file: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: BundleLimits,
  onBytes: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = file.pipeThrough(new DecompressionStream('gzip')).getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // The browser tells what is no gzip and what ends early by the same kind of error.
        throw new BundleFault(bytes === 0 ? 'not-a-bundle' : 'cut', String(error));
      });
      if (done) return controller.close();
      bytes += value.length;
      if (bytes > limits.bytes + 1024 * limits.parts) {
        void reader.cancel().catch(() => undefined);
        throw new BundleFault('too-large', `${limits.bytes}`);
      }
      onBytes(bytes);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function manifestIn(bytes: Uint8Array): IncidentManifest {
  const manifest = parsed<Partial<IncidentManifest>>(bytes);
  const { format, version, createdAt, createdBy, cluster, master, jobId, jobs, payloads } = manifest;
  if (format !== INCIDENT_FORMAT) throw new BundleFault('not-a-bundle', String(format).slice(0, 100));
  if (typeof version !== 'number' || version > INCIDENT_VERSION)
    throw new BundleFault('newer', String(master?.version ?? version).slice(0, 40));
  const texts = [createdAt, createdBy, cluster, jobId];
  if (
    texts.some((text) => typeof text !== 'string') ||
    typeof payloads !== 'boolean' ||
    !isTexts(jobs) ||
    typeof master?.version !== 'string' ||
    Number.isNaN(Date.parse(createdAt ?? ''))
  )
    throw new BundleFault('damaged', 'the manifest lacks something');
  // Checked above, as far as it is read.
  return manifest as IncidentManifest;
}

/** What the page shows of the end is there, whoever wrote the file. */
function endIn(bytes: Uint8Array): IncidentEnd {
  const end = parsed<Partial<IncidentEnd>>(bytes);
  if (!isTexts(end.leftOut)) throw new BundleFault('damaged', 'the last part lacks something');
  // Checked above, as far as it is read.
  return end as IncidentEnd;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** JSON of a part. Throws `BundleFault`. */
export function parsed<T>(bytes: Uint8Array): T {
  try {
    const value: T = JSON.parse(decoder.decode(bytes));
    if (value === null || typeof value !== 'object') throw new BundleFault('damaged', 'a part is no JSON object');
    return value;
  } catch (error) {
    throw error instanceof BundleFault ? error : new BundleFault('damaged', String(error));
  }
}
