import type { BlockRow } from '../files/schema.ts';
import { type FrontOfBlocks, frontOf, type SharedBlocks, shareBlocks } from './shared-blocks.ts';

/** Blocks one after another, some of which another thread may take. */
export interface BlockTurns<Stored> {
  blocks(): Generator<Stored>;
  /** Lets another thread take some of those that have not been given yet, once. Null: there are none. */
  share(of: Pick<SharedBlocks, 'wanted' | 'began'>): SharedBlocks | null;
  /** Rows that the other thread counted; null: it is not done yet. Throws `HelpFailed`. */
  helped(): number | null;
}

export function blockTurns<Stored extends { readonly view: { readonly id: string }; readonly row: BlockRow }>(
  found: readonly Stored[],
): BlockTurns<Stored> {
  let given = 0;
  let front: FrontOfBlocks | null = null;
  return {
    *blocks() {
      while (given < found.length && front?.take() !== false) yield found[given++] as Stored;
    },
    share(of) {
      const rest = found.slice(given);
      if (rest.length === 0 || front !== null) return null;
      const files = [...new Set(rest.map(({ view }) => view.id))];
      const numbers = new Map(files.map((file, i) => [file, i]));
      const shared = shareBlocks(
        of,
        files,
        rest.map(({ view, row }) => ({ file: numbers.get(view.id) as number, row })),
      );
      front = frontOf(shared);
      return shared;
    },
    helped: () => (front === null ? 0 : front.helped()),
  };
}
