/** Places that always differ: JSON pointers in which `*` stands for any index or key. What lies under one is ignored too. */
export interface Ignored {
  readonly isEmpty: boolean;
  holds(path: string): boolean;
}

interface Step {
  ends: boolean;
  readonly next: Map<string, Step>;
}

/** Read once and then asked for thousands of paths: a replay has up to fifty of them for each of its inputs, most the same. */
export function parseIgnoredPaths(patterns: readonly string[]): Ignored {
  const root: Step = { ends: false, next: new Map() };
  for (const pattern of patterns) {
    let at = root;
    for (const word of pattern.split('/').slice(1)) {
      const step = at.next.get(word) ?? { ends: false, next: new Map() };
      at.next.set(word, step);
      at = step;
    }
    at.ends = true;
  }
  const known = new Map<string, boolean>();

  function look(path: string): boolean {
    let open = [root];
    if (root.ends) return true;
    for (const word of path.split('/').slice(1)) {
      const next: Step[] = [];
      for (const { next: steps } of open)
        for (const step of word === '*' ? [steps.get('*')] : [steps.get(word), steps.get('*')]) {
          if (step?.ends) return true;
          if (step) next.push(step);
        }
      if (next.length === 0) return false;
      open = next;
    }
    return false;
  }

  return {
    isEmpty: patterns.length === 0,
    holds(path) {
      let found = known.get(path);
      if (found === undefined) known.set(path, (found = look(path)));
      return found;
    },
  };
}
