import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

/**
 * A test stands beside its source and has its name: `queue.test.ts` beside `queue.ts`, and `queue.limits.test.ts` where one
 * source has several. What tests share is `*.fake.ts` (stands in for something) or `*.fixture.ts` (sets something up); such a
 * helper may have a test too, which has its first name. Tests that look over the whole tree are in `scripts/checks`.
 */
const TEST = /^(.+)\.test\.tsx?$/;
const HELPER_NAME = /(^|[./-])(testing|fixtures?|fakes?|stubs?|mocks?)([./-]|$)/;
const HELPER = /\.(fake|fixture)\.tsx?$/;
/** Setups of the whole server, which stand beside no single source. */
const SHARED_HELPERS = 'src/server/testing/';

function misplaced(files: readonly string[]): string[] {
  const known = new Set(files);
  return files.flatMap((file) => {
    const [, stem] = TEST.exec(file) ?? [];
    if (stem !== undefined) {
      if (file.startsWith('scripts/checks/')) return [];
      const source = posix.join(posix.dirname(stem), posix.basename(stem).split('.', 1)[0] ?? '');
      const found = ['ts', 'tsx', 'mjs', 'fixture.ts', 'fake.ts'].some((ending) => known.has(`${source}.${ending}`));
      return found ? [] : [`${file}: there is no ${source}.ts beside it`];
    }
    const helps = file.startsWith(SHARED_HELPERS) || HELPER_NAME.test(posix.basename(file));
    return helps && !HELPER.test(file) ? [`${file}: a helper of tests is named *.fake.ts or *.fixture.ts`] : [];
  });
}

const tracked = execFileSync('git', ['ls-files', 'src', 'scripts', 'bench'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file));

test('each test stands beside its source and has its name, and helpers say what they are', () => {
  expect(tracked.length).toBeGreaterThan(1000);
  expect(misplaced(tracked)).toEqual([]);
});

test('a test without a source, and a helper by another name, are found', () => {
  const planted = ['src/lib/no-such-source.test.ts', 'src/lib/fake-clock.ts', 'src/server/testing/rig.ts'];
  expect(misplaced([...tracked, ...planted]).map((line) => line.split(':', 1)[0])).toEqual(planted);
});
