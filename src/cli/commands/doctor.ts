import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Fault } from '../../lib/fault.ts';
import { connectToMaster, resolveDataFolder, findLocalMaster } from '../api-client.ts';
import { apiCommand, type CommonFlags } from '../api-command.ts';
import { option } from '../options.ts';
import { checkDataFolder, checkNode, checkPorts, checkSqlite, checkStores } from './doctor/machine.ts';
import { checkRunningData, checkStoppedData } from './doctor/data.ts';
import { checkMaster } from './doctor/running.ts';
import type { Check } from './doctor/check.ts';
import type { ProcessIo } from '../process-io.ts';

const DATABASE = 'yardmaster.db';
const SIGNS = { ok: '✓', warning: '!', failed: '✗' } as const;

/** `yardmaster doctor`: looks at everything that a master needs, and at the one that runs. Exit 1 where something is broken. */
export function doctorCommand(root: Command, io: ProcessIo): void {
  const command = apiCommand(
    root,
    io,
    'doctor',
    'check this machine, the data folder and the running master',
    async (session, flags: { deep?: boolean } & CommonFlags) => {
      const deep = flags.deep === true;
      const folder = resolveDataFolder(flags.data, io);
      const local = flags.url === undefined ? findLocalMaster(flags.data, io) : null;
      const isStopped = local === null && flags.url === undefined && existsSync(join(folder, DATABASE));
      const checks: Check[] = [
        checkNode(process.versions.node),
        await checkSqlite(),
        checkDataFolder(folder),
        // First: SQLite, which the checks of the stores use, drops what does not check of the log that a killed master left.
        ...(isStopped ? [await checkStoppedData(folder, io, deep)] : []),
        ...(await checkStores(folder, isStopped ? DATABASE : null)),
        ...(await checkPorts(local)),
      ];
      if (local !== null || flags.url !== undefined) {
        const api = connectToMaster(flags, io);
        const running = await checkMaster(api);
        checks.push(...running);
        if (running.length > 2) checks.push(await checkRunningData(api, deep));
      } else
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
  option(command, io, '--deep', 'read every byte of all data, and look for damage');
}

function linesOf({ name, status, detail, remedy }: Check): string[] {
  return [`${SIGNS[status]} ${name}: ${detail}`, ...(remedy === null ? [] : [`  → ${remedy}`])];
}
