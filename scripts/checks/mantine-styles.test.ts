import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The console loads the styles of those components of Mantine that it uses: all of them would be a third of the styles that each first
 * page waits for. `src/renderer/styles/mantine.css` lists them in the order of Mantine's own file, on which its rules rely.
 */
const packageFolder = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.layer.css'));
const modules = join(packageFolder, 'esm');
const read = (file: string): string => readFileSync(file, 'utf8');
const listFile = new URL('../../src/renderer/styles/mantine.css', import.meta.url);

const CLASS = /\bm_[0-9a-f]{5,8}\b/g;
const classesIn = (text: string): string[] => text.match(CLASS) ?? [];

/** Names that the files of the console, and of Mantine's other packages that it uses, import from the package. */
function namesInUse(): Set<string> {
  const sources = globSync('src/renderer/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));
  const notifications = globSync('node_modules/@mantine/notifications/esm/**/*.mjs');
  return new Set(
    [...sources, ...notifications].flatMap((file) =>
      [...read(file).matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names = '']) =>
        names
          .split(',')
          .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
          .filter((name) => name !== '' && !name.startsWith('type ')),
      ),
    ),
  );
}

/** The classes of all modules that these names are made of. */
function classesOf(names: ReadonlySet<string>): Set<string> {
  const index = read(join(modules, 'index.mjs'));
  const entries = [...index.matchAll(/import (?:\{([^}]*)\}|\w+) from "(\.[^"]*)"/g)]
    .filter(([, imported = '']) =>
      imported.split(',').some((name) => names.has(name.trim().split(/\s+as\s+/)[0] ?? '')),
    )
    .map(([, , file = '']) => join(modules, file));
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    const text = read(file);
    if (file.endsWith('.module.mjs')) for (const name of classesIn(text)) found.add(name);
    for (const [, next = ''] of text.matchAll(/from "(\.[^"]*)"/g)) open.push(join(dirname(file), next));
  }
  return found;
}

describe('styles of Mantine', () => {
  const whole = read(join(packageFolder, 'styles.layer.css'));
  const sheets = readdirSync(join(packageFolder, 'styles'))
    .filter((name) => name.endsWith('.layer.css'))
    .map((name) => {
      const text = read(join(packageFolder, 'styles', name));
      const body = text.replace(/^@layer mantine\s*\{\s*/, '');
      return { name, classes: classesIn(text), place: whole.indexOf(body.slice(0, body.indexOf('{'))) };
    })
    .toSorted((a, b) => a.place - b.place);
  const listed = [...read(listFile).matchAll(/@import '@mantine\/core\/styles\/([^']+)';/g)].map(([, name]) => name);

  it('finds each sheet in the whole', () => {
    expect(sheets.length).toBeGreaterThan(90);
    expect(sheets.filter(({ place }) => place < 0).map(({ name }) => name)).toEqual([]);
  });

  it('are those of the components in use, in their order', () => {
    const used = classesOf(namesInUse());
    expect(used.size).toBeGreaterThan(100);
    const needed = sheets.filter(({ classes }) => classes.length === 0 || classes.some((name) => used.has(name)));
    expect(listed).toEqual(needed.map(({ name }) => name));
  });
});
