import { Fault } from '../../lib/fault.ts';
import type { FolderWriter } from '../../lib/folder-writer.ts';
import { isRecord } from '../../lib/is-record.ts';
import { isOurRule, routeOf, uidOf, type ContactPoint, type Done, type Policy } from './provision.ts';

type Json = Readonly<Record<string, unknown>>;

/** What Grafana is to read from files. */
export interface FilesWanted {
  /** As the master exports them: `dashboards/…`, `provisioning/…`. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Data sources besides those of the files. */
  readonly datasources: readonly Json[];
  readonly contactPoints: readonly ContactPoint[];
  readonly policy: Policy;
  /** Where Grafana sees the folder. */
  readonly mountedAt: string;
}

/** What was written before: only that is removed again. Grafana keeps rules and contact points whose files are gone, so they are named to be deleted. */
interface Manifest {
  readonly files: readonly string[];
  readonly rules: readonly string[];
  readonly contactPoints: readonly string[];
  readonly datasources: readonly string[];
  /** The tree of notification policies was ours. */
  readonly policies: boolean;
}

const MANIFEST = 'yardmaster-files.json';
const NOTHING: Manifest = { files: [], rules: [], contactPoints: [], datasources: [], policies: false };
const DATASOURCES = 'provisioning/datasources/yardmaster.yaml';
const PROVIDERS = 'provisioning/dashboards/yardmaster.yaml';
const RULES = 'provisioning/alerting/yardmaster.yaml';
const CONTACT_POINTS = 'provisioning/alerting/yardmaster-contact-points.yaml';
const POLICIES = 'provisioning/alerting/yardmaster-policies.yaml';
const OURS =
  /^(?:README\.md|dashboards\/[\w.-]+\.json|provisioning\/(?:datasources|dashboards|alerting)\/yardmaster[\w-]*\.yaml)$/;
/** Secrets of contact points are in it. */
const CONTACT_POINTS_MODE = 0o640;
/** Of a new Grafana; it is what alerts of others go to. */
const DEFAULT_RECEIVER = 'grafana-default-email';

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
const without = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name));

/**
 * Writes a folder of provisioning files, or null: one that has Grafana forget what an earlier one brought. A file that is
 * the same already is not touched; one that was written before and is no longer wanted is removed, and nothing else.
 */
export function provisionFiles(folder: FolderWriter, wanted: FilesWanted | null): Done {
  const before = readManifest(folder);
  const { files, manifest } = wanted === null ? forgetting(before) : filesOf(wanted, before);
  const save = (what: Manifest) => put(folder, MANIFEST, `${JSON.stringify(what, null, 2)}\n`);
  // Whatever happens in between, the next run knows what may be there.
  save({ ...manifest, files: [...new Set([...before.files, ...manifest.files])].sort() });
  const done: Done[number][] = files.map(({ path, content }) => ({
    ...{ what: 'file', name: path },
    did: put(folder, path, content, path === CONTACT_POINTS ? CONTACT_POINTS_MODE : undefined),
  }));
  for (const path of without(before.files, manifest.files))
    if (OURS.test(path) && folder.remove(path)) done.push({ what: 'file', name: path, did: 'removed' });
  save(manifest);
  return done;
}

function put(folder: FolderWriter, path: string, content: string, mode?: number): 'created' | 'updated' | 'kept' {
  const there = folder.read(path);
  if (there === content) return 'kept';
  folder.write(path, content, mode);
  return there === null ? 'created' : 'updated';
}

function readManifest(folder: FolderWriter): Manifest {
  const text = folder.read(MANIFEST);
  if (text === null) return NOTHING;
  let found: unknown = null;
  try {
    found = JSON.parse(text);
  } catch {
    // Told below.
  }
  if (!isRecord(found) || found['formatVersion'] !== 1)
    throw new Fault(
      'FILE_INVALID',
      `${MANIFEST} in that folder was not written by this command: choose another folder`,
    );
  return {
    files: namesIn(found['files']),
    rules: namesIn(found['rules']),
    contactPoints: namesIn(found['contactPoints']),
    datasources: namesIn(found['datasources']),
    policies: found['policies'] === true,
  };
}

interface Written {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly manifest: Manifest & { readonly formatVersion: 1 };
}

/** JSON, which YAML takes in. */
const yaml = (path: string, value: object) => ({
  path,
  content: `${JSON.stringify({ apiVersion: 1, ...value }, null, 2)}\n`,
});

/** `names` and `policies`: what Grafana has after it has read the files, or was told to delete. */
const written = (
  files: Written['files'],
  names: Pick<Manifest, 'rules' | 'contactPoints' | 'datasources' | 'policies'>,
): Written => ({
  files,
  manifest: {
    formatVersion: 1,
    ...{ files: files.map(({ path }) => path).sort(), rules: [...names.rules].sort() },
    ...{ contactPoints: [...names.contactPoints].sort(), datasources: [...names.datasources].sort() },
    policies: names.policies,
  },
});
const deletions = (before: readonly string[], now: readonly string[], name: string, key: string): object => {
  const gone = without(before, now).map((one) => ({ orgId: 1, [key]: one }));
  return gone.length === 0 ? {} : { [name]: gone };
};
const all = (before: readonly string[], now: readonly string[]) => [...new Set([...before, ...now])];

function filesOf({ files, datasources, contactPoints, policy, mountedAt }: FilesWanted, before: Manifest): Written {
  const parsed = (path: string): Json => {
    const file: unknown = JSON.parse(files.find((one) => one.path === path)?.content ?? '{}');
    return isRecord(file) ? file : {};
  };
  const sources = [...listOf(parsed(DATASOURCES)['datasources']), ...datasources];
  const names = sources.map((one) => textOf(one['name']));
  const groups = listOf(parsed(RULES)['groups']).map((group) => ({
    ...group,
    rules: listOf(group['rules']).map(isOurRule),
  }));
  const rules = groups.flatMap((group) => group.rules.map((rule) => textOf(rule['uid'])));
  const points = contactPoints.map(({ name }) => uidOf(name));
  const hasPoints = points.length > 0;
  const made = [
    ...files.filter(({ path }) => path.startsWith('dashboards/')).map(({ path, content }) => ({ path, content })),
    yaml(DATASOURCES, {
      datasources: sources,
      ...deletions(before.datasources, names, 'deleteDatasources', 'name'),
    }),
    yaml(PROVIDERS, {
      providers: listOf(parsed(PROVIDERS)['providers']).map((one) => ({
        ...one,
        options: { path: `${mountedAt.replace(/\/+$/, '')}/dashboards` },
      })),
    }),
    yaml(RULES, { groups, ...deletions(before.rules, rules, 'deleteRules', 'uid') }),
    ...(hasPoints || before.contactPoints.length > 0
      ? [
          yaml(CONTACT_POINTS, {
            contactPoints: contactPoints.map(({ name, type, settings }) => ({
              ...{ orgId: 1, name },
              receivers: [{ uid: uidOf(name), type, settings, disableResolveMessage: false }],
            })),
            ...deletions(before.contactPoints, points, 'deleteContactPoints', 'uid'),
          }),
        ]
      : []),
    ...(hasPoints || before.policies
      ? [
          yaml(
            POLICIES,
            hasPoints
              ? {
                  policies: [
                    {
                      ...{ orgId: 1, receiver: DEFAULT_RECEIVER, group_by: ['grafana_folder', 'alertname'] },
                      routes: [routeOf({ contactPoints, policy })],
                    },
                  ],
                }
              : { resetPolicies: [1] },
          ),
        ]
      : []),
    { path: 'README.md', content: readme(files, hasPoints, mountedAt) },
  ];
  return written(made, {
    rules: all(before.rules, rules),
    contactPoints: all(before.contactPoints, points),
    datasources: all(before.datasources, names),
    policies: hasPoints || before.policies,
  });
}

/** Grafana deletes what these files name when it reads them; after that the folder can go. */
function forgetting(before: Manifest): Written {
  return written(
    [
      ...(before.datasources.length > 0
        ? [yaml(DATASOURCES, deletions(before.datasources, [], 'deleteDatasources', 'name'))]
        : []),
      ...(before.rules.length > 0 ? [yaml(RULES, deletions(before.rules, [], 'deleteRules', 'uid'))] : []),
      ...(before.policies ? [yaml(POLICIES, { resetPolicies: [1] })] : []),
      ...(before.contactPoints.length > 0
        ? [yaml(CONTACT_POINTS, deletions(before.contactPoints, [], 'deleteContactPoints', 'uid'))]
        : []),
    ],
    before,
  );
}

function readme(files: FilesWanted['files'], hasPoints: boolean, mountedAt: string): string {
  const left = files
    .find(({ path }) => path === 'README.md')
    ?.content.split('\n')
    .find((line) => line.startsWith('These rules'));
  return `# Yardmaster in Grafana

Written by \`yardmaster grafana provision --files\`; run it again to update the files. Changes that you make here are overwritten.

1. Mount this folder at \`${mountedAt}\`, and have Grafana read \`${mountedAt}/provisioning\` (\`GF_PATHS_PROVISIONING\`), or copy the files into its own provisioning folder.
2. Set \`YARDMASTER_TOKEN\` in the environment of Grafana: a token of role viewer (\`yardmaster tokens create --name grafana --role viewer\`)${
    files.some(({ path, content }) => path === DATASOURCES && content.includes('$YARDMASTER_INFLUXDB_TOKEN'))
      ? ', and `YARDMASTER_INFLUXDB_TOKEN`: a token of InfluxDB that may read the buckets'
      : ''
  }.
3. Install the plugin of the logs: \`grafana cli plugins install victoriametrics-logs-datasource\`.
4. Start Grafana again.
${hasPoints ? '\nThe file of notification policies replaces the whole tree of policies of that Grafana. Delete it if other alerts have policies there, and add a policy for the label `yardmaster=true` yourself.\n' : ''}${left === undefined ? '' : `\n${left}\n`}`;
}
