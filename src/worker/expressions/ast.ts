/** A node of JSONata's syntax tree, with the members that are read here. The parser of JSONata has no type for it. */
export interface Ast {
  type: string;
  value?: unknown;
  position?: number;
  steps?: Ast[];
  stages?: Ast[];
  predicate?: Ast[];
  arguments?: Ast[];
  expressions?: Ast[];
  expression?: Ast;
  condition?: Ast;
  then?: Ast;
  else?: Ast;
  /** Of an object (`{…}`): its pairs of key and value. */
  lhs?: Ast | [key: Ast, value: Ast][];
  rhs?: Ast;
  group?: { lhs: [key: Ast, value: Ast][] };
  procedure?: Ast;
  expr?: Ast;
}

const PATH_STEP_KEYS = new Set(['type', 'value', 'position']);

/** The names of a path such as `a.b` or `$.a.b`; null where a step does anything but go down by a name. */
export function pathNames(steps: readonly Ast[]): string[] | null {
  const names: string[] = [];
  for (const [i, step] of steps.entries()) {
    if (Object.keys(step).some((key) => !PATH_STEP_KEYS.has(key))) return null;
    if (step.type === 'name') names.push(String(step.value));
    else if (i > 0 || step.type !== 'variable' || (step.value !== '' && step.value !== '$')) return null;
  }
  return names;
}
