import { useEffect, useMemo, useRef, useState } from 'react';
import { parseStored } from '../../../../lib/json.ts';
import { errorMessage } from '../../../../lib/errors.ts';
import { t } from '../../../../lib/language.ts';
import type { LogBuffer, LogSnapshot } from './buffer.ts';
import type { Chunk } from './chunk.ts';
import { type FindOptions, type FindMatches, findMatches, patternFor } from './find.ts';
import type { FindReply, FindRequest } from './find-worker.ts';

/** A chunk that takes longer is the fault of its pattern: it is given up. */
const TOO_LONG_MS = 3000;
/** While lines stream in, what is new is looked through this often. */
const AGAIN_MS = 400;

export interface FindState {
  readonly found: FindMatches;
  /** Share of the lines that have been looked through, 0 to 1. */
  readonly share: number;
  /** Why nothing is looked for. */
  readonly fault: string | null;
  /** To mark matches in lines that are drawn; null until one chunk went through well. */
  readonly pattern: RegExp | null;
}

interface Part {
  readonly first: number;
  readonly count: number;
  readonly places: Uint32Array;
}
const NONE = findMatches([], 0, 0);

/** Finds over all lines that are held before `end`, chunk after chunk in a worker. `what` null: the bar is closed. */
export function useFind(buffer: LogBuffer, snapshot: LogSnapshot, end: number, what: FindOptions | null): FindState {
  const [parts, setParts] = useState<readonly Part[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [proven, setProven] = useState(false);
  const wake = useRef<() => void>(() => {});
  const key = what === null || what.text === '' ? null : JSON.stringify(what);
  const pattern = useMemo(() => {
    if (key === null) return null;
    try {
      return patternFor(parseStored<FindOptions>(key));
    } catch (error) {
      return errorMessage(error);
    }
  }, [key]);

  useEffect(() => {
    setParts([]);
    setProven(false);
    setFault(typeof pattern === 'string' ? pattern : null);
    if (key === null || pattern === null || typeof pattern === 'string') return undefined;
    const asked = parseStored<FindOptions>(key);
    const worker = new Worker(new URL('./find-worker.ts', import.meta.url), { type: 'module' });
    let all: Part[] = [];
    let id = 0;
    let busy = false;
    let ended = false;
    let guard: ReturnType<typeof setTimeout>;
    let timer: ReturnType<typeof setTimeout>;
    const stop = () => {
      ended = true;
      clearTimeout(guard);
      clearTimeout(timer);
      worker.terminate();
    };
    /** Newest chunks first: that is where somebody looks. */
    const next = (openToo: boolean): Chunk | null => {
      const done = new Map(all.map((part) => [part.first, part.count]));
      const chunks = [...buffer.chunks()];
      all = all.filter((part) => chunks.some((chunk) => chunk.first === part.first));
      return (
        chunks.findLast(
          (chunk) => done.get(chunk.first) !== chunk.count && (openToo || chunk.first !== buffer.openFirst()),
        ) ?? null
      );
    };
    const go = (openToo: boolean) => {
      if (busy || ended) return;
      const chunk = next(openToo);
      if (chunk === null) return;
      busy = true;
      guard = setTimeout(() => {
        setFault(t('This pattern takes too long to search'));
        stop();
      }, TOO_LONG_MS);
      worker.postMessage({ id: ++id, what: asked, chunk } satisfies FindRequest);
    };
    worker.onmessage = ({ data }: MessageEvent<FindReply>) => {
      clearTimeout(guard);
      busy = false;
      all = [
        ...all.filter((part) => part.first !== data.first),
        { first: data.first, count: data.count, places: data.places },
      ].sort((a, b) => a.first - b.first);
      setParts(all);
      setProven(true);
      // The last chunk may still grow: it is looked through again when something came, not over and over.
      go(data.first !== buffer.openFirst());
    };
    worker.onerror = () => {
      setFault(t('Search failed'));
      stop();
    };
    wake.current = () => {
      clearTimeout(timer);
      timer = setTimeout(() => go(true), AGAIN_MS);
    };
    go(true);
    return () => {
      wake.current = () => {};
      stop();
    };
  }, [key, buffer]);
  useEffect(() => wake.current(), [snapshot]);

  const found = useMemo(
    () => (parts.length === 0 ? NONE : findMatches(parts, snapshot.first, end)),
    [parts, snapshot.first, end],
  );
  const looked = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    found,
    share: Math.min(1, looked / Math.max(1, end - snapshot.first)),
    fault,
    pattern: proven && pattern instanceof RegExp ? pattern : null,
  };
}
