import { answer, type JsonRequest } from './answer.ts';
import { createJsonDoc, type JsonDoc } from './doc.ts';

/** To the thread: first the text, then questions about it, answered in their order. */
export type ToJsonWorker =
  | { readonly open: ArrayBuffer | string; readonly levels: number; readonly member: string | undefined }
  | { readonly id: number; readonly ask: JsonRequest };
export type FromJsonWorker =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string };

let doc: JsonDoc | null = null;
let broken = 'Nothing was opened';

self.onmessage = ({ data }: MessageEvent<ToJsonWorker>) => {
  if ('open' in data) {
    try {
      doc = createJsonDoc(typeof data.open === 'string' ? data.open : new TextDecoder().decode(data.open), {
        levels: data.levels,
        member: data.member,
      });
    } catch (error) {
      broken = String(error);
    }
    return;
  }
  const { id, ask } = data;
  try {
    if (doc === null) throw new Error(broken);
    self.postMessage({ id, value: answer(doc, ask) } satisfies FromJsonWorker);
  } catch (error) {
    self.postMessage({ id, fault: String(error) } satisfies FromJsonWorker);
  }
};
