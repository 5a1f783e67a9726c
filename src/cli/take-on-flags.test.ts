import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { NODE_FLAGS } from '../contract/process.ts';
import { otherStart } from './take-on-flags.ts';

const FIXTURE = fileURLToPath(new URL('take-on-flags.fixture.ts', import.meta.url));

async function start(flags: readonly string[]) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, FIXTURE, 'master', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { started: child.pid, err, ...(JSON.parse(out) as { pid: number; execArgv: string[]; argv: string[] }) };
}

it.skipIf(process.platform === 'win32')(
  'a plain start becomes one with the flags of the launchers, in the same process',
  async () => {
    const { started, ...found } = await start(['--stack-size=900']);
    expect(found).toEqual({
      pid: started,
      execArgv: [...NODE_FLAGS, '--stack-size=900'],
      argv: ['master', '--port', '0'],
      arenas: '2',
      err: '',
    });
  },
);

it('goes on as it is where it may not start anything', async () => {
  const { started, ...found } = await start(['--permission', '--allow-fs-read=*']);
  expect(found).toMatchObject({ pid: started, execArgv: ['--permission', '--allow-fs-read=*'] });
});

it('is left alone where it has them, or others of their kind', () => {
  const as = (execArgv: string[], options?: string) =>
    otherStart({ execPath: 'node', execArgv, argv: ['node', 'cli.js'], env: { NODE_OPTIONS: options } })?.args ?? null;
  expect(as([...NODE_FLAGS])).toBeNull();
  expect(as([], NODE_FLAGS.join(' '))).toBeNull();
  expect(as(['--max-semi-space-size=16', ...NODE_FLAGS.slice(1)])).toBeNull();
  expect(as([NODE_FLAGS[0] as string])).toEqual(['node', ...NODE_FLAGS.slice(1), NODE_FLAGS[0], 'cli.js']);
});
