import type { Definition } from '../../../contract/definition.ts';
import type { Point } from './definition/edits.ts';
import { nodePositions } from './definition/positions.ts';

/** Lays a large graph out away from the window's own thread. */
export interface PositionsRequest {
  readonly shape: string;
}
export interface PositionsAnswer {
  readonly shape: string;
  readonly places: ReadonlyMap<string, Point>;
}

self.onmessage = ({ data: { shape } }: MessageEvent<PositionsRequest>) =>
  self.postMessage({ shape, places: nodePositions(graphOf(shape)) } satisfies PositionsAnswer);

function graphOf(shape: string): Pick<Definition, 'nodes' | 'edges'> {
  return JSON.parse(shape);
}
