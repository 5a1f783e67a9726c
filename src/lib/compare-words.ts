import { t } from './language.ts';

interface Side {
  readonly state: string;
  readonly port: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}
/** A task of one run beside that of another; `change`: where their outputs differ first, as JSON texts. */
interface Difference {
  readonly node: string;
  readonly nodeType: string;
  readonly differs: readonly string[];
  readonly here: Side | null;
  readonly there: Side | null;
  readonly change: {
    readonly op: 'added' | 'removed' | 'changed';
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  } | null;
}
interface Runs {
  readonly ended: Difference | null;
  readonly first: Difference | null;
  readonly inputs: { readonly differing: number };
  readonly here: { readonly status: string };
  readonly there: { readonly status: string };
  readonly complete: boolean;
}

const idItself = (id: string): string => id;

/** Characters of a message or value that stand in a sentence. */
const SHOWN = 120;
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** What an `http` node was answered: the status stands in its output, or in the message of its failure. */
function answered(first: Difference): { here: string; there: string } | null {
  if (first.nodeType !== 'http' || first.here === null || first.there === null) return null;
  const ofMessage = (message: string | undefined) => / answered (\d{3})\b/.exec(message ?? '')?.[1];
  const { change } = first;
  const ofOutput = (side: 'before' | 'after') =>
    change?.path === '$.status' ? (change[side] ?? undefined) : undefined;
  const here = ofMessage(first.here.error?.message) ?? ofOutput('after');
  const there = ofMessage(first.there.error?.message) ?? ofOutput('before');
  // One that completed was answered with success.
  if (here !== undefined && there === undefined && first.there.state === 'COMPLETED')
    return { here, there: change?.before ?? '2xx' };
  if (there !== undefined && here === undefined && first.here.state === 'COMPLETED')
    return { here: change?.after ?? '2xx', there };
  return here !== undefined && there !== undefined && here !== there ? { here, there } : null;
}

/** One difference as a sentence for people; `nameOf`: what they call a node. */
export function differenceWords(first: Difference, nameOf = idItself): string {
  const node = nameOf(first.node);
  const { here, there, change } = first;
  if (here === null)
    return t('{node} has no task in this run; in the other run it ended as {state}.', {
      node,
      state: there?.state ?? '',
    });
  if (there === null) return t('{node} ran only in this run.', { node });
  const http = answered(first);
  if (http) return t('{node} returned {here} instead of {there}.', { node, ...http });
  if (here.state !== there.state) {
    // A timeout is its own code.
    if (here.error?.code === here.state)
      return t('{node} ended as {here} instead of {there}: {message}', {
        node,
        here: here.state,
        there: there.state,
        message: cut(here.error.message),
      });
    if (here.error)
      return t('{node} ended as {here} instead of {there}: {code}, {message}', {
        node,
        here: here.state,
        there: there.state,
        code: here.error.code,
        message: cut(here.error.message),
      });
    return t('{node} is {here} instead of {there}.', { node, here: here.state, there: there.state });
  }
  if (first.differs.includes('error'))
    return t('{node} failed with a different error: {here} instead of {there}.', {
      node,
      here: cut(`${here.error?.code ?? '–'} ${here.error?.message ?? ''}`),
      there: cut(`${there.error?.code ?? '–'} ${there.error?.message ?? ''}`),
    });
  if (first.differs.includes('port'))
    return t('{node} took branch {here} instead of {there}.', {
      node,
      here: here.port ?? '–',
      there: there.port ?? '–',
    });
  if (change === null) return t('{node} returned a different output.', { node });
  if (change.op === 'added')
    return t('{node} returned an additional {path}: {after}', {
      node,
      path: change.path,
      after: cut(change.after ?? ''),
    });
  if (change.op === 'removed')
    return t('{node} did not return {path}; in the other run it was {before}.', {
      node,
      path: change.path,
      before: cut(change.before ?? ''),
    });
  return t('{node} returned {after} for {path} instead of {before}.', {
    node,
    path: change.path,
    after: cut(change.after ?? ''),
    before: cut(change.before ?? ''),
  });
}

/** What matters most about two runs, in one sentence. */
export function comparisonWords({ ended, first, inputs, here, there, complete }: Runs, nameOf = idItself): string {
  const most = ended ?? first;
  if (most) return differenceWords(most, nameOf);
  if (here.status !== there.status)
    return t('All shared tasks are the same, but this run is {here} and the other is {there}.', {
      here: here.status,
      there: there.status,
    });
  if (!complete)
    return t(
      'No difference in the compared part. The runs exceed the comparison limits, so some of it was not compared.',
    );
  if (inputs.differing > 0) return t('Every task ended with the same status and output, although the inputs differ.');
  return t('Every task ended with the same status and output.');
}
