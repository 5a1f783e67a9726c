import type { Task } from '../../../../contract/tasks.ts';
import { parseJson } from '../../../../lib/json.ts';
import type { Identity } from '../../../access/port.ts';
import { createRelations } from '../../core/relations.ts';
import type { App } from '../../core/route.ts';
import type { Sees } from './bundle.ts';

/** What a bundle may hold for somebody of that which is not of its jobs: no more than the routes of these things answer. */
export function createSees({ services, scope }: Pick<App, 'services' | 'scope'>, who: Identity): Sees {
  const { policy } = services.access;
  const relations = createRelations(services, scope);
  const ofTask = async (line: string): Promise<string> => {
    const task = parseJson<Task>(line);
    const shown = await relations.task(who, task);
    return shown === task ? line : JSON.stringify(shown);
  };
  return {
    workers: policy.may(who, 'master.read', null),
    metrics: policy.may(who, 'metrics.read', null),
    versions: (workflowId) => scope.sees(who, 'workflows.read', workflowId),
    inputs: (workflowId) => scope.seesInputsOf(who, workflowId),
    job: (job) => relations.job(who, job),
    async tasks(lines) {
      if (who.grants === null) return lines;
      const given = lines.split('\n').filter((line) => line !== '');
      return (await Promise.all(given.map(async (line) => `${await ofTask(line)}\n`))).join('');
    },
  };
}
