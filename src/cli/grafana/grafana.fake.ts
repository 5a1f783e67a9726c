import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isRecord } from '../../lib/is-record.ts';

type Json = Readonly<Record<string, unknown>>;
export const TOKEN = 'glsa_of_the_test';

/** What the fake holds, by UID; the policy is one tree. */
export interface GrafanaState {
  folders: Record<string, Json>;
  datasources: Record<string, Json>;
  dashboards: Record<string, { folderUid: unknown; dashboard: Json }>;
  contactPoints: Record<string, Json>;
  rules: Record<string, Json>;
  policy: Json;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
const need = (is: unknown, message: string, status = 400) => {
  if (is !== true) throw new Refused(status, message);
};
const isUid = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,40}$/.test(value);
const STATES = {
  noDataState: ['NoData', 'Alerting', 'OK', 'KeepLast'],
  execErrState: ['Error', 'Alerting', 'OK', 'KeepLast'],
};
const EVALUATORS = ['gt', 'lt', 'gte', 'lte', 'within_range', 'outside_range'];
const DURATION = /^(\d+(ms|[smhdwy]))+$/;

/** A Grafana that knows as much of its HTTP API as its documentation says, and refuses what that does not allow. */
export async function openGrafana() {
  const state: GrafanaState = {
    folders: {},
    datasources: {},
    dashboards: {},
    contactPoints: {
      own: { uid: 'own', name: 'grafana-default-email', type: 'email', settings: { addresses: 'x@example.org' } },
    },
    rules: {},
    policy: {
      receiver: 'grafana-default-email',
      group_by: ['grafana_folder', 'alertname'],
      routes: [{ receiver: 'grafana-default-email', object_matchers: [['team', '=', 'db']] }],
    },
  };
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse((await text(request)) || 'null');
    try {
      const answer = serve(state, request, body);
      response.writeHead(answer === undefined ? 204 : 200, { 'content-type': 'application/json' });
      response.end(answer === undefined ? '' : JSON.stringify(answer));
    } catch (error) {
      const status = error instanceof Refused ? error.status : 500;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: String(error instanceof Error ? error.message : error) }));
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function serve(state: GrafanaState, request: IncomingMessage, body: unknown): unknown {
  need(request.headers.authorization === `Bearer ${TOKEN}`, 'Invalid API key', 401);
  const url = new URL(request.url ?? '/', 'http://grafana');
  const parts = url.pathname.split('/').slice(2).map(decodeURIComponent);
  const [kind = '', second = '', third = '', , fifth = ''] = parts;
  const method = request.method ?? '';
  const given: Json = isRecord(body) ? body : {};
  if (kind === 'folders') return folders(state, method, second, given);
  if (kind === 'datasources') return datasources(state, method, third, given);
  if (kind === 'dashboards') return dashboards(state, method, second, third, given);
  if (kind === 'search')
    return Object.values(state.dashboards)
      .filter(({ folderUid }) => folderUid === url.searchParams.get('folderUIDs'))
      .map(({ dashboard }) => ({ uid: dashboard['uid'], title: dashboard['title'], type: 'dash-db' }));
  need(kind === 'v1' && second === 'provisioning', 'Not found', 404);
  if (third === 'contact-points') return contactPoints(state, method, parts[3] ?? '', given);
  if (third === 'policies') return policies(state, method, given);
  if (third === 'alert-rules') {
    if (method === 'GET') return Object.values(state.rules);
    need(method === 'DELETE', 'Method not allowed', 405);
    delete state.rules[parts[3] ?? ''];
    return undefined;
  }
  need(third === 'folder' && parts[4] === 'rule-groups' && method === 'PUT', 'Not found', 404);
  return putGroup(state, parts[3] ?? '', parts[5] ?? fifth, given);
}

function folders(state: GrafanaState, method: string, uid: string, given: Json): unknown {
  if (method === 'POST') {
    const made = given['uid'];
    if (!isUid(made)) throw new Refused(400, 'bad uid');
    need(state.folders[made] === undefined, 'a folder with the same uid already exists', 409);
    return (state.folders[made] = given);
  }
  need(state.folders[uid] !== undefined, 'folder not found', 404);
  if (method === 'GET') return state.folders[uid];
  // Deletes all that is in it.
  for (const [name, { folderUid }] of Object.entries(state.dashboards))
    if (folderUid === uid) delete state.dashboards[name];
  delete state.folders[uid];
  return {};
}

function datasources(state: GrafanaState, method: string, uid: string, given: Json): unknown {
  if (method === 'GET' || method === 'DELETE') {
    need(state.datasources[uid] !== undefined, 'Data source not found', 404);
    const found = state.datasources[uid];
    if (method === 'DELETE') delete state.datasources[uid];
    return found;
  }
  const { uid: own, name, type, access, secureJsonData } = given;
  if (!isUid(own)) throw new Refused(400, 'bad uid');
  need(typeof name === 'string' && typeof type === 'string' && access === 'proxy', 'bad request data');
  const twin = Object.values(state.datasources).find((one) => one['name'] === name && one['uid'] !== own);
  need(twin === undefined, 'data source with the same name already exists', 409);
  if (method === 'POST')
    need(state.datasources[own] === undefined, 'data source with the same uid already exists', 409);
  else need(state.datasources[own] !== undefined && own === uid, 'Data source not found', 404);
  // Secrets that are not named stay.
  const before = state.datasources[own]?.['secureJsonData'];
  state.datasources[own] = {
    ...given,
    secureJsonData: { ...(isRecord(before) ? before : {}), ...(isRecord(secureJsonData) ? secureJsonData : {}) },
  };
  return {};
}

function dashboards(state: GrafanaState, method: string, second: string, uid: string, given: Json): unknown {
  if (method === 'POST') {
    const { dashboard, folderUid, overwrite } = given;
    if (!isRecord(dashboard) || !isUid(dashboard['uid'])) throw new Refused(400, 'bad dashboard');
    need(dashboard['id'] === null && typeof dashboard['title'] === 'string', 'bad dashboard');
    need(typeof folderUid === 'string' && state.folders[folderUid] !== undefined, 'folder not found');
    need(state.dashboards[dashboard['uid']] === undefined || overwrite === true, 'the dashboard has been changed', 412);
    state.dashboards[dashboard['uid']] = { folderUid, dashboard };
    return { status: 'success' };
  }
  need(second === 'uid' && state.dashboards[uid] !== undefined, 'Dashboard not found', 404);
  if (method === 'DELETE') delete state.dashboards[uid];
  return {};
}

function contactPoints(state: GrafanaState, method: string, uid: string, given: Json): unknown {
  if (method === 'GET') return Object.values(state.contactPoints);
  if (method === 'DELETE') {
    const name = state.contactPoints[uid]?.['name'];
    need(!JSON.stringify(state.policy).includes(JSON.stringify(name)), 'contact point is in use', 409);
    delete state.contactPoints[uid];
    return {};
  }
  const { name, type, settings } = given;
  need(typeof name === 'string' && typeof type === 'string' && isRecord(settings), 'bad contact point');
  if (type === 'email' && isRecord(settings))
    need(typeof settings['addresses'] === 'string', 'could not find addresses in settings');
  const own = method === 'POST' ? given['uid'] : uid;
  if (!isUid(own)) throw new Refused(400, 'bad uid');
  need((state.contactPoints[own] !== undefined) === (method === 'PUT'), 'contact point exists, or does not');
  state.contactPoints[own] = { ...given, uid: own };
  return { message: 'contactpoint updated' };
}

function policies(state: GrafanaState, method: string, given: Json): unknown {
  if (method === 'GET') return state.policy;
  const known = new Set(Object.values(state.contactPoints).map((one) => one['name']));
  const check = (route: Json, isRoot: boolean) => {
    if (isRoot || route['receiver'] !== undefined)
      need(known.has(route['receiver']), `receiver '${String(route['receiver'])}' does not exist`);
    for (const name of ['group_wait', 'group_interval', 'repeat_interval'])
      if (route[name] !== undefined) need(DURATION.test(String(route[name])), `bad ${name}`);
    for (const child of Array.isArray(route['routes']) ? route['routes'].filter(isRecord) : []) check(child, false);
  };
  check(given, true);
  state.policy = given;
  return { message: 'policies updated' };
}

function putGroup(state: GrafanaState, folder: string, group: string, given: Json): unknown {
  need(state.folders[folder] !== undefined, 'folder does not exist');
  need(given['title'] === group && given['folderUid'] === folder, 'the path and the body name different groups');
  need(
    Number.isInteger(given['interval']) && Number(given['interval']) % 10 === 0 && Number(given['interval']) > 0,
    'bad interval',
  );
  const rules = Array.isArray(given['rules']) ? given['rules'].filter(isRecord) : [];
  for (const rule of rules) {
    need(isUid(rule['uid']) && typeof rule['title'] === 'string' && typeof rule['condition'] === 'string', 'bad rule');
    need(DURATION.test(String(rule['for'])), 'bad for');
    for (const [name, states] of Object.entries(STATES)) need(states.includes(String(rule[name])), `unknown ${name}`);
    const data = Array.isArray(rule['data']) ? rule['data'].filter(isRecord) : [];
    need(
      data.some((one) => one['refId'] === rule['condition']),
      'the condition is no query',
    );
    for (const { datasourceUid, model } of data) {
      need(
        datasourceUid === '__expr__' || state.datasources[String(datasourceUid)] !== undefined,
        'unknown data source',
      );
      if (isRecord(model) && model['type'] === 'threshold')
        for (const one of Array.isArray(model['conditions']) ? model['conditions'].filter(isRecord) : [])
          need(
            isRecord(one['evaluator']) && EVALUATORS.includes(String(one['evaluator']['type'])),
            'unknown evaluator',
          );
    }
  }
  // The group is what the body says.
  for (const [uid, rule] of Object.entries(state.rules))
    if (rule['folderUID'] === folder && rule['ruleGroup'] === group) delete state.rules[uid];
  for (const rule of rules) state.rules[String(rule['uid'])] = rule;
  return given;
}
