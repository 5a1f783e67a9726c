import type { IncidentEnd, IncidentManifest } from '../../../contract/incident.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { Source } from '../client.ts';
import { BundleFault } from './read.ts';
import type { BundleRequest, BundleReply } from './bundle-worker.ts';

export interface OpenBundle {
  readonly manifest: IncidentManifest;
  readonly end: IncidentEnd;
  /** Answers in the place of a master. */
  readonly source: Source;
  close(): void;
}

/** Opens a bundle in a worker. Rejects with `BundleFault`; `onBytes` hears how much is unpacked. */
export async function openBundle(
  file: Blob,
  onBytes: (bytes: number) => void,
  limits = { bytes: LIMITS.incidentBytes, parts: LIMITS.incidentParts },
): Promise<OpenBundle> {
  const worker = new Worker(new URL('./bundle-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, { resolve(reply: BundleReply): void; reject(error: Error): void }>();
  let last = 0;
  const over = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<BundleReply>) => {
    if ('bytes' in data) return onBytes(data.bytes);
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('trouble' in data) call?.reject(new BundleFault(data.trouble, data.detail));
    else call?.resolve(data);
  };
  // Memory that runs out ends a worker with an error.
  worker.onerror = (event) => over(new BundleFault('too-large', event.message));
  const ask = (what: { file: Blob; limits: typeof limits } | { method: string; url: string }) =>
    new Promise<BundleReply>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...what } satisfies BundleRequest);
    });
  const close = () => {
    over(new Error('closed'));
    worker.terminate();
  };
  try {
    const reply = await ask({ file, limits });
    if (!('opened' in reply)) throw new BundleFault('damaged');
    return {
      ...reply.opened,
      close,
      async source(method, url) {
        const answer = await ask({ method, url });
        if (!('status' in answer)) throw new BundleFault('damaged');
        return new Response(answer.text, {
          status: answer.status,
          headers: { 'content-type': answer.status === 200 ? 'application/json' : 'application/problem+json' },
        });
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
