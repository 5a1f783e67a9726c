import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * The Git objects of a workflow version, byte for byte as Git writes them: a blob (`workflow.json`, canonical JSON), a
 * tree with that one file, and a commit. Pure; the server hashes with it and the command line exports with it.
 */
export interface GitObject {
  /** 40 lower-case hex digits. */
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit';
  /** Without the header; see `looseBytes`. */
  readonly content: Buffer;
}

/** What a commit is made of; all of it is in the API's record of a version. */
export interface VersionRecord {
  readonly workflowId: string;
  readonly definition: unknown;
  readonly parent: string | null;
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since the epoch, or ISO 8601; Git keeps whole seconds. */
  readonly createdAt: number | string;
  /** The user's message, without the trailer. */
  readonly message: string;
}

export const DEFINITION_FILE = 'workflow.json';

/** Blob, tree and commit of a version, in the order in which they refer to each other. */
export function versionObjects(version: VersionRecord): { blob: GitObject; tree: GitObject; commit: GitObject } {
  return gitObjectsFromText(canonicalJson(version.definition), version);
}

/** The same where the canonical text of the definition is at hand. */
export function gitObjectsFromText(
  text: string,
  version: Omit<VersionRecord, 'definition'>,
): { blob: GitObject; tree: GitObject; commit: GitObject } {
  const blob = object('blob', Buffer.from(text, 'utf8'));
  const tree = object('tree', Buffer.concat([Buffer.from(`100644 ${DEFINITION_FILE}\0`), Buffer.from(blob.id, 'hex')]));
  return { blob, tree, commit: object('commit', commitContent(tree.id, version)) };
}

function commitContent(
  tree: string,
  { parent, author, createdAt, message, workflowId }: Omit<VersionRecord, 'definition'>,
): Buffer {
  const seconds = Math.floor((typeof createdAt === 'number' ? createdAt : Date.parse(createdAt)) / 1000);
  const person = `${author.name} <${author.email}> ${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${person}`,
    `committer ${person}`,
    '',
    commitMessage(message, workflowId),
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/** The whole message of the Git commit: the user's, an empty line, and the trailer. */
export const commitMessage = (message: string, workflowId: string): string => `${message}\n\nWorkflow: ${workflowId}\n`;

function object(type: GitObject['type'], content: Buffer): GitObject {
  return { id: createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex'), type, content };
}

/** The id of the blob of a canonical definition. */
export const blobId = (text: string): string => object('blob', Buffer.from(text, 'utf8')).id;

/** What a loose object file holds before deflate; it lies at `objects/<first two digits>/<the other 38>`. */
export const looseBytes = ({ type, content }: GitObject): Buffer =>
  Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);

/** A user's message as it is kept: Unix lines, no NUL, no lone surrogates, nothing white at its end. */
export const cleanMessage = (message: string): string =>
  message.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd();

/** Git's author of an actor. Angle brackets, control characters and white ends would break the object. */
export function authorLine(actorName: string): { name: string; email: string } {
  const name =
    actorName
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replace(/[<>\u0000-\u001f\u007f]/g, ' ')
      .replace(/ +/g, ' ')
      .replace(/^[ .,:;"']+|[ .,:;"']+$/g, '') || 'unknown';
  const local =
    name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '') || 'unknown';
  return { name, email: `${local}@yardmaster.invalid` };
}
