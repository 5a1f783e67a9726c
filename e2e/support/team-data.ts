import { pathTo } from '../../src/lib/api-client.ts';
import { publish, type TestMaster } from './master.ts';
import { line, node } from './workflow-definitions.ts';

/** Names of a team's data. */
export interface TeamData {
  /** May do everything; signs in by `PASSWORD`. */
  admin: string;
  /** Has roles of its own and of a group. */
  person: string;
  /** Waits to be published to a protected environment. */
  approval: string;
}

export const PASSWORD = 'some words in a row';

/** People, a service account, projects, roles of one's own, who has them, and what waits for a second person. */
export async function createTeam(master: TestMaster): Promise<TeamData> {
  const { call } = master;
  await call('projects.create', { body: { id: 'shop', name: 'Shop' } });
  await call('projects.update', { params: { id: 'shop' }, body: { masks: ['$.customer.iban', 'items[*].sku'] } });
  await call('projects.create', { body: { id: 'billing', name: 'Billing and invoicing of Northern Europe' } });
  await call('roles.set', {
    params: { id: 'support' },
    body: {
      actions: ['workflows.read', 'jobs.read', 'jobs.operate', 'payload.read', 'logs.read'],
      description: 'First-line support: looks at failures and reruns jobs',
    },
  });
  await call('roles.set', {
    params: { id: 'integrations' },
    body: { actions: ['workflows.read', 'keys.manage', 'secrets.manage', 'alerts.manage'] },
  });
  const ada = await call('users.create', {
    body: { login: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', role: 'admin', password: PASSWORD },
  });
  const bob = await call('users.create', {
    body: { login: 'bob', name: 'Bob Brown', email: 'bob@example.org', role: 'viewer', groups: ['on-call'] },
  });
  // Long names, as large companies have them.
  const carla = await call('users.create', {
    body: { login: 'carla.van-der-meer@subsidiary.example.org', name: 'Carla van der Meer-Wolffenbüttel' },
  });
  const ci = await call('users.create', { body: { login: 'ci', name: 'CI pipeline', kind: 'service' } });
  const former = await call('users.create', { body: { login: 'former', name: 'Former Colleague' } });
  await call('users.update', { params: { id: former.id }, body: { disabled: true } });
  for (const body of [
    { subjectKind: 'user', subject: carla.id, role: 'support', project: 'shop', environments: ['dev', 'staging'] },
    { subjectKind: 'user', subject: ci.id, role: 'integrations', project: 'shop' },
    { subjectKind: 'user', subject: bob.id, role: 'publisher', project: 'billing' },
    { subjectKind: 'group', subject: 'on-call', role: 'operator' },
  ] as const)
    await call('grants.create', {
      body: { ...body, environments: 'environments' in body ? [...body.environments] : null },
    });
  const session = await fetch(master.url + pathTo('session.password'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: ada.login, password: PASSWORD }),
  });
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const made = await fetch(master.url + pathTo('me.createToken'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: master.url, cookie },
    body: JSON.stringify({ name: 'script' }),
  });
  if (made.status !== 201) throw new Error(`no token: ${await made.text()}`);
  return { admin: ada.login, person: bob.id, approval: await waitForSecond(master) };
}

async function waitForSecond(master: TestMaster): Promise<string> {
  await publish(master, 'invoices', line('Invoices', node('say', 'transform', { expression: '1' })));
  const { hash } = await master.call('commits.create', {
    params: { id: 'invoices' },
    json: JSON.stringify({
      definition: line('Invoices', node('say', 'transform', { expression: '2' })),
      message: 'Second version',
      parent: (await master.call('commits.list', { params: { id: 'invoices' }, query: {} })).items[0]?.hash ?? null,
    }),
  });
  await master.call('settings.update', { body: { protectedEnvironments: { prod: { approvals: 1 } } } });
  await master.call('workflows.publish', {
    params: { id: 'invoices', environment: 'prod' },
    body: { hash, description: 'Round as the tax office does' },
  });
  const [request] = (await master.call('approvals.list', { query: { status: 'open' } })).items;
  if (!request) throw new Error('no request waits for approval');
  return request.id;
}
