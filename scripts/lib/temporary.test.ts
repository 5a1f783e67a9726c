import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

const module = new URL('./temporary.mjs', import.meta.url).href;
const program = (end: string) => [
  '--input-type=module',
  '-e',
  `import { execFileSync } from 'node:child_process'; import { ownTemporaryFolder } from ${JSON.stringify(module)}; ownTemporaryFolder(); const folder = execFileSync(process.execPath, ['-p', 'require("node:fs").mkdtempSync(require("node:os").tmpdir() + "/left-")']).toString().trim(); process.stdout.write(folder); ${end}`,
];

it('temporary files of the tests and of what they start go with them', () => {
  const left = execFileSync(process.execPath, program('')).toString();
  expect(left).toMatch(/ym-test-\w+.left-/);
  expect(existsSync(left)).toBe(false);
});

it('also where the run is broken off', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    program('process.kill(process.pid, "SIGINT"); setTimeout(() => {}, 60_000);'),
  );
  expect(status).toBe(130);
  expect(existsSync(stdout.toString())).toBe(false);
});
