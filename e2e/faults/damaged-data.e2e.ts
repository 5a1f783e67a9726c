import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CLI, forget, NODE, startMaster, temporaryFolder, type TestMaster } from '../support/master.ts';

interface Answer {
  code: number | null;
  out: string;
  err: string;
}
const yardmaster = (args: string[], data: string): Promise<Answer> =>
  new Promise((resolve) => {
    const child = spawn(NODE, [CLI, ...args], { env: { ...process.env, YARDMASTER_DATA: data } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('close', (code) => resolve({ code, out, err }));
    child.stdin.end();
  });
/** Changes bytes of a file, as a failing disk does. */
function spoil(file: string, at: number, ...masks: number[]): void {
  const bytes = readFileSync(file);
  for (const [i, mask] of masks.entries()) bytes[at + i] = (bytes[at + i] ?? 0) ^ mask;
  writeFileSync(file, bytes);
}

const LOG_HEADER = 32;
const FRAME = 24 + 4096;
/** Frames of a write-ahead log that count: those after a checkpoint began it anew, from its start; behind them lie older ones. */
function framesOf(log: string): number {
  const bytes = readFileSync(log);
  const salts = bytes.subarray(16, 24);
  let frames = 0;
  for (let at = LOG_HEADER; at + FRAME <= bytes.length; at += FRAME, frames++)
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
  return frames;
}

test('what a disk has damaged is told, never shown, and restored from a backup', async () => {
  const folder = temporaryFolder('damage');
  const backup = join(folder, 'one.backup');
  let master: TestMaster = await startMaster();
  const { data } = master;
  const database = join(data, 'yardmaster.db');
  const outputs = new Map<string, unknown>();
  try {
    let calls = 0;
    const call = async () => {
      const n = calls++;
      const answer = await master.event('shout/dev', [{ content: `call number ${n} ` }]);
      expect(answer.status).toBe(200);
      outputs.set(answer.headers.get('x-job-id') ?? '', await answer.json());
    };
    while (calls < 40) await call();
    await master.kill();
    // A checkpoint may have begun the log anew just before.
    while (framesOf(`${database}-wal`) < 40) {
      master = await startMaster({ data });
      for (let n = 0; n < 10; n++) await call();
      await master.kill();
    }

    // A flipped bit in the log would lose acknowledged jobs: nothing is opened before it is put right.
    const spoilt = Math.floor(framesOf(`${database}-wal`) / 2);
    spoil(`${database}-wal`, LOG_HEADER + spoilt * FRAME + 24 + 2000, 1);
    expect(await yardmaster(['doctor', '--deep'], data)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/✗ data: damaged: yardmaster.db-wal: the write-ahead log is damaged at byte \d+/),
    });
    expect(await yardmaster(['master', '--port', '0'], data)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Run yardmaster repair'),
    });
    expect(await yardmaster(['repair'], data)).toMatchObject({
      code: 0,
      out: expect.stringContaining('✓ restored: yardmaster.db-wal: 1 flipped bit'),
    });
    master = await startMaster({ data });
    for (const [id, output] of outputs) expect(await master.output(id)).toEqual(output);
    expect(await yardmaster(['backup', backup], data)).toMatchObject({ code: 0 });
    expect((await yardmaster(['doctor', '--deep'], data)).out).toMatch(/✓ data: sound, last read whole/);
    await master.stop();

    // An output with another text.
    spoil(database, readFileSync(database).indexOf('CALL NUMBER 7 '), 3, 5);
    master = await startMaster({ data });
    const [id = '', output] = [...outputs][7] ?? [];
    const refused = await fetch(`${master.url}/api/v1/jobs/${id}/output`, {
      headers: { authorization: `Bearer ${master.token}` },
    });
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({
      code: 'DATA_DAMAGED',
      damaged: expect.stringMatching(/^the output of/),
    });
    const health = await master.call('data.health');
    expect(health.sound).toBe(false);
    expect(health.damages.map(({ part }) => part)).toContain('database');
    for (const [other, right] of outputs) if (other !== id) expect(await master.output(other)).toEqual(right);
    expect(await yardmaster(['doctor'], data)).toMatchObject({
      code: 1,
      out: expect.stringContaining('✗ data: damaged'),
    });
    await master.stop();

    expect(await yardmaster(['repair'], data)).toMatchObject({ code: 1, err: expect.stringContaining('--from') });
    const repaired = await yardmaster(['repair', '--from', backup], data);
    expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining('✓ restored: the output of') });
    master = await startMaster({ data });
    expect(await master.output(id)).toEqual(output);
    expect((await master.call('data.health')).sound).toBe(true);
    expect(readdirSync(data).some((name) => /^yardmaster\.db\.damaged-\d+$/.test(name))).toBe(true);
    await master.stop();
  } finally {
    await master.kill().catch(() => {});
    forget(data);
    forget(folder);
  }
});
