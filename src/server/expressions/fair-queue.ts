/** What an expression is for: its workflow, and the project of that. */
export interface Asker {
  readonly project: string;
  readonly workflow: string;
}

/** How much runs at once, of how many. */
export interface Shares {
  readonly inAll: number;
  readonly ofProject: number;
  readonly ofWorkflow: number;
  /** Weight of all that may wait. */
  readonly waiting: number;
}

interface Entry<T> {
  readonly item: T;
  readonly weight: number;
}

class Group<T> {
  running = 0;
  weight = 0;
  /** When it was last given a turn. */
  turn = 0;
  readonly waiting: Entry<T>[] = [];
}
class Project<T> extends Group<T> {
  readonly workflows = new Map<string, Group<T>>();
}

/**
 * Who waits for a turn. Turns go round the projects, and in each round its workflows, and none has all of them: whoever asks
 * for much, or for what takes long, makes only their own wait. Where no more may wait, those with the most give way.
 */
export class FairQueue<T> {
  readonly #shares: Shares;
  readonly #projects = new Map<string, Project<T>>();
  #running = 0;
  #weight = 0;
  #turns = 0;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  /** What had to give way to it, which may be itself. */
  add(asker: Asker, item: T, weight: number): T[] {
    const { project, workflow } = this.#groups(asker);
    workflow.waiting.push({ item, weight });
    this.#weigh(project, workflow, weight);
    const dropped: T[] = [];
    while (this.#weight > this.#shares.waiting) {
      const [name, most] = heaviest(this.#projects);
      const [id, heavy] = heaviest(most.workflows);
      // The newest: those before it have waited.
      const last = heavy.waiting.pop();
      if (last === undefined) break;
      this.#weigh(most, heavy, -last.weight);
      this.#tidy({ project: name, workflow: id });
      dropped.push(last.item);
    }
    return dropped;
  }

  /** Whose turn it is; null: nobody's. Say `done` afterwards. */
  take(): { readonly asker: Asker; readonly item: T } | null {
    if (this.#running >= this.#shares.inAll) return null;
    let found: { name: string; id: string; project: Project<T>; workflow: Group<T> } | null = null;
    for (const [name, project] of this.#projects) {
      if (project.running >= this.#shares.ofProject || (found !== null && !isBefore(project, found.project))) continue;
      let best: readonly [string, Group<T>] | null = null;
      for (const [id, workflow] of project.workflows)
        if (
          workflow.waiting.length > 0 &&
          workflow.running < this.#shares.ofWorkflow &&
          (best === null || isBefore(workflow, best[1]))
        )
          best = [id, workflow];
      if (best !== null) found = { name, project, id: best[0], workflow: best[1] };
    }
    const entry = found?.workflow.waiting.shift();
    if (found === null || entry === undefined) return null;
    const { name, id, project, workflow } = found;
    this.#weigh(project, workflow, -entry.weight);
    this.#running++;
    project.running++;
    workflow.running++;
    project.turn = workflow.turn = ++this.#turns;
    return { asker: { project: name, workflow: id }, item: entry.item };
  }

  done(asker: Asker): void {
    const { project, workflow } = this.#groups(asker);
    this.#running--;
    project.running--;
    workflow.running--;
    this.#tidy(asker);
  }

  /** Takes out all that waits. */
  drain(): T[] {
    const items: T[] = [];
    for (const [name, project] of this.#projects)
      for (const [id, workflow] of project.workflows) {
        for (const { item, weight } of workflow.waiting.splice(0)) {
          items.push(item);
          this.#weigh(project, workflow, -weight);
        }
        this.#tidy({ project: name, workflow: id });
      }
    return items;
  }

  #groups({ project: name, workflow: id }: Asker): { project: Project<T>; workflow: Group<T> } {
    let project = this.#projects.get(name);
    if (!project) this.#projects.set(name, (project = new Project()));
    let workflow = project.workflows.get(id);
    if (!workflow) project.workflows.set(id, (workflow = new Group()));
    return { project, workflow };
  }

  #weigh(project: Group<T>, workflow: Group<T>, weight: number): void {
    this.#weight += weight;
    project.weight += weight;
    workflow.weight += weight;
  }

  /** Forgets whom nothing is for any more. */
  #tidy(asker: Asker): void {
    const { project, workflow } = this.#groups(asker);
    if (workflow.running === 0 && workflow.waiting.length === 0) project.workflows.delete(asker.workflow);
    if (project.workflows.size === 0) this.#projects.delete(asker.project);
  }
}

/** Fewer run, or its last turn is longer ago. */
const isBefore = (a: Group<unknown>, b: Group<unknown>): boolean =>
  a.running < b.running || (a.running === b.running && a.turn < b.turn);

function heaviest<G extends { readonly weight: number }>(groups: ReadonlyMap<string, G>): readonly [string, G] {
  let found: readonly [string, G] | undefined;
  for (const entry of groups) if (found === undefined || entry[1].weight > found[1].weight) found = entry;
  if (found === undefined) throw new Error('nothing waits');
  return found;
}
