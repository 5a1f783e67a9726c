import { NODE_TYPES, type NodeType } from '../../../contract/node-types.ts';

/** What the engine has to know of a node type before it leases a node, or runs it again. */
export type NodeTrait =
  /** It makes no task. */
  | 'structure'
  /** It acts on other systems: where it is not known whether it has run, it is not run again without a question. */
  | 'effects'
  /** It only computes, and quickly: it may be leased ahead. */
  | 'computes'
  /** Run again, it does nothing twice. */
  | 'repeatable'
  /** It follows no node in a lease: it makes tasks of its own kind, or needs a worker that may be another. */
  | 'beginsChain'
  /** No node follows it in a lease: who is next depends on its end, the master runs it, or its worker may run nothing else. */
  | 'endsChain';

/** Each type, also one that is neither: what is forgotten here does not compile. */
const TRAITS: Readonly<Record<NodeType, readonly NodeTrait[]>> = {
  input: ['structure'],
  output: ['structure'],
  transform: ['computes', 'repeatable'],
  template: ['computes', 'repeatable'],
  condition: ['computes', 'repeatable', 'endsChain'],
  code: ['repeatable'],
  delay: [],
  http: ['effects'],
  handler: ['effects', 'beginsChain', 'endsChain'],
  wait: ['beginsChain', 'endsChain'],
  forEach: ['beginsChain', 'endsChain'],
  workflow: ['beginsChain', 'endsChain'],
};

const typesWith = (trait: NodeTrait): ReadonlySet<string> =>
  new Set(NODE_TYPES.filter((type) => TRAITS[type].includes(trait)));

const BY_TRAIT: Readonly<Record<NodeTrait, ReadonlySet<string>>> = {
  structure: typesWith('structure'),
  effects: typesWith('effects'),
  computes: typesWith('computes'),
  repeatable: typesWith('repeatable'),
  beginsChain: typesWith('beginsChain'),
  endsChain: typesWith('endsChain'),
};

export const hasTrait = (type: string, trait: NodeTrait): boolean => BY_TRAIT[trait].has(type);
