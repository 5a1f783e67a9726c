import type { DashboardDefinition } from '../../contract/dashboards.ts';
import type { Grant, TokenIdentity } from '../access/port.ts';
import { tester, type Harness } from './http.fixture.ts';

/** Somebody who sends `Bearer person`, with the grants that a test gives them. */
export function letPersonIn(h: Harness): { be(grants: readonly Grant[]): void } {
  const { access } = h.services;
  const { token } = access;
  let person: TokenIdentity | null = null;
  access.token = (secret) => (secret === 'person' ? person : token(secret));
  return {
    be(grants) {
      person = {
        actor: 'Ada',
        role: 'viewer',
        expiresAt: null,
        grants,
        userId: 'u1',
        tokenId: 't1',
        environments: null,
        labels: {},
      };
    },
  };
}

/** A project with a published workflow of one job; the job's ID. */
export async function makeProject(h: Harness, project: string, workflow: string): Promise<string> {
  const { access, workflows } = h.services;
  await access.projects.create({ id: project, name: project }, tester);
  await h.publish(workflow);
  await workflows.update(workflow, { project }, tester);
  const endpoint = workflows.endpoint(workflow, 'dev');
  if (endpoint.found !== 'published') throw new Error(`${workflow} is not published`);
  const { jobId } = await h.jobs.submit({
    runnable: endpoint.runnable,
    environment: 'dev',
    kind: 'batch',
    inputs: [{ content: 'a' }],
    externalId: null,
    replicaRunTimeoutSeconds: null,
    idempotency: null,
  });
  return jobId;
}

export const granted = (role: string, project: string | null, environments: Grant['environments'] = null): Grant => ({
  role,
  project,
  environments,
});

/** A dashboard with nothing in it. */
export const board: DashboardDefinition = {
  formatVersion: 1,
  title: 'Board',
  description: '',
  time: { last: '1h', refreshSeconds: 0 },
  variables: [],
  panels: [],
};
