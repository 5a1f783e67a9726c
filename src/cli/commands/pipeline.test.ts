import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PipelineProcessOptions, RunningPipeline } from '../../contract/process.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { fakeIo } from '../process-io.fake.ts';
import { run } from '../program.ts';

async function start(args: readonly string[], env: Record<string, string> = {}) {
  let options: PipelineProcessOptions | null = null;
  const startPipeline = async (given: PipelineProcessOptions): Promise<RunningPipeline> => {
    options = given;
    return { port: 9000, stats: () => ({}), close: async () => {} };
  };
  const stopped = AbortSignal.abort();
  const { io, err } = fakeIo({ env, stopped, load: async () => ({ startPipeline }) });
  const code = await run(['pipeline', '--log-store', 'http://127.0.0.1:9428', ...args], io);
  return { code, err: err.join('\n'), options: options as PipelineProcessOptions | null };
}
const file = (text: string) => {
  const path = join(temporaryFolder('tokens'), 'tokens');
  writeFileSync(path, text);
  return path;
};

describe('tokens of the senders', () => {
  it('come from a file, the environment, or both', async () => {
    expect((await start([])).options).toMatchObject({ tokens: null, open: false });
    expect((await start([], { YARDMASTER_PIPELINE_TOKEN: 'one' })).options).toMatchObject({ tokens: ['one'] });
    const path = file('# of the web shop\r\nfirst\n\n  second \n');
    expect((await start(['--tokens', path])).options).toMatchObject({ tokens: ['first', 'second'] });
    expect((await start(['--tokens', path], { YARDMASTER_PIPELINE_TOKEN: 'one' })).options).toMatchObject({
      tokens: ['first', 'second', 'one'],
    });
  });

  it.each([
    [file('\n# none\n'), 'has no tokens'],
    [file('two words\n'), 'a token has no blanks'],
    ['/nowhere/tokens', 'cannot be read'],
  ])('are refused where the file %s is no good', async (path, message) => {
    const { code, err, options } = await start(['--tokens', path]);
    expect({ code, options }).toEqual({ code: 2, options: null });
    expect(err).toContain(message);
    expect(err).not.toContain('two words');
  });
});
