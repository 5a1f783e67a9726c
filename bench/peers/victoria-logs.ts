import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogServer } from '../lib/log-http.ts';

/** Starts VictoriaLogs with a folder of its own. */
export async function startVictoriaLogs(program: string, path: string): Promise<LogServer & { stop(): Promise<void> }> {
  const url = 'http://127.0.0.1:19428';
  const child = spawn(
    program,
    [
      `-storageDataPath=${path}`,
      '-httpListenAddr=127.0.0.1:19428',
      '-retentionPeriod=100y',
      '-search.maxQueryDuration=120s',
    ],
    { stdio: 'ignore' },
  );
  for (let i = 0; ; i++) {
    if (
      await fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break;
    if (i === 100) throw new Error(`${program} does not answer`);
    await sleep(100);
  }
  return {
    url,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}
