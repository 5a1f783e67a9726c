import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage } from '../../lib/errors.ts';
import { fileKindForName, MAX_FILE_BYTES, type DesktopNotification, type OpenedFile } from '../../contract/desktop.ts';
import { Fault } from '../../lib/fault.ts';

/** Reads a file that the system hands over. Throws `Fault` FILE_UNKNOWN, FILE_TOO_LARGE or FILE_UNREADABLE, each with what to do. */
export async function readOpenedFile(path: string): Promise<OpenedFile> {
  const name = basename(path);
  const kind = fileKindForName(name);
  if (kind === null)
    throw new Fault('FILE_UNKNOWN', `expected a .workflow.json or .yardmaster-incident file, got ${name}`);
  const most = MAX_FILE_BYTES[kind];
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    const stat = await file.stat();
    if (!stat.isFile()) throw new Fault('FILE_UNREADABLE', `${name} is not a file`);
    if (stat.size > most) throw new Fault('FILE_TOO_LARGE', `${name} has ${stat.size} bytes; the maximum is ${most}`);
    // A file that grows meanwhile is not followed beyond its limit.
    const buffer = Buffer.alloc(Math.min(stat.size + 1, most + 1));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > most) throw new Fault('FILE_TOO_LARGE', `${name} has more than the maximum of ${most} bytes`);
    return { kind, name, bytes: new Uint8Array(buffer.subarray(0, bytesRead)) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('FILE_UNREADABLE', `could not read ${name} (${errorMessage(error)})`, { cause: error });
  } finally {
    await file?.close();
  }
}

export interface PendingItems {
  setFile(file: OpenedFile): void;
  addNotice(notice: DesktopNotification): void;
  takeAll(): { file: OpenedFile | null; notices: DesktopNotification[] };
}

const MAX_NOTICES = 10;

/** What waits for the page to take it: the last file that was opened, and what there is to tell. A page that is just loading misses no event. */
export function createPendingItems(): PendingItems {
  let file: OpenedFile | null = null;
  let notices: DesktopNotification[] = [];
  return {
    setFile: (opened) => void (file = opened),
    addNotice: (notice) => void (notices = [...notices, notice].slice(-MAX_NOTICES)),
    takeAll() {
      const taken = { file, notices };
      file = null;
      notices = [];
      return taken;
    },
  };
}
