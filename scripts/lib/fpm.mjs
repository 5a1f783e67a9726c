import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { main, Problem } from './problem.mjs';
import { run } from './processes.mjs';

/**
 * Stands in for `fpm`, a Ruby program that electron-builder fetches from GitHub to build a .deb: understands what
 * electron-builder says to it, lays the files out, and has Debian's own dpkg-deb build the package.
 * Usage: that of fpm, `-s dir -t deb … FILE=/where/it/goes …`.
 */
const WITH_VALUE = [
  '-s',
  '-t',
  '-d',
  '--deb-recommends',
  '--deb-compression',
  '--deb-priority',
  '--architecture',
  '--after-install',
  '--after-remove',
  '--description',
  '--version',
  '--package',
  '--name',
  '--maintainer',
  '--vendor',
  '--url',
  '--category',
  '--license',
];

await main(async () => {
  const { options, files } = read(process.argv.slice(2));
  const one = (name) => options.get(name)?.at(-1);
  if (one('-t') !== 'deb') throw new Problem(`Only .deb packages can be built here, not ${one('-t')}.`);
  const work = mkdtempSync(join(tmpdir(), 'yardmaster-deb-'));
  try {
    for (const [from, to] of files) {
      mkdirSync(dirname(join(work, to)), { recursive: true });
      // `FOLDER/=/where`: what is in it.
      cpSync(from, join(work, to), { recursive: true, verbatimSymlinks: true });
    }
    const installed = [...open(work)];
    const about = join(work, 'DEBIAN');
    mkdirSync(about);
    const put = (name, content, mode) => (
      writeFileSync(join(about, name), content),
      chmodSync(join(about, name), mode)
    );
    put(
      'control',
      control(options, Math.ceil(installed.reduce((sum, path) => sum + statSync(path).size, 0) / 1024)),
      0o644,
    );
    put(
      'md5sums',
      installed
        .map((path) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${relative(work, path)}\n`)
        .join(''),
      0o644,
    );
    put('postinst', readFileSync(one('--after-install')), 0o755);
    put('postrm', readFileSync(one('--after-remove')), 0o755);
    for (const folder of [work, about]) chmodSync(folder, 0o755);
    const compression = one('--deb-compression') === 'gz' ? 'gzip' : (one('--deb-compression') ?? 'xz');
    const { code, output } = await run('dpkg-deb', [
      '--root-owner-group',
      `-Z${compression}`,
      '--build',
      work,
      one('--package'),
    ]);
    if (code !== 0)
      throw new Problem(
        'Could not build the .deb package.',
        code === 127 ? 'dpkg-deb is missing (Debian: apt-get install dpkg).' : output.trim(),
      );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return 0;
});

function read(words) {
  const options = new Map();
  const files = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--force') continue;
    if (WITH_VALUE.includes(word)) options.set(word, [...(options.get(word) ?? []), words[++i] ?? '']);
    else if (word.startsWith('-'))
      throw new Problem(
        `Unknown option ${word}: electron-builder now passes more options.`,
        'Add it to scripts/lib/fpm.mjs.',
      );
    else files.push([word.slice(0, word.lastIndexOf('=')), word.slice(word.lastIndexOf('=') + 1)]);
  }
  return { options, files };
}

function control(options, kilobytes) {
  const one = (name) => options.get(name)?.at(-1);
  const [synopsis, ...more] = one('--description').trim().split('\n');
  const url = one('--url');
  const fields = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    'Installed-Size': kilobytes,
    Depends: options.get('-d')?.join(', '),
    Recommends: options.get('--deb-recommends')?.join(', '),
    Section: one('--category'),
    Priority: one('--deb-priority'),
    // electron-builder wants a homepage where there may be none.
    Homepage: url && !new URL(url).hostname.endsWith('.invalid') ? url : undefined,
    Description: [synopsis, ...more.map((line) => ` ${line.trim() || '.'}`)].join('\n'),
  };
  return Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`]))
    .join('');
}

/** Everyone may read what is installed, whatever the builder's umask. Yields its files. */
function* open(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) continue;
    chmodSync(path, stat.isDirectory() || stat.mode & 0o111 ? 0o755 : 0o644);
    if (stat.isDirectory()) yield* open(path);
    else yield path;
  }
}
