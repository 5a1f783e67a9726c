import type { Limits } from '../../../../contract/limits.ts';
import { giveWay } from '../../../../lib/lower-priority.ts';
import type { Methods } from '../../../offload/messages.ts';
import { serveThread, threadData } from '../../../offload/serve-thread.ts';
import { openForReading } from '../../../store/sqlite/handle.ts';
import { createLongReads } from './long-reads.ts';

/** A thread that reads lists and searches, or what takes longer than those, so that the event loop does not. */
export interface ReadThreadData {
  file: string;
  searchFile: string;
  limits: Limits;
  /** Others come first where processors are scarce. */
  givesWay: boolean;
}

const { file, searchFile, limits, givesWay } = threadData<ReadThreadData>();
if (givesWay) giveWay();
const reads: Methods = { ...createLongReads({ handle: openForReading(file), searchFile, limits }) };
// As JSON text, so that numbers stay as they are (lib/json), and what is only sent on is not read on the way.
const asText =
  (read: (...args: never[]) => unknown) =>
  async (...args: never[]): Promise<string | Uint8Array> => {
    const found = await read(...args);
    return found instanceof Uint8Array ? found : JSON.stringify(found ?? null);
  };
serveThread(Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, asText(read)])));
