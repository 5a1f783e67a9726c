import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../src/contract/process.ts';
import { nodeEnvironment, nodeFlags } from './node-flags.mjs';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const flags = NODE_FLAGS.join(' ');
const settings = Object.entries(NODE_ENVIRONMENT);

it('starts Node with the same flags from the scripts, from the processes and from the installed command', () => {
  expect(nodeFlags).toEqual(NODE_FLAGS);
  expect(nodeEnvironment).toEqual(NODE_ENVIRONMENT);
  const [first] = text('src/cli/index.ts').split('\n');
  expect(first).toBe(`#!/usr/bin/env -S ${settings.map(([name, value]) => `${name}=${value} `).join('')}node ${flags}`);
});

it('starts it so from the packaged command too', () => {
  expect(text('packaging/yardmaster')).toContain(` ${flags} `);
  expect(text('packaging/yardmaster.cmd')).toContain(` ${flags} `);
  for (const [name, value] of settings)
    expect(text('packaging/yardmaster')).toContain(`${name}="\${${name}:-${value}}"`);
});
