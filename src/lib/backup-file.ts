import { createHash, type Hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isRecord } from './is-record.ts';
import { itemAt } from './item-at.ts';
import { Fault } from './fault.ts';

/**
 * The form of a backup: a line `YARDMASTER-BACKUP <bytes of the header> <its SHA-256>`, the header as JSON, then its
 * parts one after the other. Everything is covered by a hash, so a file that was cut, changed or is something else is
 * told before anything is done with it.
 */
export const BACKUP_FORMAT = 1;
const MAGIC = 'YARDMASTER-BACKUP';
/** A first line is never longer. */
const LINE_BYTES = 200;
const HEADER_BYTES = 1024 * 1024;

export interface BackupHeader {
  format: number;
  /** Of the Yardmaster that wrote it. */
  version: string;
  /** Number of the database's schema. */
  schema: number;
  createdAt: string;
  parts: { name: string; bytes: number; sha256: string }[];
  /** What is in it. */
  counts: { workflows: number; versions: number; jobs: number; tasks: number };
  /** Secrets are encrypted, their key is not in the backup. */
  secrets: { count: number; keyIds: string[] };
}

export function headerBytes(header: BackupHeader): Buffer {
  const json = Buffer.from(`${JSON.stringify(header, null, 2)}\n`);
  return Buffer.concat([Buffer.from(`${MAGIC} ${json.length} ${sha256(json)}\n`), json]);
}

export interface CheckedBackup {
  header: BackupHeader;
  /** Where each part begins in the file. */
  offsets: number[];
}

/** Reads a backup from end to end. Throws `BACKUP_INVALID` with what is wrong with it. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const invalid = (why: string) => new Fault('BACKUP_INVALID', `${file} ${why}`);
  const opened = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw invalid(`cannot be read (${error.code ?? error.message})`);
  });
  try {
    const { header, end } = await readHeader(opened, invalid);
    if (!isRecord(header)) throw invalid('is damaged: the header is no JSON object');
    if (header['format'] !== BACKUP_FORMAT)
      throw invalid(
        `is a backup in format ${Number(header['format'])}, but this Yardmaster supports format ${BACKUP_FORMAT}: use the version that wrote it (${printable(header['version'])})`,
      );
    if (!isHeader(header)) throw invalid('is damaged: the header lacks something, or contains something odd');
    const offsets: number[] = [];
    let at = end;
    for (const { bytes } of header.parts) {
      offsets.push(at);
      at += bytes;
    }
    const { size } = statSync(file);
    if (size !== at)
      throw invalid(
        size < at ? `is truncated: expected ${at} bytes, found ${size}` : `has ${size - at} bytes too many`,
      );
    for (const [i, { name, bytes, sha256: expected }] of header.parts.entries()) {
      const hash = createHash('sha256');
      // A stream without an encoding gives buffers.
      if (bytes > 0) for await (const chunk of partOf(file, itemAt(offsets, i), bytes)) hash.update(chunk as Buffer);
      if (hash.digest('hex') !== expected) throw invalid(`is damaged: the checksum of ${name} does not match`);
    }
    return { header, offsets };
  } finally {
    await opened.close();
  }
}

/** The bytes of one part. */
export const partOf = (file: string, offset: number, bytes: number) =>
  createReadStream(file, { start: offset, end: offset + bytes - 1 });

async function readHeader(
  opened: FileHandle,
  invalid: (why: string) => Fault,
): Promise<{ header: unknown; end: number }> {
  const first = Buffer.alloc(LINE_BYTES);
  const { bytesRead } = await opened.read(first, 0, LINE_BYTES, 0);
  const line = first.toString('latin1', 0, bytesRead).split('\n', 1)[0] ?? '';
  const [, length, digest] = new RegExp(`^${MAGIC} (\\d{1,7}) ([0-9a-f]{64})$`).exec(line) ?? [];
  if (length === undefined || digest === undefined)
    throw invalid('is not a Yardmaster backup: the first line does not match');
  const start = line.length + 1;
  if (Number(length) > HEADER_BYTES) throw invalid('is damaged: the header is too long');
  const json = Buffer.alloc(Number(length));
  const read = await opened.read(json, 0, json.length, start);
  if (read.bytesRead < json.length) throw invalid('is truncated within the header');
  if (sha256(json) !== digest) throw invalid('is damaged: the checksum of the header does not match');
  return { header: parsed(json.toString('utf8')), end: start + json.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The hashes only say that nothing changed on the way: whoever wrote the file, its header is printed and reckoned with. */
function isHeader(value: Record<string, unknown>): value is Record<string, unknown> & BackupHeader {
  const { version, schema, createdAt, parts, counts, secrets } = value;
  return (
    isWord(version) &&
    isWord(createdAt) &&
    isCount(schema) &&
    Array.isArray(parts) &&
    parts.every((part) => isRecord(part) && isWord(part['name']) && isCount(part['bytes']) && isWord(part['sha256'])) &&
    isRecord(counts) &&
    [counts['workflows'], counts['versions'], counts['jobs'], counts['tasks']].every(isCount) &&
    isRecord(secrets) &&
    isCount(secrets['count']) &&
    Array.isArray(secrets['keyIds']) &&
    secrets['keyIds'].every(isWord)
  );
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
/** Nothing that a terminal obeys. */
const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w.:+-]{1,200}$/.test(value);
const printable = (version: unknown): string => (isWord(version) ? version : 'unknown');

const sha256 = (bytes: Buffer): string => hashOf().update(bytes).digest('hex');
const hashOf = (): Hash => createHash('sha256');
