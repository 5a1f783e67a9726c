// npm run bench -- NAME [--quick]: builds what is stale and runs bench/NAME.ts under this Node. JSON lines on standard output.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const names = readdirSync(join(repository, 'bench')).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3));
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name) || rest.some((option) => option !== '--quick')) {
  console.error(`usage: npm run bench -- NAME [--quick]   (NAME: ${names.join(', ')})`);
  process.exit(2);
}
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`benchmarks need Node 24; this is ${process.versions.node}: start them with npm run, which brings its own`);
  process.exit(1);
}
if (newest(join(repository, 'src')) > built()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], { cwd: repository, encoding: 'utf8' });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nthe build failed`);
    process.exit(1);
  }
}
const { status } = spawnSync(process.execPath, [join(repository, 'bench', `${name}.ts`), ...rest], { cwd: repository, stdio: 'inherit' });
process.exit(status ?? 1);

function newest(folder) {
  return Math.max(...readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

function built() {
  const entries = ['master', 'worker', 'cli'].map((entry) => join(repository, 'out/main', `${entry}.js`));
  return entries.every(existsSync) ? Math.min(...entries.map((file) => statSync(file).mtimeMs)) : 0;
}
