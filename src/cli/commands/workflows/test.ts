import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Definition } from '../../../contract/definition.ts';
import type { TestCase, TestReport } from '../../../contract/workflow-tests.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand } from '../../api-command.ts';
import { option } from '../../options.ts';
import type { ProcessIo } from '../../process-io.ts';
import { pluralize } from '../../text-table.ts';
import { readJson } from '../../workflow-file.ts';

interface TestFlags {
  commit?: string;
  file?: string;
  cases?: string;
  junit?: string;
}

/** `yardmaster workflow test`: runs the test cases of a workflow. */
export function testCommand(group: Command, io: ProcessIo): void {
  const command = apiCommand(
    group,
    io,
    'test <id>',
    'run the test cases of a workflow, and exit 1 if one fails',
    async (session, { commit, file, cases, junit }: TestFlags, id) => {
      if (commit !== undefined && file !== undefined)
        throw new Fault('USAGE', 'give the version with --commit or with --file, not both');
      // The master checks what the files hold.
      const version =
        file !== undefined
          ? { definition: (await readJson(file, io)) as Definition }
          : { commit: commit ?? (await head(id)) };
      const own = cases === undefined ? {} : { cases: casesIn(await readJson(cases, io)) };
      const report = await session.api.call('workflowTests.run', { params: { id }, body: { ...version, ...own } });
      if (junit !== undefined) writeFileSync(junit, junitText(id, report));
      session.show(report, () => lines(report));
      if (report.failed > 0)
        throw new Fault(
          'TESTS_FAILED',
          `${report.failed} of ${pluralize(report.cases.length, 'test case')} of ${id} failed`,
        );

      async function head(workflowId: string): Promise<string> {
        const { items } = await session.api.call('commits.list', { params: { id: workflowId }, query: { size: 1 } });
        const [newest] = items;
        if (!newest) throw new Fault('USAGE', `workflow ${workflowId} has no version yet: save one, or give --file`);
        return newest.hash;
      }
    },
  );
  option(command, io, '--commit <hash>', 'the version to test (default: the newest)');
  option(command, io, '--file <file>', 'test a definition that is not saved ("-": standard input)');
  option(command, io, '--cases <file>', 'run the cases of this file instead of those that are saved');
  option(command, io, '--junit <file>', 'write a report in JUnit XML');
}

/** A list, or what `GET …/tests` answers. */
const casesIn = (value: unknown): TestCase[] =>
  (Array.isArray(value) ? value : ((value as { cases?: unknown } | null)?.cases ?? [])) as TestCase[];

const lines = ({ cases, passed, failed, coverage }: TestReport): string[] => [
  ...cases.flatMap(({ name, ok, difference }) => [
    `${ok ? 'ok  ' : 'FAIL'}  ${name}`,
    ...(difference ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`      ${line}`])),
  ]),
  `${passed} passed, ${failed} failed; ${covered('nodes reached', coverage.nodes, coverage.missed)}`,
  ...(coverage.edges && coverage.missedEdges
    ? [covered('edges taken', coverage.edges.map(edgeText), coverage.missedEdges.map(edgeText))]
    : []),
];

const covered = (what: string, some: readonly string[], others: readonly string[]): string =>
  `${some.length} of ${some.length + others.length} ${what}${others.length > 0 ? `, not: ${others.join(', ')}` : ''}`;
const edgeText = ({ from, to, port }: { from: string; to: string; port?: string }): string =>
  `${from} → ${to}${port === undefined ? '' : ` (${port})`}`;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Without characters that XML cannot hold. */
const xml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one);

/** One suite, as CI systems read it. */
export function junitText(id: string, { cases, failed }: TestReport): string {
  const tests = cases.map(({ name, ok, difference = '' }) => {
    const open = `    <testcase classname="${xml(id)}" name="${xml(name)}"`;
    return ok
      ? `${open}/>`
      : `${open}>\n      <failure message="${xml(difference.split('\n')[0] ?? '')}">${xml(difference)}</failure>\n    </testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${xml(id)}" tests="${cases.length}" failures="${failed}">
${tests.join('\n')}
  </testsuite>
</testsuites>
`;
}
