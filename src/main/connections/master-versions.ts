import type { VersionSkew } from '../../contract/desktop.ts';
import { versionSkew } from './version-skew.ts';
import type { Target } from './connections.ts';

export interface MasterVersion {
  version: string;
  skew: VersionSkew;
}

export interface MasterVersions {
  /** The version of the master behind a target; null: it does not tell now. Asked at most once in `FRESH_MS`. */
  of(target: Target): Promise<MasterVersion | null>;
  /** What was last heard of a master's address. */
  known(url: string): MasterVersion | null;
  /** Calls back where a master told another version than before. */
  onChange(listener: () => void): void;
}

/** A master that was brought to another version is noticed after this long. */
const FRESH_MS = 30_000;

/** Keeps which version each master runs. `ask` answers null where the master does not tell. */
export function createMasterVersions(
  app: string,
  ask: (target: Target) => Promise<string | null>,
  now: () => number,
): MasterVersions {
  const heard = new Map<string, MasterVersion>();
  const asked = new Map<string, { at: number; answer: Promise<MasterVersion | null> }>();
  const listeners: (() => void)[] = [];

  async function look(target: Target): Promise<MasterVersion | null> {
    const version = await ask(target).catch(() => null);
    if (version === null) {
      // A master that was down is asked again at once: it may come back as another version.
      asked.delete(target.url);
      return null;
    }
    const pair = { version, skew: versionSkew(app, version) };
    const changed = heard.get(target.url)?.version !== version;
    heard.set(target.url, pair);
    if (changed) for (const listener of listeners) listener();
    return pair;
  }

  return {
    of(target) {
      const last = asked.get(target.url);
      if (last && now() - last.at < FRESH_MS) return last.answer;
      const answer = look(target);
      asked.set(target.url, { at: now(), answer });
      return answer;
    },
    known: (url) => heard.get(url) ?? null,
    onChange: (listener) => void listeners.push(listener),
  };
}
