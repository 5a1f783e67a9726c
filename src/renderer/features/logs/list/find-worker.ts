import type { Chunk } from './chunk.ts';
import { type FindOptions, matchesIn, patternFor } from './find.ts';

/** Looks through chunks away from the window's own thread: no pattern, however bad, holds the window up. */
export interface FindRequest {
  readonly id: number;
  readonly what: FindOptions;
  readonly chunk: Chunk;
}
export interface FindReply {
  readonly id: number;
  readonly first: number;
  readonly count: number;
  readonly places: Uint32Array;
}

self.onmessage = ({ data: { id, what, chunk } }: MessageEvent<FindRequest>) => {
  const pattern = patternFor(what);
  const places = pattern === null ? new Uint32Array() : matchesIn(chunk, pattern, what.columns);
  self.postMessage({ id, first: chunk.first, count: chunk.count, places } satisfies FindReply, {
    transfer: [places.buffer],
  });
};
