import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NODE_FLAGS } from '../../src/contract/process.ts';
import { nodeFlags } from './node-flags.mjs';

it('starts Node with the same flags from the scripts, from the processes and from the installed command', () => {
  expect(nodeFlags).toEqual(NODE_FLAGS);
  const [first] = readFileSync(new URL('../../src/cli/index.ts', import.meta.url), 'utf8').split('\n');
  expect(first).toBe(`#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}`);
});
