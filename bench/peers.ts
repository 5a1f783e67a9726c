import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../src/contract/process.ts';
import { median, summary, type Target } from './lib/report.ts';

/**
 * Ours beside the programs that people would run instead, as one table of ratios: events (Node-RED), tasks (graphile-worker,
 * pg-boss, BullMQ), logs (VictoriaLogs) and metrics (VictoriaMetrics, InfluxDB 1.x). A peer that is not installed is named
 * and left out. `--turns=2` measures all of it so often, in turns; `--only=logs,metrics` some of it. JSON lines on standard output,
 * the table on standard error.
 */
const KINDS = ['events', 'tasks', 'logs', 'metrics'] as const;
const quick = process.argv.includes('--quick');
const given = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
const turns = Number(given('turns') ?? (quick ? 1 : 2));
const only = given('only')?.split(',') ?? KINDS;
if (!(turns > 0) || only.some((kind) => !KINDS.includes(kind as (typeof KINDS)[number])))
  throw new Error(`--turns takes a number above 0, --only some of ${KINDS.join(',')}`);

/** What a part says of itself: `compare` and `leaveOut` in lib/comparison.ts. */
interface Compared {
  readonly compared: string;
  readonly peer: string;
  readonly ours: number;
  readonly theirs: number;
  readonly target: number | null;
  readonly wanted: Target['wanted'];
}

const rows = new Map<string, Compared[]>();
const missing = new Map<string, string>();
for (let turn = 0; turn < turns; turn++) for (const kind of KINDS) if (only.includes(kind)) await run(kind);
process.stderr.write(table());
process.exitCode = summary(
  [...rows.values()].flatMap((turns): Target[] => {
    const [{ compared, peer, target, wanted }] = turns as [Compared];
    return target === null ? [] : [{ name: `${compared}, against ${peer}`, value: medianRatio(turns), target, wanted }];
  }),
);

/** In a process of its own: what one part leaves in memory is not another's. */
async function run(kind: string): Promise<void> {
  const script = fileURLToPath(new URL(`peers/${kind}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, script, ...process.argv.slice(2)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isWhole = false;
  for await (const text of createInterface(child.stdout)) {
    const told = JSON.parse(text) as Compared & { missing?: string; summary?: true };
    // Only one summary is the last line of the whole.
    if (told.summary) isWhole = true;
    else process.stdout.write(`${text}\n`);
    if (told.compared) rows.set(keyOf(told), [...(rows.get(keyOf(told)) ?? []), told]);
    if (told.missing) missing.set(told.peer, told.missing);
  }
  const code = await ended;
  if (!isWhole) throw new Error(`peers/${kind}.ts ended with ${code} before its summary`);
}

function keyOf({ compared, peer }: Compared): string {
  return `${peer}\n${compared}`;
}

function medianRatio(turns: readonly Compared[]): number {
  return median(turns.map(({ ours, theirs }) => ours / theirs));
}

/** As Markdown, with the figures of each turn. A ratio that meets its target is bold. */
function table(): string {
  const lines = [...rows.values()].map((turns) => {
    const [{ compared, peer, target, wanted }] = turns as [Compared];
    const ratio = turns.map(({ ours, theirs }) => figure(ours / theirs)).join(', ');
    const isMet =
      target !== null && (wanted === 'at least' ? medianRatio(turns) >= target : medianRatio(turns) <= target);
    const aim = target === null ? '' : `${wanted === 'at least' ? '≥' : '≤'} ${target}`;
    const [ours, theirs] = [turns.map((turn) => figure(turn.ours)), turns.map((turn) => figure(turn.theirs))];
    return `| ${compared} | ${ours.join(', ')} | ${peer} | ${theirs.join(', ')} | ${isMet ? `**${ratio}**` : ratio} | ${aim} |\n`;
  });
  const left = [...missing].map(([peer, remedy]) => `Left out: ${peer} (${remedy}).\n`);
  return [
    '\n| Work | Yardmaster | Peer | its figure | Ratio | Target |\n|---|---|---|---|---|---|\n',
    ...lines,
    ...left,
  ].join('');
}

/** In whole numbers from 100 on, else two digits: more than these are exact to. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));
}
