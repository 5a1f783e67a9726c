import { isSentInClear } from '../lib/plain-url.ts';

/** Addresses kept of those that a master tells. */
const MOST = 64;
const URL_CHARS = 2000;

/** Where the masters of this worker are, and which of them it tries or has. */
export interface Masters {
  /** Origins; those that this worker was given come first. */
  readonly all: readonly string[];
  readonly current: string;
  /** Other addresses than this one may lead to a master. */
  readonly hasOthers: boolean;
  /** Whether the current address leads to a master of this worker for sure: it was given, or one answered there. */
  readonly isTrusted: boolean;
  /** A master has welcomed this worker at the current address. */
  welcomed(): void;
  /** The link broke: the given addresses come first, then the others in turn. */
  lost(): void;
  /** The current address did not work; the next one is tried. True where all of them were tried by now. */
  failed(): boolean;
  /** What a master tells of the others, in place of what was told before. */
  tell(told: unknown): void;
}

/**
 * @param given the addresses that the worker was started with: one or more
 * @param follows false: the worker stays with it, whatever it is told, as one that ends with its master
 */
export function createMasters(given: readonly string[], follows: boolean, log: (line: string) => void): Masters {
  const chosen = [...new Set(given.map(originOf))];
  let all: readonly string[] = chosen;
  let current = chosen[0] ?? '';
  let tried = new Set<string>();
  const answered = new Set<string>();
  const refused = new Set<string>();

  function accepted(told: unknown): string[] {
    if (!follows || !Array.isArray(told)) return [];
    return told.slice(0, MOST).flatMap((text: unknown) => {
      const url = typeof text === 'string' && text.length <= URL_CHARS ? URL.parse(text) : null;
      const why = url === null ? 'it is not a URL' : refusalOf(url, chosen);
      if (why === null && url !== null) return [url.origin];
      const shown = JSON.stringify(text)?.slice(0, 200) ?? 'nothing';
      if (!refused.has(shown) && refused.size < MOST) {
        refused.add(shown);
        log(`the master names ${shown} as an address of another master; it is not used: ${why}`);
      }
      return [];
    });
  }

  /** By chance among those not tried yet, so that the workers of a master that died are spread over the others. */
  function pick(): void {
    const left = all.filter((one) => !tried.has(one));
    const ahead = left.filter((one) => chosen.includes(one));
    const among = ahead.length > 0 ? ahead : left;
    current = among[Math.floor(Math.random() * among.length)] ?? current;
  }

  return {
    get all() {
      return all;
    },
    get current() {
      return current;
    },
    get hasOthers() {
      return all.length > 1;
    },
    get isTrusted() {
      return chosen.includes(current) || answered.has(current);
    },
    welcomed() {
      answered.add(current);
      tried = new Set();
    },
    lost() {
      tried = new Set();
      pick();
    },
    failed() {
      tried.add(current);
      const isRound = all.every((one) => tried.has(one));
      if (isRound) tried = new Set();
      pick();
      return isRound;
    },
    tell(told) {
      all = [...new Set([...chosen, ...accepted(told)])];
    },
  };
}

/** The token goes there: no weaker a way is taken than the one that the operator chose. */
function refusalOf(url: URL, chosen: readonly string[]): string | null {
  if (!['http:', 'https:'].includes(url.protocol)) return 'only http and https lead to a master';
  if (url.username !== '' || url.password !== '') return 'it has a user name or a password';
  if (url.protocol === 'https:') return null;
  if (chosen.some((one) => one.startsWith('https:'))) return 'this worker was started with an https address';
  return isSentInClear(url.href) && !chosen.every(isSentInClear)
    ? 'the token would cross the network unencrypted, and this worker was started with a loopback address'
    : null;
}

const originOf = (given: string): string => new URL(given).origin;
