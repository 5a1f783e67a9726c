import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../src/lib/temporary-folder.fixture.ts';
import type { RunningMaster } from '../../src/contract/process.ts';
import { fakeIo } from '../../src/cli/process-io.fake.ts';
import { run } from '../../src/cli/program.ts';
import { openMaster } from '../../src/server/master.fixture.ts';
import { openGrafana, TOKEN } from '../../src/cli/grafana/grafana.fake.ts';

/** The command against a real master, and a Grafana that is as strict as its documentation; where YARDMASTER_TEST_GRAFANA (URL) and _TOKEN are given, against that one. */
const real = process.env['YARDMASTER_TEST_GRAFANA'];
let master: RunningMaster;
let grafana: Awaited<ReturnType<typeof openGrafana>>;
const points = JSON.stringify([
  { name: 'Night shift', type: 'webhook', settings: { url: 'https://example.org/alerts' } },
]);

async function provisioned(
  ...more: string[]
): Promise<{ code: number; out: string; err: string; done: { what: string; name: string; did: string }[] }> {
  const { io, out, err } = fakeIo({
    env: {
      YARDMASTER_URL: master.ready.url,
      YARDMASTER_TOKEN: master.ready.token,
      GRAFANA_TOKEN: real === undefined ? TOKEN : (process.env['YARDMASTER_TEST_GRAFANA_TOKEN'] ?? ''),
      YARDMASTER_GRAFANA_READ_TOKEN: 'ymt_reads',
    },
    stdin: async () => points,
  });
  const code = await run(['grafana', 'provision', '--url', real ?? grafana.url, '--json', ...more], io);
  const text = out.join('\n');
  return { code, out: text, err: err.join('\n'), done: code === 0 ? JSON.parse(text).done : [] };
}
const didOf = (done: readonly { did: string }[]) => new Set(done.map(({ did }) => did));

beforeAll(async () => {
  master = await openMaster({ data: temporaryFolder('grafana') });
  grafana = await openGrafana();
});
afterAll(async () => {
  await master.close();
  await grafana.close();
});

describe('grafana provision', () => {
  it('makes all of it, again without a change, and removes that and nothing else', async () => {
    const untouched = structuredClone(grafana.state);
    const first = await provisioned('--contact-points', '-', '--containers-url', 'http://prometheus:9090');
    expect([first.code, first.err]).toEqual([0, '']);
    expect(didOf(first.done)).toEqual(new Set(['created']));
    const count = (what: string) => first.done.filter((one) => one.what === what).length;
    expect([count('dashboard'), count('data source'), count('contact point'), count('notification policy')]).toEqual([
      4, 3, 1, 1,
    ]);
    expect(count('alert rule')).toBeGreaterThan(5);
    if (real !== undefined) return void (await provisioned('--remove'));
    const { state } = grafana;
    expect(state.datasources['yardmaster-metrics']).toMatchObject({ secureJsonData: { token: 'ymt_reads' } });
    expect(state.policy['routes']).toMatchObject([
      {
        receiver: 'Night shift',
        object_matchers: [['yardmaster', '=', 'true']],
        group_by: ['alertname'],
        group_wait: '30s',
        group_interval: '300s',
        repeat_interval: '14400s',
      },
      { object_matchers: [['team', '=', 'db']] },
    ]);

    const made = structuredClone(state);
    const second = await provisioned('--contact-points', '-', '--containers-url', 'http://prometheus:9090');
    expect(didOf(second.done)).toEqual(new Set(['updated']));
    expect(state).toEqual(made);

    const removed = await provisioned('--remove');
    expect(didOf(removed.done)).toEqual(new Set(['removed']));
    expect(state).toEqual(untouched);
    expect((await provisioned('--remove')).done).toEqual([]);
  });

  it.skipIf(real !== undefined)(
    'removes a contact point that is no longer wanted, and keeps what others put into its folder',
    async () => {
      await provisioned('--contact-points', '-');
      const { state } = grafana;
      state.dashboards['mine'] = { folderUid: 'yardmaster', dashboard: { uid: 'mine', title: 'Mine' } };
      const { done } = await provisioned();
      expect(done.filter(({ did }) => did === 'removed').map(({ what, name }) => [what, name])).toEqual([
        ['notification policy', 'yardmaster=true'],
        ['contact point', 'Night shift'],
      ]);
      expect((await provisioned('--remove')).done.at(-1)).toEqual({ what: 'folder', name: 'Yardmaster', did: 'kept' });
      expect(Object.keys(state.dashboards)).toEqual(['mine']);
    },
  );

  it.skipIf(real !== undefined).each<[string[], Record<string, string>, RegExp]>([
    [['--url', 'grafana:3000'], {}, /--url must be the http or https URL of Grafana/],
    [['--token', ''], {}, /must be a token of a service account/],
    [['--token', 'wrong'], {}, /401.*Invalid API key.*the token is not valid/],
    [['--url', 'http://grafana.example:3000'], {}, /not encrypted/],
    [['--url', 'http://127.0.0.1:1'], {}, /Grafana at http:\/\/127\.0\.0\.1:1 does not answer/],
  ])('says what is wrong with %j', async (args, _env, message) => {
    const { code, err } = await provisioned(...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
  });
});

describe('grafana provision --files', () => {
  let folder: string;
  const written = async (...more: string[]) => {
    const { io, out, err } = fakeIo({
      env: { YARDMASTER_URL: master.ready.url, YARDMASTER_TOKEN: master.ready.token },
      stdin: async () => points,
    });
    const code = await run(['grafana', 'provision', '--files', folder, '--json', ...more], io);
    const done: { name: string; did: string }[] = code === 0 ? JSON.parse(out.join('')).done : [];
    return { code, err: err.join('\n'), did: Object.fromEntries(done.map(({ name, did }) => [name, did])) };
  };
  const file = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  const RULES = 'provisioning/alerting/yardmaster.yaml';
  const POINTS = 'provisioning/alerting/yardmaster-contact-points.yaml';
  const POLICIES = 'provisioning/alerting/yardmaster-policies.yaml';
  beforeEach(() => (folder = temporaryFolder('grafana-files')));

  it('writes all of it once, again without a change, and takes back what is no longer wanted', async () => {
    const all = ['--contact-points', '-', '--containers-url', 'http://prometheus:9090'];
    const first = await written(...all, '--console-url', 'https://yard.example/', '--mounted-at', '/grafana/');
    expect([first.err, new Set(Object.values(first.did))]).toEqual(['', new Set(['created'])]);
    expect(Object.keys(first.did)).toHaveLength(10);
    const sources = file('provisioning/datasources/yardmaster.yaml').datasources;
    expect(sources.map(({ name }: { name: string }) => name)).toEqual([
      'Yardmaster metrics',
      'Yardmaster logs',
      'Containers',
    ]);
    expect(sources[1].jsonData.derivedFields[0].url).toBe('https://yard.example/jobs/$${__value.raw}');
    expect(file('provisioning/dashboards/yardmaster.yaml').providers[0].options.path).toBe('/grafana/dashboards');
    expect(file(RULES).groups[0].rules[0].labels).toMatchObject({ yardmaster: 'true' });
    expect(file(POINTS).contactPoints).toMatchObject([
      { name: 'Night shift', receivers: [{ type: 'webhook', settings: { url: 'https://example.org/alerts' } }] },
    ]);
    // Secrets of contact points are not for everybody.
    expect(statSync(join(folder, POINTS)).mode & 0o007).toBe(0);
    expect(file(POLICIES).policies[0].routes).toMatchObject([{ receiver: 'Night shift', group_by: ['alertname'] }]);

    // Grafana replaces what looks like a variable of its environment, in files of data sources and texts of rules.
    const texts = JSON.stringify(
      file(RULES).groups.map(({ rules }: { rules: { annotations: object }[] }) =>
        rules.map(({ annotations }) => annotations),
      ),
    );
    expect(texts).not.toContain('$');

    const second = await written(...all, '--console-url', 'https://yard.example/', '--mounted-at', '/grafana/');
    expect(new Set(Object.values(second.did))).toEqual(new Set(['kept']));

    const mine = join(folder, 'dashboards', 'mine.json');
    writeFileSync(mine, '{}');
    const third = await written();
    expect(third.did[POINTS]).toBe('updated');
    const [point] = file(POINTS).deleteContactPoints;
    expect(point).toMatchObject({ orgId: 1, uid: expect.stringMatching(/^yardmaster-/) });
    expect(file(POLICIES)).toEqual({ apiVersion: 1, resetPolicies: [1] });
    expect(file('provisioning/datasources/yardmaster.yaml').deleteDatasources).toEqual([
      { orgId: 1, name: 'Containers' },
    ]);
    expect(new Set(Object.values((await written()).did))).toEqual(new Set(['kept']));

    const removed = await written('--remove');
    expect(removed.did['dashboards/job-monitoring.json']).toBe('removed');
    expect(file(RULES).groups).toBeUndefined();
    expect(file(RULES).deleteRules.length).toBeGreaterThan(5);
    expect(existsSync(mine)).toBe(true);
    expect((await written('--remove')).did['dashboards/job-monitoring.json']).toBeUndefined();
  });

  it('follows no link out of the folder, and removes nothing that it did not write', async () => {
    const elsewhere = temporaryFolder('elsewhere');
    writeFileSync(join(elsewhere, 'a'), 'theirs');
    symlinkSync(elsewhere, join(folder, 'dashboards'));
    expect((await written()).err).toMatch(/symbolic link/);
    expect(readdirSync(elsewhere)).toEqual(['a']);

    folder = temporaryFolder('grafana-files');
    writeFileSync(join(folder, 'own.txt'), 'mine');
    writeFileSync(
      join(folder, 'yardmaster-files.json'),
      JSON.stringify({ formatVersion: 1, files: ['own.txt', '../a', 'dashboards/../own.txt'], rules: [] }),
    );
    expect((await written()).code).toBe(0);
    expect(readFileSync(join(folder, 'own.txt'), 'utf8')).toBe('mine');
    writeFileSync(join(folder, 'yardmaster-files.json'), 'not ours');
    expect((await written()).err).toMatch(/was not written by this command/);
    expect((await written('--url', 'http://localhost:3000')).err).toMatch(/leave out --url/);
  });
});
