import type { Definition } from '../../../../contract/definition.ts';
import type { Spot } from '../definition/edits.ts';
import { placesOf } from '../definition/positions.ts';

/** Lays a large graph out away from the window's own thread. */
export interface PlacesAsk {
  readonly shape: string;
}
export interface PlacesAnswer {
  readonly shape: string;
  readonly places: ReadonlyMap<string, Spot>;
}

self.onmessage = ({ data: { shape } }: MessageEvent<PlacesAsk>) =>
  self.postMessage({ shape, places: placesOf(graphOf(shape)) } satisfies PlacesAnswer);

function graphOf(shape: string): Pick<Definition, 'nodes' | 'edges'> {
  return JSON.parse(shape) as Pick<Definition, 'nodes' | 'edges'>;
}
