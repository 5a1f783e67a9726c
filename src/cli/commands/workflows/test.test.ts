import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { fakeMaster } from '../../process-io.fake.ts';

let asked: string[] = [];
let report: object = {};
const coverage = { nodes: ['in', 'out'], missed: ['<rare>'] };
const master = fakeMaster(({ method, path, body }) => {
  asked.push(`${method} ${path} ${body}`.trim());
  return method === 'GET' ? { items: [{ hash: 'newest' }], page: 0, size: 1, totalItems: 1, totalPages: 1 } : report;
});
const folder = temporaryFolder('workflow-test');

it('runs the newest version, and fails with what came instead', async () => {
  asked = [];
  report = {
    passed: 1,
    failed: 1,
    cases: [
      { name: 'good', ok: true },
      { name: 'bad <"&\u0007>', ok: false, difference: '/a: expected 1, got 2\n/b: expected "<x>", got nothing' },
    ],
    coverage,
  };
  const junit = join(folder, 'report.xml');
  expect(await master.yardmaster(['workflow', 'test', 'orders', '--junit', junit])).toMatchObject({
    code: 1,
    out: expect.stringContaining('1 passed, 1 failed; 2 of 3 nodes reached, not: <rare>'),
    err: expect.stringContaining('1 of 2 test cases of orders failed'),
  });
  expect(asked).toEqual([
    'GET /api/v1/workflows/orders/commits?size=1',
    'POST /api/v1/workflows/orders/tests/run {"commit":"newest"}',
  ]);
  expect(readFileSync(junit, 'utf8')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="orders" tests="2" failures="1">
    <testcase classname="orders" name="good"/>
    <testcase classname="orders" name="bad &lt;&quot;&amp;\ufffd&gt;">
      <failure message="/a: expected 1, got 2">/a: expected 1, got 2
/b: expected &quot;&lt;x&gt;&quot;, got nothing</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

it('runs cases and a definition from files', async () => {
  asked = [];
  report = { passed: 1, failed: 0, cases: [{ name: 'good', ok: true }], coverage };
  writeFileSync(join(folder, 'cases.json'), '{"cases":[{"name":"good"}]}');
  writeFileSync(join(folder, 'definition.json'), '{"name":"Orders"}');
  const files = ['--cases', join(folder, 'cases.json'), '--file', join(folder, 'definition.json')];
  expect(await master.yardmaster(['workflow', 'test', 'orders', ...files])).toMatchObject({ code: 0 });
  expect(asked).toEqual([
    'POST /api/v1/workflows/orders/tests/run {"definition":{"name":"Orders"},"cases":[{"name":"good"}]}',
  ]);
  expect(await master.yardmaster(['workflow', 'test', 'orders', '--commit', 'a', ...files])).toMatchObject({ code: 2 });
});
