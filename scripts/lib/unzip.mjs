import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, readSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/**
 * Extracts the entries of a zip file for which `target(name)` gives a path relative to `folder` (null: left out).
 * Enough of the format for archives under 4 GB; a name that leaves the folder is refused.
 */
export function unzip(file, folder, target) {
  const fd = openSync(file, 'r');
  try {
    for (const entry of entriesOf(fd)) {
      const name = target(entry.name);
      if (name === null || name.endsWith('/') || name === '') continue;
      if (name.split(/[\\/]/).includes('..') || name.startsWith('/'))
        throw new Error(`the archive contains a file outside its folder: ${entry.name}`);
      const local = read(fd, entry.offset, 30);
      const data = read(fd, entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), entry.packed);
      const content = entry.method === 0 ? data : inflateRawSync(data);
      if (content.length !== entry.size) throw new Error(`${entry.name} is damaged in the archive`);
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      if ((entry.mode & 0o170000) === 0o120000) symlinkSync(content.toString(), path);
      else writeFileSync(path, content);
      if (entry.mode & 0o111 && (entry.mode & 0o170000) === 0o100000) chmodSync(path, 0o755);
    }
  } finally {
    closeSync(fd);
  }
}

function* entriesOf(fd) {
  const length = fstatSync(fd).size;
  const tail = read(fd, Math.max(0, length - 65_557), Math.min(length, 65_557));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('not a zip archive, or a truncated one');
  const directory = read(fd, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  for (let at = 0, left = tail.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = directory.readUInt16LE(at + 28);
    yield {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      mode: directory.readUInt32LE(at + 38) >>> 16,
      offset: directory.readUInt32LE(at + 42),
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
    };
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
}

function read(fd, position, length) {
  const buffer = Buffer.alloc(length);
  for (let got = 0; got < length;) {
    const n = readSync(fd, buffer, got, length - got, position + got);
    if (n === 0) throw new Error('the archive ends too early');
    got += n;
  }
  return buffer;
}
