import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/is-record.ts';
import type { GrafanaApi } from './grafana-api.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ContactPoint {
  readonly name: string;
  readonly type: string;
  readonly settings: Json;
}

/** What a Grafana is to have. */
export interface Wanted {
  readonly datasources: readonly Json[];
  readonly dashboards: readonly Json[];
  /** Groups as in provisioning files. */
  readonly groups: readonly Json[];
  readonly contactPoints: readonly ContactPoint[];
  readonly policy: Policy;
}

export interface Policy {
  readonly groupBy: readonly string[];
  readonly groupWaitSeconds: number;
  readonly groupIntervalSeconds: number;
  readonly repeatIntervalSeconds: number;
}

/** What was done, one line each. */
export type Done = readonly {
  readonly what: string;
  readonly name: string;
  readonly did: 'created' | 'updated' | 'removed' | 'kept';
}[];

export const FOLDER = 'yardmaster';
const PREFIX = 'yardmaster-';
/** The label of our rules, and what our notification policy matches. */
const LABEL = 'yardmaster';
const RULES = '/v1/provisioning/alert-rules';
const CONTACT_POINTS = '/v1/provisioning/contact-points';
const POLICIES = '/v1/provisioning/policies';

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** What Grafana answered leads to no other path. */
const inPath = (value: unknown): string => encodeURIComponent(textOf(value)).replace(/^\.+$/, '-');
export const uidOf = (name: string): string =>
  `${PREFIX}${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
/** A rule with the label that our notification policy matches. */
export const isOurRule = (rule: Json): Json => ({
  ...rule,
  labels: { ...(isRecord(rule['labels']) ? rule['labels'] : {}), [LABEL]: 'true' },
});
const isOurs = (value: unknown): boolean => textOf(value).startsWith(PREFIX);

/** Makes a Grafana as it is to be. What is there already is updated in its place, what was made before and is no longer wanted is removed. */
export async function provision(grafana: GrafanaApi, wanted: Wanted): Promise<Done> {
  const done: Done[number][] = [];
  if ((await grafana.get(`/folders/${FOLDER}`)) === null) {
    await grafana.send('POST', '/folders', { uid: FOLDER, title: 'Yardmaster' });
    done.push({ what: 'folder', name: 'Yardmaster', did: 'created' });
  }
  for (const datasource of wanted.datasources) {
    const path = `/datasources/uid/${textOf(datasource['uid'])}`;
    const exists = (await grafana.get(path)) !== null;
    await (exists ? grafana.send('PUT', path, datasource) : grafana.send('POST', '/datasources', datasource));
    done.push({ what: 'data source', name: textOf(datasource['name']), did: exists ? 'updated' : 'created' });
  }
  for (const dashboard of wanted.dashboards) {
    const exists = (await grafana.get(`/dashboards/uid/${textOf(dashboard['uid'])}`)) !== null;
    await grafana.send('POST', '/dashboards/db', {
      dashboard,
      folderUid: FOLDER,
      overwrite: true,
      message: 'yardmaster grafana provision',
    });
    done.push({ what: 'dashboard', name: textOf(dashboard['title']), did: exists ? 'updated' : 'created' });
  }
  await putRules(grafana, wanted.groups, done);
  await putContactPoints(grafana, wanted, done);
  return done;
}

/** Removes what `provision` made, and nothing else. */
export async function unprovision(grafana: GrafanaApi, datasources: readonly Json[]): Promise<Done> {
  const done: Done[number][] = [];
  for (const rule of await ourRules(grafana)) {
    await grafana.send('DELETE', `${RULES}/${inPath(rule['uid'])}`);
    done.push({ what: 'alert rule', name: textOf(rule['title']), did: 'removed' });
  }
  await putPolicy(grafana, null, done);
  for (const point of listOf(await grafana.get(CONTACT_POINTS)).filter(({ uid }) => isOurs(uid))) {
    await grafana.send('DELETE', `${CONTACT_POINTS}/${inPath(point['uid'])}`);
    done.push({ what: 'contact point', name: textOf(point['name']), did: 'removed' });
  }
  const found = listOf(await grafana.get(`/search?type=dash-db&folderUIDs=${FOLDER}`));
  for (const { uid, title } of found.filter((one) => isOurs(one['uid']))) {
    await grafana.send('DELETE', `/dashboards/uid/${inPath(uid)}`);
    done.push({ what: 'dashboard', name: textOf(title), did: 'removed' });
  }
  for (const { uid, name } of datasources) {
    const path = `/datasources/uid/${textOf(uid)}`;
    if ((await grafana.get(path)) === null) continue;
    await grafana.send('DELETE', path);
    done.push({ what: 'data source', name: textOf(name), did: 'removed' });
  }
  if ((await grafana.get(`/folders/${FOLDER}`)) === null) return done;
  const others =
    found.some((one) => !isOurs(one['uid'])) ||
    listOf(await grafana.get(RULES)).some((rule) => rule['folderUID'] === FOLDER);
  if (!others) await grafana.send('DELETE', `/folders/${FOLDER}`);
  done.push({ what: 'folder', name: 'Yardmaster', did: others ? 'kept' : 'removed' });
  return done;
}

const ourRules = async (grafana: GrafanaApi): Promise<Json[]> =>
  listOf(await grafana.get(RULES)).filter(
    ({ folderUID, labels }) => folderUID === FOLDER && isRecord(labels) && labels[LABEL] === 'true',
  );

async function putRules(grafana: GrafanaApi, groups: readonly Json[], done: Done[number][]): Promise<void> {
  const before = new Map((await ourRules(grafana)).map((rule) => [textOf(rule['uid']), rule]));
  for (const group of groups) {
    const title = textOf(group['name']);
    const rules = listOf(group['rules']);
    await grafana.send('PUT', `/v1/provisioning/folder/${FOLDER}/rule-groups/${encodeURIComponent(title)}`, {
      title,
      folderUid: FOLDER,
      interval: Number.parseInt(textOf(group['interval']), 10),
      // Files and the API name one of its keys in two ways.
      rules: rules.map(({ keepFiringFor, ...rule }) => ({
        ...isOurRule(rule),
        ...(keepFiringFor === undefined ? {} : { keep_firing_for: keepFiringFor }),
        ...{ orgID: 1, folderUID: FOLDER, ruleGroup: title },
      })),
    });
    for (const rule of rules) {
      const uid = textOf(rule['uid']);
      done.push({ what: 'alert rule', name: textOf(rule['title']), did: before.has(uid) ? 'updated' : 'created' });
      before.delete(uid);
    }
  }
  // A group that is put loses the rules that it had before; those of groups that are no more are still there.
  for (const uid of new Set((await ourRules(grafana)).map((rule) => textOf(rule['uid']))))
    if (before.has(uid)) await grafana.send('DELETE', `${RULES}/${inPath(uid)}`);
  for (const rule of before.values()) done.push({ what: 'alert rule', name: textOf(rule['title']), did: 'removed' });
}

async function putContactPoints(grafana: GrafanaApi, wanted: Wanted, done: Done[number][]): Promise<void> {
  const before = new Map(
    listOf(await grafana.get(CONTACT_POINTS))
      .filter(({ uid }) => isOurs(uid))
      .map((point) => [textOf(point['uid']), point]),
  );
  for (const { name, type, settings } of wanted.contactPoints) {
    const uid = uidOf(name);
    const body = { uid, name, type, settings, disableResolveMessage: false };
    const exists = before.delete(uid);
    await (exists ? grafana.send('PUT', `${CONTACT_POINTS}/${uid}`, body) : grafana.send('POST', CONTACT_POINTS, body));
    done.push({ what: 'contact point', name, did: exists ? 'updated' : 'created' });
  }
  // The policy no longer names those that go.
  await putPolicy(grafana, wanted, done);
  for (const [uid, point] of before) {
    await grafana.send('DELETE', `${CONTACT_POINTS}/${inPath(uid)}`);
    done.push({ what: 'contact point', name: textOf(point['name']), did: 'removed' });
  }
}

/** Our branch of the tree of notification policies, before all others; the rest of the tree stays as it is. Null: without it. */
async function putPolicy(grafana: GrafanaApi, wanted: Wanted | null, done: Done[number][]): Promise<void> {
  const tree = await grafana.get(POLICIES);
  if (!isRecord(tree)) return;
  const routes = listOf(tree['routes']);
  const others = routes.filter((route) => !isOurRoute(route));
  const had = others.length < routes.length;
  const ours = wanted === null || wanted.contactPoints.length === 0 ? null : routeOf(wanted);
  if (ours === null && !had) return;
  await grafana.send('PUT', POLICIES, { ...tree, routes: ours === null ? others : [ours, ...others] });
  done.push({
    what: 'notification policy',
    name: `${LABEL}=true`,
    did: ours === null ? 'removed' : had ? 'updated' : 'created',
  });
}

const isOurRoute = ({ object_matchers: matchers }: Json): boolean =>
  Array.isArray(matchers) &&
  matchers.some((matcher) => Array.isArray(matcher) && matcher[0] === LABEL && matcher[2] === 'true');

export function routeOf({ contactPoints, policy }: Pick<Wanted, 'contactPoints' | 'policy'>): Json {
  const [first] = contactPoints;
  return {
    receiver: first?.name,
    object_matchers: [[LABEL, '=', 'true']],
    group_by: policy.groupBy,
    group_wait: `${policy.groupWaitSeconds}s`,
    group_interval: `${policy.groupIntervalSeconds}s`,
    repeat_interval: `${policy.repeatIntervalSeconds}s`,
    // Each gets every alert.
    ...(contactPoints.length > 1
      ? {
          routes: contactPoints.map(({ name }) => ({
            receiver: name,
            object_matchers: [[LABEL, '=', 'true']],
            continue: true,
          })),
        }
      : {}),
  };
}
