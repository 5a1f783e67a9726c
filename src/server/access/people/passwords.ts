import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';

type PasswordLimits = Readonly<
  Pick<Limits, 'passwordCharacters' | 'passwordCost' | 'passwordPasses' | 'passwordChecksWaiting'>
>;

export interface Passwords {
  /** How a password is kept: `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`. Throws PASSWORD_REFUSED where it is too weak. */
  hash(password: string, about: { readonly login: string }): Promise<string>;
  /** Of one that is in use, whatever new ones must be. */
  rehash(password: string): Promise<string>;
  /**
   * True where it is this one. Without a hash (nobody has that name, or has no password) it takes the same time, and is
   * false. Throws OVERLOADED where too many wait to be checked; those whose turn comes later give up their place first.
   */
  verify(password: string, kept: string | null, turn?: Turn): Promise<boolean>;
  /** True where it was made with less than the limits ask for today: the next sign-in makes it anew. */
  isOutdated(kept: string): boolean;
  /** One to hand to somebody, who has to change it. */
  oneTime(): string;
}

/** Whose check comes first: somebody who is signed in from there, an address that was not wrong lately, one that was. */
const TURNS = ['known', 'new', 'failed'] as const;
export type Turn = (typeof TURNS)[number];

interface Waiting {
  begin(): void;
  refuse(): void;
}

interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly passes: number;
}

/** The usual one; the memory of one check is 128 bytes × this × 2^cost. */
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MOST_CHARACTERS = 256;
const ONE_TIME_CHARACTERS = 20;
/** No letters that are taken for others. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';
/** What is kept of nobody. */
const NOBODY = { salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };

/**
 * Passwords by scrypt, in the thread pool of Node, one after the other: the memory of one check is all that they ever need,
 * and files and name look-ups keep the other threads.
 */
export function createPasswords(limits: PasswordLimits): Passwords {
  const queues = new Map<Turn, Waiting[]>(TURNS.map((turn) => [turn, []]));
  let waiting = 0;
  let isBusy = false;

  /** One at a time. Where all places are taken, the newest of the last in line gives up its own to whoever goes before it. */
  async function inTurn<T>(turn: Turn, run: () => Promise<T>): Promise<T> {
    if (isBusy) {
      if (waiting + 1 >= limits.passwordChecksWaiting) {
        const last = TURNS.findLast((one) => (queues.get(one)?.length ?? 0) > 0);
        if (last === undefined || TURNS.indexOf(last) <= TURNS.indexOf(turn)) throw overloaded();
        queues.get(last)?.pop()?.refuse();
        waiting--;
      }
      waiting++;
      await new Promise<void>((begin, refuse) => queues.get(turn)?.push({ begin, refuse: () => refuse(overloaded()) }));
    }
    isBusy = true;
    try {
      return await run();
    } finally {
      const next = queues.get(TURNS.find((one) => (queues.get(one)?.length ?? 0) > 0) ?? 'new')?.shift();
      if (next) {
        waiting--;
        next.begin();
      } else isBusy = false;
    }
  }
  const current = (): Parameters => ({
    cost: limits.passwordCost,
    blockSize: BLOCK_SIZE,
    passes: limits.passwordPasses,
  });

  async function keep(text: string): Promise<string> {
    const parameters = current();
    const salt = randomBytes(SALT_BYTES);
    const made = await inTurn('known', () => derive(text, salt, parameters));
    const { cost, blockSize, passes } = parameters;
    return ['scrypt', cost, blockSize, passes, salt.toString('base64'), made.toString('base64')].join('$');
  }

  return {
    async hash(password, { login }) {
      const text = normal(password);
      refuseWeak(text, login, limits.passwordCharacters);
      return keep(text);
    },
    rehash: (password) => keep(normal(password)),
    async verify(password, kept, turn = 'new') {
      const known = kept === null ? null : parseKept(kept);
      const { parameters, salt, hash } = known ?? { ...NOBODY, parameters: current() };
      // What is too long is nobody's password; it costs as much as another.
      const text = normal(password.slice(0, MOST_CHARACTERS + 1));
      const made = await inTurn(turn, () => derive(text, salt, parameters));
      return timingSafeEqual(made, hash) && known !== null;
    },
    isOutdated(kept) {
      const known = parseKept(kept)?.parameters;
      return known === undefined || known.cost < limits.passwordCost || known.passes < limits.passwordPasses;
    },
    oneTime: () => Array.from({ length: ONE_TIME_CHARACTERS }, () => READABLE[randomInt(READABLE.length)]).join(''),
  };
}

const overloaded = () => new Fault('OVERLOADED', 'too many passwords wait to be checked: try again in a moment');

/** The same password, however a keyboard composes its letters. */
const normal = (password: string): string => password.normalize('NFKC');

function refuseWeak(text: string, login: string, least: number): void {
  const characters = [...text].length;
  const refuse = (detail: string) => new Fault('PASSWORD_REFUSED', detail);
  if (characters < least)
    throw refuse(`expected at least ${least} characters, got ${characters}: take some words more`);
  if (text.length > MOST_CHARACTERS) throw refuse(`expected at most ${MOST_CHARACTERS} characters`);
  if (text.toLowerCase().includes(login) && characters < login.length + least)
    throw refuse('the password must not be the sign-in name with a few characters more');
  if (new Set(text).size < 4) throw refuse('the password repeats a few characters: take some words instead');
}

function derive(text: string, salt: Buffer, { cost, blockSize, passes }: Parameters): Promise<Buffer> {
  const N = 2 ** cost;
  const options = { N, r: blockSize, p: passes, maxmem: 128 * blockSize * (N + passes + 2) + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, made) => (error ? reject(error) : resolve(made)));
  });
}

const KEPT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9+/]{22}==)\$([A-Za-z0-9+/]{43}=)$/;

function parseKept(kept: string): { parameters: Parameters; salt: Buffer; hash: Buffer } | null {
  const [, cost, blockSize, passes, salt, hash] = KEPT.exec(kept) ?? [];
  if (salt === undefined || hash === undefined) return null;
  return {
    parameters: { cost: Number(cost), blockSize: Number(blockSize), passes: Number(passes) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
