import type { Chunk } from './chunk.ts';
import { type FindWhat, matchesIn, patternFor } from './find.ts';

/** Looks through chunks away from the window's own thread: no pattern, however bad, holds the window up. */
export interface FindAsk {
  readonly id: number;
  readonly what: FindWhat;
  readonly chunk: Chunk;
}
export interface FindAnswer {
  readonly id: number;
  readonly first: number;
  readonly count: number;
  readonly places: Uint32Array;
}

self.onmessage = ({ data: { id, what, chunk } }: MessageEvent<FindAsk>) => {
  const pattern = patternFor(what);
  const places = pattern === null ? new Uint32Array() : matchesIn(chunk, pattern, what.columns);
  self.postMessage({ id, first: chunk.first, count: chunk.count, places } satisfies FindAnswer, {
    transfer: [places.buffer],
  });
};
