import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MARK, readMark } from '../../../../lib/mark-file.ts';
import type { StoreDamage } from '../port.ts';
import type { FileMark } from './open-file.ts';
import { asideFiles } from './schema.ts';

const DB_MARK = `.db${MARK}`;

/** Files whose marks are there and they are not, or are empty; and those that were set aside as nothing could be read of them. */
export function lostFiles(folder: string): StoreDamage[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  return [
    ...names.filter((name) => name.endsWith(DB_MARK)).flatMap((name) => withoutFile(folder, name)),
    ...asideFiles(folder).map(({ name }) => asideDamage(folder, name)),
  ];
}

function withoutFile(folder: string, markName: string): StoreDamage[] {
  const file = markName.slice(0, -MARK.length);
  const size = statSync(join(folder, file), { throwIfNoEntry: false })?.size;
  // What is in its write-ahead log alone is a file too.
  if (size !== undefined && (size > 0 || existsSync(join(folder, `${file}-wal`)))) return [];
  const mark = readMark<FileMark>(join(folder, markName));
  rmSync(join(folder, markName), { force: true });
  if (mark === null || mark === 'damaged' || mark.rows === 0) return [];
  const { rows: lost, t0: from, t1 } = mark;
  const state = size === undefined ? 'missing' : 'empty';
  return [
    { file, place: state, what: `the file is ${state}; it had ${lost} log lines`, from, to: t1 + 1, lost, keep: true },
  ];
}

export function asideDamage(folder: string, file: string): StoreDamage {
  const mark = readMark<FileMark>(join(folder, file + MARK));
  const known = mark !== null && mark !== 'damaged' ? mark : null;
  return {
    file,
    place: '',
    what: 'the file cannot be opened, and was set aside; its log lines cannot be searched',
    from: known?.t0 ?? null,
    to: known ? known.t1 + 1 : null,
    lost: known?.rows ?? null,
  };
}
