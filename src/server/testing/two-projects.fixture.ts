import { openRig, workflow, type Rig } from './engine.fixture.ts';
import { startHarness, tester, type Harness } from './http.fixture.ts';
import { letPersonIn } from './person.fixture.ts';

export interface TwoProjects {
  readonly h: Harness;
  readonly rig: Rig;
  readonly be: ReturnType<typeof letPersonIn>['be'];
  close(): Promise<void>;
}

/** The routes over the real engine, with workflow `orders` in project `shop`, `accounts` in `bank`, and a person to be given grants. */
export async function openTwoProjects(): Promise<TwoProjects> {
  const rig = await openRig();
  const h = await startHarness({ services: { jobs: rig.jobs } });
  for (const [project, id] of [
    ['shop', 'orders'],
    ['bank', 'accounts'],
  ] as const) {
    await h.services.access.projects.create({ id: project, name: project }, tester);
    await h.publish(id);
    await h.services.workflows.update(id, { project }, tester);
  }
  return {
    h,
    rig,
    be: letPersonIn(h).be,
    async close() {
      await h.close();
      await rig.close();
    },
  };
}

/** One of these workflows, as jobs of it are submitted. */
export const oneStep = (workflowId: string) => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });
