import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { environmentVariable } from '../lib/environment-variable.ts';
import { integer, list, option, time } from './options.ts';

const parse = (env: Record<string, string>, ...args: string[]) => {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {}, outputError: () => {} });
  option(command, { env }, '--log-store-port <n>', '', { parse: integer(0, 65_535) });
  option(command, { env }, '--workers <n>', '', { parse: integer(0, 256), fallback: 2 });
  option(command, { env }, '--workflow <id...>', '', { parse: list });
  option(command, { env }, '--behind-proxy', '');
  option(command, { env }, '--node <id>', '');
  Object.assign(process.env, env);
  try {
    return command.parse(args, { from: 'user' }).opts();
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
};

describe('option', () => {
  it('names the variable after the option', () => {
    expect(environmentVariable('log-store-port')).toBe('YARDMASTER_LOG_STORE_PORT');
    expect(environmentVariable('codeMemoryBytes')).toBe('YARDMASTER_CODE_MEMORY_BYTES');
  });

  it('takes the command line before the environment, and that before the default', () => {
    expect(parse({})).toEqual({ workers: 2 });
    expect(parse({ YARDMASTER_WORKERS: '5', YARDMASTER_LOG_STORE_PORT: '0' })).toEqual({ workers: 5, logStorePort: 0 });
    expect(parse({ YARDMASTER_WORKERS: '5' }, '--workers', '7')).toEqual({ workers: 7 });
  });

  it('takes an empty variable as none, and 0 or false as a switch that is off', () => {
    expect(parse({ YARDMASTER_WORKERS: '', YARDMASTER_BEHIND_PROXY: 'false' })).toEqual({ workers: 2 });
    expect(parse({ YARDMASTER_BEHIND_PROXY: '1' })).toEqual({ workers: 2, behindProxy: true });
  });

  it('takes no variable that means something else', () => {
    expect(parse({ YARDMASTER_NODE: '/usr/bin/node' })).toEqual({ workers: 2 });
    expect(parse({ YARDMASTER_NODE: '/usr/bin/node' }, '--node', 'charge')).toEqual({ workers: 2, node: 'charge' });
  });

  it('takes several values by repeating, by listing, and with commas', () => {
    expect(parse({}, '--workflow', 'a', 'b', '--workflow', 'c,d')).toMatchObject({ workflow: ['a', 'b', 'c', 'd'] });
    expect(parse({ YARDMASTER_WORKFLOW: 'a, b' })).toMatchObject({ workflow: ['a', 'b'] });
  });

  it.each(['x', '-1', '1.5', '257', '1e2', ''])('refuses "%s" as a count of workers', (text) => {
    expect(() => parse({}, '--workers', text)).toThrow('whole number from 0 to 256');
  });
});

describe('time', () => {
  const now = Date.parse('2026-02-03T04:05:06.789Z');
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['15m', '2026-02-03T03:50:06.789Z'],
    ['7d', '2026-01-27T04:05:06.789Z'],
  ])('reads %s as %s', (text, expected) => expect(time(text, now)).toBe(expected));

  it.each(['yesterday', '1', '15 m', '2026-13-01'])('refuses %s', (text) =>
    expect(() => time(text, now)).toThrow('Expected a time'),
  );
});
