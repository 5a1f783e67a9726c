import type { WorkerEntry } from './worker-entry.ts';

/** What workers of one token say of themselves is kept while they are listed, and written with each hello: in all this much. */
const CHARACTERS = 16 * 1024 * 1024;
/** Those that are Down and hold nothing, of one token: others stay listed for `workerForgetSeconds`. */
const DOWN = 1000;

type Said = Pick<WorkerEntry, 'id' | 'tokenId' | 'url' | 'version' | 'labels' | 'handlers'>;
type Listed = Pick<WorkerEntry, 'id' | 'tokenId' | 'state' | 'load' | 'downAt' | 'drained'>;

const charactersOf = ({ url, version, labels, handlers }: Said): number =>
  [...Object.entries(labels).flat(), ...handlers].reduce((sum, text) => sum + text.length, url.length + version.length);

/** How much the listed workers of each token say of themselves. A fleet that comes back asks for each of its workers: sums are kept. */
export function createRoomOfTokens() {
  const said = new Map<string, { readonly tokenId: string | null; readonly characters: number }>();
  const sums = new Map<string | null, { workers: number; characters: number }>();

  function add(tokenId: string | null, workers: number, characters: number): void {
    const sum = sums.get(tokenId) ?? { workers: 0, characters: 0 };
    sum.workers += workers;
    sum.characters += characters;
    if (sum.workers > 0) sums.set(tokenId, sum);
    else sums.delete(tokenId);
  }
  function drop(id: string): void {
    const known = said.get(id);
    if (!known) return;
    said.delete(id);
    add(known.tokenId, -1, -known.characters);
  }

  return {
    /** It is listed, or says something else than before. */
    put(worker: Said): void {
      drop(worker.id);
      const characters = charactersOf(worker);
      said.set(worker.id, { tokenId: worker.tokenId, characters });
      add(worker.tokenId, 1, characters);
    },
    /** It is listed no more. */
    drop,
    /**
     * Which workers are to be forgotten so that this one may be listed: those of its token that have been Down the longest, and
     * drained ones last, as they would come back undrained. Null: the others of the token leave it no room. One that is listed
     * and says no more than before has its room, and nobody goes for it, also where the token has more than its share since an
     * earlier version.
     */
    make<W extends Listed>(all: Iterable<W>, fresh: Said): W[] | null {
      const sum = sums.get(fresh.tokenId) ?? { workers: 0, characters: 0 };
      const before = said.get(fresh.id);
      const own = charactersOf(fresh);
      const owned = before?.tokenId === fresh.tokenId ? before.characters : null;
      if (owned !== null && own <= owned) return [];
      let characters = sum.characters + own - (owned ?? 0);
      if (characters <= CHARACTERS && sum.workers <= DOWN) return [];
      const idle: W[] = [];
      for (const one of all)
        if (one.tokenId === fresh.tokenId && one.state === 'Down' && one.load === 0 && one.id !== fresh.id)
          idle.push(one);
      if (characters <= CHARACTERS && idle.length <= DOWN) return [];
      const going: W[] = [];
      for (const one of idle.toSorted((a, b) => Number(a.drained) - Number(b.drained) || a.downAt - b.downAt)) {
        if (characters <= CHARACTERS && idle.length - going.length <= DOWN) break;
        characters -= said.get(one.id)?.characters ?? 0;
        going.push(one);
      }
      return characters <= CHARACTERS ? going : null;
    },
  };
}
