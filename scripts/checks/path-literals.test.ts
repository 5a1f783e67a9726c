import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Callers of the API, whose paths come from the route table (src/contract/routes.ts). */
const CALLERS = ['src/renderer', 'src/cli', 'src/main', 'src/preload', 'bench', 'e2e/support'];
/** Prometheus, measured beside our own metrics, and Kubernetes have APIs of the same prefix. */
const OTHER_APIS = new Set(['bench/peers/metric-servers.ts', 'src/main/tunnels/kubernetes/release.ts']);

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
const literalsIn = (text: string): string[] => withoutComments(text).match(/\/api\/v1\b[^'"`\s]*/g) ?? [];

it('no caller of the API writes out a path: it names the route', () => {
  const files = execFileSync('git', ['ls-files', ...CALLERS], { encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|fake|fixture)\.tsx?$/.test(file) && !OTHER_APIS.has(file),
    );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => literalsIn(readFileSync(file, 'utf8')).map((literal) => `${file}: ${literal}`));
  expect(found).toEqual([]);
});

it('finds one that is planted', () => {
  expect(literalsIn("call('GET', '/api/v1/jobs');")).toEqual(['/api/v1/jobs']);
  expect(literalsIn('const url = `${origin}/api/v1/tasks/${id}/why`;')).toEqual(['/api/v1/tasks/${id}/why']);
  expect(literalsIn('// such as /api/v1/jobs\n/** `/api/v1/stream` */')).toEqual([]);
});
