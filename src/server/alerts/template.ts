import { invalidAt } from '../../lib/fault.ts';
import { parseTemplate } from '../../lib/template.ts';

/** What the expressions of a template may name: `$value`, `$labels.x`. */
export type TemplateValues = Readonly<Record<string, string | number | null | Readonly<Record<string, string>>>>;

const EXPRESSION = /^\$([a-zA-Z]+)(?:\.([a-zA-Z_][a-zA-Z0-9_.]*))?\s*(?:\|\s*([a-z]+))?$/;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const plain = (value: number): string => String(Number(value.toPrecision(6)));
const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  round: (value) => String(Math.round(value)),
  percent: (value) => `${Number((value * 100).toFixed(1))}%`,
  bytes: (value) => {
    const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, Math.abs(value))) / 10)));
    return `${Number((value / 1024 ** step).toFixed(1))} ${UNITS[step]}`;
  },
  seconds: (value) => (value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`),
};

/** A text with its `{{ $… }}` filled in. What is not there is `-`: a message must go out whatever its template says. */
export function expandTemplate(template: string, scope: TemplateValues): string {
  return parseTemplate(template)
    .map((piece) => ('text' in piece ? piece.text : valueOf(piece.expression, scope)))
    .join('');
}

function valueOf(expression: string, scope: TemplateValues): string {
  const [, root = '', path, format] = EXPRESSION.exec(expression) ?? [];
  const held = Object.hasOwn(scope, root) ? scope[root] : null;
  const value =
    path === undefined
      ? held
      : typeof held === 'object' && held !== null && Object.hasOwn(held, path)
        ? held[path]
        : null;
  if (value === null || value === undefined || typeof value === 'object') return '-';
  const number = typeof value === 'number' ? value : Number(value);
  if (format !== undefined && value !== '' && Number.isFinite(number))
    return FORMATS[format]?.(number) ?? String(value);
  return typeof value === 'number' ? plain(value) : value;
}

/** Refuses a template that names what there is not. `records`: roots with a name behind a dot. */
export function checkTemplate(
  template: string,
  pointer: string,
  values: readonly string[],
  records: readonly string[],
): void {
  for (const piece of parseTemplate(template)) {
    if ('text' in piece) continue;
    const [, root = '', path, format] = EXPRESSION.exec(piece.expression) ?? [];
    const good = path === undefined ? values.includes(root) : records.includes(root);
    if (good && (format === undefined || Object.hasOwn(FORMATS, format))) continue;
    const message = `{{ ${piece.expression} }} is unknown: use ${[...values.map((name) => `$${name}`), ...records.map((name) => `$${name}.NAME`)].join(', ')}, with | ${Object.keys(FORMATS).join(', ')}`;
    throw invalidAt(pointer, message);
  }
}

export const ANNOTATION_VALUES = ['value'];
export const ANNOTATION_RECORDS = ['labels'];
