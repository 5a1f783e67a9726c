import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { Fault } from '../../../lib/fault.ts';
import { openFolder, type FolderWriter } from '../../../lib/folder-writer.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { DEFINITION_FILE, looseBytes, versionObjects, type GitObject } from '../../../lib/git.ts';
import type { MasterApi } from '../../api-client.ts';

export interface Exported {
  directory: string;
  head: string | null;
  commits: number;
}

/**
 * Writes the history of a workflow as a Git repository with a working copy: `main` is the newest version, `env/<name>`
 * what each environment runs. Needs no Git: objects are written loose, each checked against the hash of the history.
 * The folder must be empty, missing, or an earlier export of the same workflow. What the master answers is checked by the
 * contract, and nothing outside of the folder is written.
 */
export async function exportRepository(
  api: Pick<MasterApi, 'checkedCall'>,
  id: string,
  folder: string,
): Promise<Exported> {
  // The master first: where it refuses, no folder is made.
  const workflow = await api.checkedCall('workflows.get', { params: { id } });
  const target = openFolder(folder);
  const directory = target.path;
  if (target.list().length > 0 && !isEarlierExport(target, id))
    throw new Fault(
      'FOLDER_NOT_EMPTY',
      `${directory} is neither empty nor an earlier export of ${id}: choose another folder`,
    );
  const git = target.inner('.git');
  for (const part of ['objects/info', 'objects/pack', 'refs/heads/env', 'refs/tags', 'info']) git.makeFolder(part);
  git.write('HEAD', 'ref: refs/heads/main\n');
  git.write('config', CONFIG);
  git.write(MARK, `${id}\n`);

  let commits = 0;
  for await (const hash of hashesOf(api, id)) {
    const version = await api.checkedCall('commits.get', { params: { id, hash } });
    const objects = versionObjects({ ...version, workflowId: id });
    if (objects.commit.id !== hash)
      throw new Fault(
        'HASH_MISMATCH',
        `version ${hash} does not make a Git commit of that hash but ${objects.commit.id}: the master and this command are of different versions, or its store is damaged`,
      );
    for (const object of Object.values(objects)) writeLoose(git, object);
    if (hash === workflow.head) checkOut(target, git, canonicalJson(version.definition), objects.blob.id);
    commits++;
  }
  // Last, so that a ref never names what is not there yet.
  if (workflow.head !== null) git.write('refs/heads/main', `${workflow.head}\n`);
  for (const { environment, hash } of workflow.environments)
    if (hash !== null) git.write(`refs/heads/env/${environment}`, `${hash}\n`);
  return { directory, head: workflow.head, commits };
}

const MARK = 'yardmaster-workflow';
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = false\n';
/** With these Git takes its configuration, or its objects, from another place. No export has any. */
const LEADS_ELSEWHERE = ['commondir', 'gitdir', 'config.worktree', 'objects/info/alternates'];

function isEarlierExport(target: FolderWriter, id: string): boolean {
  if (!target.list().includes('.git')) return false;
  const git = target.inner('.git');
  if (git.read(MARK) !== `${id}\n`) return false;
  const odd = LEADS_ELSEWHERE.find((name) => git.read(name) !== null);
  if (odd === undefined) return true;
  throw new Fault(
    'PATH_REFUSED',
    `${git.path} contains ${odd}, which no export writes and which leads Git elsewhere: choose another folder`,
  );
}

async function* hashesOf(api: Pick<MasterApi, 'checkedCall'>, id: string): AsyncGenerator<string> {
  for (let page = 0, totalPages = 1; page < totalPages; page++) {
    const found = await api.checkedCall('commits.list', { params: { id }, query: { page, size: 500 } });
    totalPages = found.totalPages;
    // Whatever number of pages the master claims.
    if (found.items.length === 0) return;
    for (const { hash } of found.items) yield hash;
  }
}

function writeLoose(git: FolderWriter, object: GitObject): void {
  const file = `objects/${object.id.slice(0, 2)}/${object.id.slice(2)}`;
  if (git.read(file) === null) git.write(file, deflateSync(looseBytes(object)), 0o444);
}

function checkOut(target: FolderWriter, git: FolderWriter, text: string, blob: string): void {
  target.write(DEFINITION_FILE, text);
  git.write('index', indexOf(DEFINITION_FILE, blob));
}

/** A Git index (version 2) with one file. Its stat fields are zero, so that Git compares the content at its next look. */
export function indexOf(name: string, blob: string): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\x01', 'latin1');
  const stat = Buffer.alloc(40);
  stat.writeUInt32BE(0o100644, 24);
  const flags = Buffer.alloc(2);
  flags.writeUInt16BE(Math.min(Buffer.byteLength(name), 0xfff));
  const entry = Buffer.concat([stat, Buffer.from(blob, 'hex'), flags, Buffer.from(name)]);
  // One to eight NULs, to a multiple of eight.
  const content = Buffer.concat([header, entry, Buffer.alloc(8 - (entry.length % 8))]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}
