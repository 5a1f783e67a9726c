import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ShadowReplay, ShadowResult } from '../../../contract/shadow-replays.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, type Session } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { integer, list, option } from '../../options.ts';
import { namedValues, pluralize, duration, table } from '../../text-table.ts';

const LOOK_MS = 300;
const SHOWN = 500;

/** `yardmaster workflow shadow`: a version tried on what an environment was given last. */
export function shadowCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'shadow <id>',
    'backtest: replay recent inputs of an environment on a version, and exit 1 if results differ or fail',
    async (
      session,
      {
        commit,
        from = 'prod',
        count,
        ignore,
      }: { commit?: string; from?: Environment; count?: number; ignore?: string[] },
      id,
    ) => {
      if (commit === undefined) throw new Fault('USAGE', 'specify the version to test: --commit HASH');
      if (ignore !== undefined) {
        const { paths } = await session.api.call('shadowIgnores.get', { params: { id: id } });
        await session.api.call('shadowIgnores.replace', {
          params: { id: id },
          body: { paths: [...new Set([...paths, ...ignore])] },
        });
      }
      const begun = await session.api.call('shadowReplays.start', {
        params: { id: id },
        body: { commit, environment: from, ...(count === undefined ? {} : { count }) },
      });
      const ended = await followed(session, begun);
      const found = await session.api.call('shadowReplays.results', {
        params: { id: ended.id },
        query: { size: SHOWN },
      });
      session.show({ ...ended, results: found.items }, () => linesOf(ended, found.items));
      const { different, failing, unknown } = ended.summary;
      if (ended.status !== 'DONE')
        throw new Fault(
          'SHADOW_ABORTED',
          `the backtest was stopped after ${ended.done} of ${pluralize(ended.total, 'input')}`,
        );
      if (different + failing > 0)
        throw new Fault(
          'SHADOW_DIFFERS',
          `${different + failing} of ${pluralize(ended.total, 'input')} gave a different result${unknown > 0 ? `, ${unknown} could not be run` : ''}`,
        );
      if (unknown > 0)
        throw new Fault(
          'SHADOW_INCOMPLETE',
          `${unknown} of ${pluralize(ended.total, 'input')} could not be run, so their results are unknown`,
        );
    },
  );
  option(command, io, '--commit <hash>', 'version to test');
  option(command, io, '--from <environment>', 'environment to take inputs from (default: prod)');
  option(command, io, '--count <n>', 'max. inputs (default: 50)', { parse: integer(1, 10_000) });
  option<string[] | undefined>(
    command,
    io,
    '--ignore <path>',
    'path to ignore, such as /items/*/at; repeatable or comma-separated; stored for the workflow',
    { parse: list },
  );
}

async function followed({ api }: Session, begun: ShadowReplay): Promise<ShadowReplay> {
  for (let replay = begun; ; replay = await api.call('shadowReplays.get', { params: { id: begun.id } })) {
    if (replay.status !== 'RUNNING') return replay;
    await delay(LOOK_MS);
  }
}

function linesOf(
  { id, commit, environment, against, total, summary, paths, warnings }: ShadowReplay,
  results: readonly ShadowResult[],
): string[] {
  const odd = results.filter(({ verdict }) => verdict !== 'same');
  return [
    ...namedValues({
      replay: id,
      version: commit,
      'inputs of': `${environment}${against === null ? '' : `, which runs ${against.slice(0, 10)}`}`,
      same: `${summary.same} of ${total}`,
      different: summary.different,
      'now fails': summary.failing,
      mended: summary.mended,
      'not run': summary.unknown,
    }),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(paths.length > 0
      ? [
          '',
          ...table(
            ['differs at', 'inputs'],
            paths.map(({ path, inputs }) => [path || '(whole)', inputs]),
            '',
          ),
        ]
      : []),
    ...(odd.length > 0 ? ['', ...table(['job', 'input', 'result', 'before', 'now', 'what'], odd.map(rowOf), '')] : []),
  ];
}

function rowOf({ jobId, replica, verdict, msBefore, msAfter, reason, errorAfter, differences }: ShadowResult) {
  const [first] = differences.filter(({ ignored }) => !ignored);
  const what =
    reason?.message ??
    (errorAfter
      ? `${errorAfter.node}: ${errorAfter.code}: ${errorAfter.message}`
      : first
        ? `${first.path || '(whole)'}: ${first.before ?? 'absent'} → ${first.after ?? 'absent'}`
        : '');
  return [
    jobId,
    replica,
    verdict,
    duration(msBefore === null ? null : Math.round(msBefore)),
    duration(msAfter === null ? null : Math.round(msAfter)),
    what,
  ];
}
