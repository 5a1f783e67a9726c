import type { Command } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { connectToMaster, resolveDataFolder, findLocalMaster } from '../api-client.ts';
import { apiCommand } from '../api-command.ts';
import { checkDataFolder, checkNode, checkPorts, checkSqlite, checkStores } from './doctor/machine.ts';
import { checkMaster } from './doctor/running.ts';
import type { Check } from './doctor/check.ts';
import type { ProcessIo } from '../process-io.ts';

const SIGNS = { ok: '✓', warning: '!', failed: '✗' } as const;

/** `yardmaster doctor`: looks at everything that a master needs, and at the one that runs. Exit 1 where something is broken. */
export function doctorCommand(root: Command, io: ProcessIo): void {
  apiCommand(
    root,
    io,
    'doctor',
    'check this machine, the data folder and the running master',
    async (session, flags) => {
      const folder = resolveDataFolder(flags.data, io);
      const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
      const checks: Check[] = [
        checkNode(process.versions.node),
        await checkSqlite(),
        checkDataFolder(folder),
        ...(await checkStores(folder)),
        ...(await checkPorts(local)),
      ];
      if (local !== null || flags.url !== undefined) checks.push(...(await checkMaster(connectToMaster(flags, io))));
      else
        checks.push({
          name: 'master',
          status: 'ok',
          detail: `no master is running with the data folder ${folder}`,
          remedy: null,
        });
      const failed = checks.filter(({ status }) => status === 'failed');
      session.show({ ok: failed.length === 0, checks }, () => checks.flatMap(linesOf));
      if (failed.length > 0)
        throw new Fault(
          'CHECKS_FAILED',
          `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
        );
    },
  );
}

function linesOf({ name, status, detail, remedy }: Check): string[] {
  return [`${SIGNS[status]} ${name}: ${detail}`, ...(remedy === null ? [] : [`  → ${remedy}`])];
}
