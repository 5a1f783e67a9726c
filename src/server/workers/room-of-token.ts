import type { WorkerEntry } from './worker-entry.ts';

/** What workers of one token say of themselves is kept while they are listed, and written with each hello: in all this much. */
const CHARACTERS = 16 * 1024 * 1024;
/** Those that are Down and hold nothing, of one token: others stay listed for `workerForgetSeconds`. */
const DOWN = 1000;

type Said = Pick<WorkerEntry, 'url' | 'version' | 'labels' | 'handlers'>;
type Listed = Said & Pick<WorkerEntry, 'id' | 'tokenId' | 'state' | 'load' | 'downAt'>;

/** Lists of names do not change. */
const counted = new WeakMap<readonly string[], number>();
function charactersOf({ url, version, labels, handlers }: Said): number {
  let names = counted.get(handlers);
  if (names === undefined) counted.set(handlers, (names = handlers.reduce((sum, name) => sum + name.length, 0)));
  return Object.entries(labels).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    url.length + version.length + names,
  );
}

/**
 * Which workers are to be forgotten so that one more of this token may be listed: those that have been Down the longest.
 * Null: the others of the token leave it no room.
 */
export function roomOfToken<W extends Listed>(
  all: Iterable<W>,
  tokenId: string,
  hello: Said & { id: string },
): W[] | null {
  const own = [...all].filter((one) => one.tokenId === tokenId && one.id !== hello.id);
  const idle = own.filter(({ state, load }) => state === 'Down' && load === 0).toSorted((a, b) => a.downAt - b.downAt);
  let characters = own.reduce((sum, one) => sum + charactersOf(one), charactersOf(hello));
  const going: W[] = [];
  for (const one of idle) {
    if (characters <= CHARACTERS && idle.length - going.length <= DOWN) break;
    characters -= charactersOf(one);
    going.push(one);
  }
  return characters <= CHARACTERS ? going : null;
}
