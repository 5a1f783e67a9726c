import { answer, type JsonAnswers, type JsonRequest } from './answer.ts';
import { createJsonDoc } from './doc.ts';
import type { FromJsonWorker, ToJsonWorker } from './json-worker.ts';

/** Larger texts are walked over in a thread of their own: the window goes on drawing. */
const SMALL = 128 * 1024;

export interface JsonHandle {
  /** Answers at once where the text is small, else later; questions are answered in their order. */
  ask<A extends JsonRequest>(
    ask: A,
    then: (value: JsonAnswers[A['what']]) => void,
    failed: (fault: string) => void,
  ): void;
  close(): void;
}

/** Opens a JSON text for a tree. `source`: the text, or its UTF-8 bytes as they came. */
export function openJson(source: string | ArrayBuffer, levels: number, member: string | undefined): JsonHandle {
  const size = typeof source === 'string' ? source.length : source.byteLength;
  return size <= SMALL
    ? openHere(typeof source === 'string' ? source : new TextDecoder().decode(source), levels, member)
    : openAway(source, levels, member);
}

function openHere(text: string, levels: number, member: string | undefined): JsonHandle {
  let doc: ReturnType<typeof createJsonDoc> | null = null;
  return {
    ask(ask, then, failed) {
      let value: JsonAnswers[(typeof ask)['what']];
      try {
        doc ??= createJsonDoc(text, { levels, member });
        // The answer is of the kind that `ask` names.
        value = answer(doc, ask) as typeof value;
      } catch (error) {
        return failed(String(error));
      }
      then(value);
    },
    close() {},
  };
}

function openAway(source: string | ArrayBuffer, levels: number, member: string | undefined): JsonHandle {
  const worker = new Worker(new URL('./json-worker.ts', import.meta.url), { type: 'module' });
  const open = new Map<number, { done(value: unknown): void; failed(fault: string): void }>();
  let next = 0;
  worker.onmessage = ({ data }: MessageEvent<FromJsonWorker>) => {
    const asked = open.get(data.id);
    open.delete(data.id);
    if ('fault' in data) asked?.failed(data.fault);
    else asked?.done(data.value);
  };
  worker.onerror = ({ message }) => {
    for (const { failed } of open.values()) failed(message);
    open.clear();
  };
  // Copied, not handed over: the cache of the page keeps the bytes for the next look.
  worker.postMessage({ open: source, levels, member } satisfies ToJsonWorker);
  return {
    ask(ask, then, failed) {
      open.set(next, { done: then, failed });
      worker.postMessage({ id: next++, ask } satisfies ToJsonWorker);
    },
    close: () => worker.terminate(),
  };
}
