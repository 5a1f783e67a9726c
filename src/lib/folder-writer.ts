import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault } from './fault.ts';
import { makeFolder } from './folders.ts';

/**
 * Writes files whose names or contents came from elsewhere. Names are relative, with `/` between their parts. Nothing
 * outside of the folder is read or written, whatever a name says and whatever links lie in the folder. Each method throws
 * `Fault` PATH_REFUSED for a name that it refuses and where a link, or anything but a plain file or folder, is in the way.
 */
export interface FolderWriter {
  /** Absolute, without links. */
  readonly path: string;
  /** Names right below it. */
  list(): string[];
  /** The text of a file; null: there is none. */
  read(name: string): string | null;
  /** Puts a whole file in the place of the one that is there, if any, and makes the folders above it. */
  write(name: string, content: string | Buffer, mode?: number): void;
  makeFolder(name: string): void;
  /** Deletes a file. False: there was none. */
  remove(name: string): boolean;
  /** A folder right below, made if it is missing. Its name is the program's own, so it may be one such as `.git`. */
  inner(name: string): FolderWriter;
}

/** Opens a folder, made if it is missing. The path is the user's own, so links that lead to it are followed, once. */
export function openFolder(folder: string): FolderWriter {
  makeFolder(folder, 0o777);
  return writerIn(realpathSync(resolve(folder)));
}

// Windows has none; the file is made anew in any case.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

function writerIn(path: string): FolderWriter {
  const opened = statOf(path);
  if (!opened?.isDirectory()) throw refused(path, 'is not a folder');

  /** The folder that the parts lead to; null: there is none, and none was to be made. */
  function walk(parts: readonly string[], make: boolean): string | null {
    const now = statOf(path);
    if (now?.ino !== opened?.ino || now?.dev !== opened?.dev) throw refused(path, 'was replaced meanwhile');
    let at = path;
    for (const part of parts) {
      at = join(at, part);
      const stat = statOf(at);
      if (stat === null && !make) return null;
      if (stat === null) mkdirSync(at);
      else assertPlain(at, stat, 'folder');
    }
    return at;
  }
  /** Where a file is or will be; null: not even the folder is there. */
  function place(name: string, make: boolean): string | null {
    const parts = partsOf(name);
    const folder = walk(parts.slice(0, -1), make);
    if (folder === null) return null;
    const file = join(folder, parts.at(-1) ?? '');
    const stat = statOf(file);
    if (stat !== null) assertPlain(file, stat, 'file');
    return stat === null && !make ? null : file;
  }

  return {
    path,
    list: () => readdirSync(path),
    read(name) {
      const file = place(name, false);
      if (file === null) return null;
      const fd = openSync(file, constants.O_RDONLY | NO_FOLLOW);
      try {
        return readFileSync(fd, 'utf8');
      } finally {
        closeSync(fd);
      }
    },
    write(name, content, mode = 0o666) {
      const file = place(name, true) ?? '';
      // Beside it and then in its place: a link, symbolic or hard, is never written through.
      const part = `${file}.${randomUUID()}.part`;
      try {
        const fd = openSync(part, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);
        try {
          writeFileSync(fd, content);
        } finally {
          closeSync(fd);
        }
        renameSync(part, file);
      } catch (error) {
        rmSync(part, { force: true });
        throw error;
      }
    },
    makeFolder: (name) => void walk(partsOf(name), true),
    remove(name) {
      const file = place(name, false);
      if (file !== null) unlinkSync(file);
      return file !== null;
    },
    inner(name) {
      const at = join(path, name);
      const stat = statOf(at);
      if (stat === null) mkdirSync(at);
      else assertPlain(at, stat, 'folder');
      return writerIn(at);
    },
  };
}

const statOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

function assertPlain(path: string, stat: Stats, kind: 'file' | 'folder'): void {
  if (stat.isSymbolicLink())
    throw refused(path, 'is a symbolic link, which could lead anywhere: delete it or choose another folder');
  if (!(kind === 'file' ? stat.isFile() : stat.isDirectory())) throw refused(path, `is not a ${kind}`);
}

/** Windows gives these to devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The parts of a name. Refused are all that leave the folder, that systems read otherwise than they are written, or that
 * Git, shells and editors obey: these begin with a dot.
 */
function partsOf(name: string): string[] {
  const parts = name.split('/');
  for (const part of parts)
    if (
      part === '' ||
      part.startsWith('.') ||
      /[. ]$/.test(part) ||
      // Invisible characters too: a Mac takes `.g<zero width>it` for `.git`.
      /[\\:*?"<>|\p{C}]/u.test(part) ||
      // What Windows calls `.git` besides.
      /^git~\d/i.test(part) ||
      DEVICE.test(part) ||
      Buffer.byteLength(part) > 200
    )
      throw refused(JSON.stringify(name), 'is not a name that files are written under');
  return parts;
}

const refused = (what: string, why: string): Fault =>
  new Fault('PATH_REFUSED', `${what} ${why}; nothing was written there`);
