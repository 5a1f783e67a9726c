import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ACTIONS, BUILT_IN_ROLES, ENVIRONMENT_ACTIONS, ROLE_ACTIONS } from '../../src/contract/actions.ts';

const docs = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

it('is what docs/security.md says of each role', () => {
  const rows = [...docs.matchAll(/^\| `([a-z.]+)` \|([^\n]*)\|$/gm)].map(([, action, rest = '']) => [
    action,
    ...rest.split('|').map((cell) => cell.trim()),
  ]);
  const told = rows.filter(([action]) => (ACTIONS as readonly string[]).includes(action ?? ''));
  expect(told.map((row) => [row[0], row[1]?.endsWith('¹') === true, ...row.slice(2)])).toEqual(
    ACTIONS.map((action) => [
      action,
      ENVIRONMENT_ACTIONS.has(action),
      ...BUILT_IN_ROLES.map((role) => (ROLE_ACTIONS[role].includes(action) ? '✓' : '')),
    ]),
  );
});

it('has no role that allows less than the one it is made of', () => {
  for (const [less, more] of [
    ['viewer', 'author'],
    ['author', 'operator'],
    ['author', 'publisher'],
    ['operator', 'admin'],
    ['publisher', 'admin'],
  ] as const)
    expect(new Set(ROLE_ACTIONS[more])).toEqual(new Set([...ROLE_ACTIONS[more], ...ROLE_ACTIONS[less]]));
});
