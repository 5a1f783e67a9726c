import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import { Fault } from '../../../lib/fault.ts';
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
 * The folder must be empty, missing, or an earlier export.
 */
export async function exportRepository(api: Pick<MasterApi, 'call'>, id: string, folder: string): Promise<Exported> {
  const directory = resolve(folder);
  if (existsSync(directory) && !existsSync(join(directory, '.git', MARK)) && readdirSync(directory).length > 0)
    throw new Fault('FOLDER_NOT_EMPTY', `${directory} is neither empty nor an earlier export: choose another folder`);
  const workflow = await api.call('workflows.get', { params: { id } });
  const git = join(directory, '.git');
  for (const part of ['objects/info', 'objects/pack', 'refs/heads/env', 'refs/tags', 'info'])
    mkdirSync(join(git, part), { recursive: true });
  writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(git, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = false\n');
  writeFileSync(join(git, MARK), `${id}\n`);

  let commits = 0;
  for await (const hash of hashesOf(api, id)) {
    const version = await api.call('commits.get', { params: { id, hash } });
    const objects = versionObjects({ ...version, workflowId: id });
    if (objects.commit.id !== hash)
      throw new Fault(
        'HASH_MISMATCH',
        `version ${hash} does not make a Git commit of that hash but ${objects.commit.id}: the master and this command are of different versions, or its store is damaged`,
      );
    for (const object of Object.values(objects)) writeLoose(git, object);
    if (hash === workflow.head) checkOut(directory, git, canonicalJson(version.definition), objects.blob.id);
    commits++;
  }
  // Last, so that a ref never names what is not there yet.
  if (workflow.head !== null) writeFileSync(join(git, 'refs/heads/main'), `${workflow.head}\n`);
  for (const { environment, hash } of workflow.environments)
    if (hash !== null) writeFileSync(join(git, 'refs/heads/env', environment), `${hash}\n`);
  return { directory, head: workflow.head, commits };
}

const MARK = 'yardmaster-workflow';

async function* hashesOf(api: Pick<MasterApi, 'call'>, id: string): AsyncGenerator<string> {
  for (let page = 0, totalPages = 1; page < totalPages; page++) {
    const found = await api.call('commits.list', { params: { id }, query: { page, size: 500 } });
    totalPages = found.totalPages;
    for (const { hash } of found.items) yield hash;
  }
}

function writeLoose(git: string, object: GitObject): void {
  const file = join(git, 'objects', object.id.slice(0, 2), object.id.slice(2));
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, deflateSync(looseBytes(object)), { mode: 0o444 });
}

function checkOut(directory: string, git: string, text: string, blob: string): void {
  writeFileSync(join(directory, DEFINITION_FILE), text);
  writeFileSync(join(git, 'index'), indexOf(DEFINITION_FILE, blob));
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
