import type { Filter, MathExpr, Pipe } from '../../../lib/logsql/ast.ts';

/** Fields that a result still needs; null: all. */
export type Needs = ReadonlySet<string> | null;

/** What the pipes look at, so that a pipe that keeps rows keeps no more of them than that. */
export function needsOf(pipes: readonly Pipe[]): Needs {
  return pipes.reduceRight<Needs>((after, pipe) => before(pipe, after), null);
}

function before(pipe: Pipe, after: Needs): Needs {
  switch (pipe.kind) {
    case 'fields':
      return pipe.names.some(({ prefix }) => prefix)
        ? null
        : new Set(pipe.names.map(({ name }) => name).filter((name) => after === null || after.has(name)));
    case 'stats':
      return pipe.calls.some(({ name, fields }) => fields.length === 0 && name !== 'count' && name !== 'rate') ||
        pipe.calls.some(({ name, fields }) => name.startsWith('row_') && fields.length < 2)
        ? null
        : new Set([
            ...pipe.by.map(({ field }) => field),
            ...pipe.calls.flatMap(({ fields, condition }) => [
              ...fields,
              ...(condition === null ? [] : fieldsOf(condition)),
            ]),
          ]);
    case 'uniq':
    case 'top':
      return new Set(pipe.by);
    case 'field_values':
      return new Set([pipe.field]);
    case 'sort':
      return pipe.by.some(({ field }) => field === '')
        ? null
        : plus(after, [...pipe.by.map(({ field }) => field), ...pipe.partition]);
    case 'filter':
      return plus(after, fieldsOf(pipe.filter));
    case 'limit':
    case 'offset':
    case 'sample':
      return after;
    case 'math':
      return plus(
        after,
        pipe.steps.flatMap(({ expr }) => operands(expr)),
      );
    case 'rename':
    case 'copy':
      return pipe.pairs.some(([from]) => from.prefix)
        ? null
        : plus(
            after,
            pipe.pairs.map(([from]) => from.name),
          );
    default:
      return null;
  }
}

const plus = (needs: Needs, more: readonly string[]): Needs => (needs === null ? null : new Set([...needs, ...more]));

function operands(expr: MathExpr): string[] {
  return expr.kind === 'field' ? [expr.name] : expr.kind === 'call' ? expr.args.flatMap(operands) : [];
}

function fieldsOf(filter: Filter): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(filter.part);
    case 'time':
      return ['_time'];
    case 'stream':
      return ['_stream'];
    case 'field':
      return 'other' in filter.test ? [filter.field, filter.test.other] : [filter.field];
    default:
      return [];
  }
}
