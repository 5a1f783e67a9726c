import { expect, it } from 'vitest';
import { checkAnswer } from './check-answer.ts';

const hash = 'a'.repeat(40);
const time = '2026-01-01T00:00:00.000Z';
const workflow = (environment: object = {}) => ({
  id: 'flow',
  name: 'Flow',
  description: null,
  head: hash,
  environments: [{ environment: 'dev', hash, description: null, publishedAt: null, publishedBy: null, ...environment }],
  limits: { eventsPerSecond: null, concurrency: null },
  createdAt: time,
  updatedAt: time,
  archivedAt: null,
});
const version = {
  hash,
  parent: null,
  restores: null,
  message: 'm',
  author: { name: 'a', email: 'e' },
  createdAt: time,
};
const more = { description: null, environments: [], valid: false, faults: [] };

it('takes what the contract says, with members that it does not know', () => {
  checkAnswer('workflows.get', { ...workflow({ color: 'red' }), later: 1 });
  // As it was saved, errors and all.
  checkAnswer('commits.get', { ...version, ...more, definition: { nodes: 'none' } });
  checkAnswer('workflows.archive', undefined);
});

it.each([
  [workflow({ environment: '../../x' }), '/environments/0/environment'],
  [workflow({ hash: `${hash}\n[core]` }), '/environments/0/hash'],
  [{ ...workflow(), head: '../../x' }, '/head'],
  [{ ...workflow(), environments: [{}] }, '/environments/0/environment'],
  [undefined, 'it'],
  [[], 'it'],
])('names the route and the place of what is otherwise', (answer, pointer) => {
  expect(() => checkAnswer('workflows.get', answer)).toThrow(
    expect.objectContaining({
      code: 'MASTER_ANSWER_INVALID',
      message: expect.stringContaining(`GET /api/v1/workflows/:id is not what this version expects: ${pointer} `),
    }),
  );
});

it.each(['../x.json', '/etc/x.json', 'package.json', '.bashrc', 'dashboards/HEAD', 'dashboards/.git/x.json'])(
  'takes no file of an export to Grafana named %s',
  (path) => {
    const files = [{ path, content: '' }];
    expect(() => checkAnswer('dashboards.exportGrafana', { files })).toThrow('/files/0/path');
  },
);

it('takes the files that a master writes for Grafana', () => {
  const paths = [
    'README.md',
    'dashboards/cluster-2.json',
    'provisioning/alerting/yardmaster.yaml',
    'provisioning/datasources/yardmaster.yaml',
  ];
  checkAnswer('dashboards.exportGrafana', { files: paths.map((path) => ({ path, content: '' })) });
});
