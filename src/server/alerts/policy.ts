import type { Inhibition, Policy, PolicyBody, PolicyRoute } from '../../contract/alert-channels.ts';
import type { Matcher } from '../../contract/alert-rules.ts';
import { BUILT_IN_INHIBITIONS, DEFAULT_POLICY } from './built-in.ts';
import { labelsText, type Labels } from './fingerprint.ts';
import type { CompileMatchers, Matches } from './matchers.ts';

/** Where alerts of one policy go, and when. */
export interface Route {
  /** The matchers on the way down, as text: part of the key of its groups. */
  readonly path: string;
  readonly channels: readonly string[];
  /** Null: each alert is a group of its own. */
  readonly groupBy: readonly string[] | null;
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly repeatMs: number;
}

interface Node {
  readonly matches: Matches;
  readonly goesOn: boolean;
  readonly route: Route;
  readonly children: readonly Node[];
}

export interface Firing {
  readonly id: string;
  readonly labels: Labels;
}

export interface CompiledPolicy {
  /** The deepest policies that match; with `continue` also later ones of the same level. */
  routesOf(labels: Labels): Route[];
  /** Ids of all channels that it names. */
  readonly channels: ReadonlySet<string>;
  /** Tells, of all that fires, what holds an alert back. */
  inhibitor(firing: readonly Firing[]): (labels: Labels) => string[];
}

export const withPolicyDefaults = (body: PolicyBody): Policy => ({
  ...DEFAULT_POLICY,
  ...body,
  // The schema goes three levels deep, the type to any.
  routes: (body.routes ?? []) as Policy['routes'],
  inhibitions: body.inhibitions ?? [],
  builtInInhibitions: [...BUILT_IN_INHIBITIONS],
});

/** Throws VALIDATION_FAILED for a bad regular expression. */
export function compilePolicy(policy: Policy, compile: CompileMatchers): CompiledPolicy {
  const channels = new Set<string>();
  function node(of: PolicyRoute, above: Route | null, pointer: string): Node {
    const route: Route = {
      path: above === null ? '{}' : `${above.path}/${matchersText(of.matchers)}`,
      channels: of.channels ?? above?.channels ?? [],
      groupBy: of.groupBy === undefined ? (above?.groupBy ?? []) : of.groupBy.includes('...') ? null : of.groupBy,
      waitMs: of.groupWaitSeconds === undefined ? (above?.waitMs ?? 0) : of.groupWaitSeconds * 1000,
      intervalMs: of.groupIntervalSeconds === undefined ? (above?.intervalMs ?? 1000) : of.groupIntervalSeconds * 1000,
      repeatMs: of.repeatIntervalSeconds === undefined ? (above?.repeatMs ?? 1000) : of.repeatIntervalSeconds * 1000,
    };
    for (const channel of route.channels) channels.add(channel);
    return {
      matches: compile(of.matchers, `${pointer}/matchers`),
      goesOn: of.continue ?? false,
      route,
      children: (of.routes ?? []).map((child, i) => node(child, route, `${pointer}/routes/${i}`)),
    };
  }
  const root = node({ ...policy, matchers: [] }, null, '');
  const own = policy.inhibitions.map((one, i) => inhibition(one, compile, i));
  // Nothing is wrong with these: they are compiled when something fires for the first time.
  let builtIn: Inhibits[] | undefined;
  const all = () => [...(builtIn ??= policy.builtInInhibitions.map((one) => inhibition(one, compile, -1))), ...own];

  function find(at: Node, labels: Labels): Route[] {
    const found: Route[] = [];
    for (const child of at.children) {
      if (!child.matches(labels)) continue;
      found.push(...find(child, labels));
      if (!child.goesOn) break;
    }
    return found.length > 0 ? found : [at.route];
  }
  return {
    channels,
    routesOf: (labels) => find(root, labels),
    inhibitor(firing) {
      const held = firing.length === 0 ? [] : all().map((by) => by(firing));
      return (labels) => [...new Set(held.flatMap((by) => by(labels)))];
    },
  };
}

type Inhibits = (firing: readonly Firing[]) => (labels: Labels) => string[];

function inhibition({ source, target, equal }: Inhibition, compile: CompileMatchers, index: number): Inhibits {
  const isSource = compile(source, `/inhibitions/${index}/source`);
  const isTarget = compile(target, `/inhibitions/${index}/target`);
  return (firing) => {
    const sources = firing.filter(({ labels }) => isSource(labels));
    // What is on both sides would hold itself back.
    return (labels) =>
      sources.length === 0 || !isTarget(labels) || isSource(labels)
        ? []
        : sources
            .filter((one) => equal.every((name) => (one.labels[name] ?? '') === (labels[name] ?? '')))
            .map(({ id }) => id);
  };
}

const matchersText = (matchers: readonly Matcher[]): string =>
  `{${matchers.map(({ name, op, value }) => `${name}${op}${JSON.stringify(value)}`).join(',')}}`;

/** The labels that an alert's group is made of. */
export const groupLabels = ({ groupBy }: Route, labels: Labels): Labels =>
  groupBy === null
    ? labels
    : Object.fromEntries(
        groupBy.filter((name) => Object.hasOwn(labels, name)).map((name) => [name, labels[name] ?? '']),
      );

/** `{}/{severity="critical"}:{alertname="x"}` */
export const alertGroupKey = (route: Route, groupLabels: Labels): string => `${route.path}:${labelsText(groupLabels)}`;
