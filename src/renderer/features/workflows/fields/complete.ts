import { isRecord } from '../../../../lib/is-record.ts';
import { t } from '../../../../lib/language.ts';

/** Completion of expressions and code, from a sample of the input. Pure: CodeMirror is told in `ExpressionField.tsx`. */
export interface ExpressionOffer {
  readonly label: string;
  readonly detail: string;
  readonly kind: 'property' | 'function' | 'constant' | 'variable';
  /** What is put there where it is not the label. */
  readonly insert?: string;
}
export interface ExpressionOffers {
  /** Offset that the offers replace from. */
  readonly from: number;
  readonly offers: readonly ExpressionOffer[];
}

export type Language = 'jsonata' | 'javascript' | 'template';

export interface Known {
  /** A sample of the input; undefined: none is known. */
  readonly sample: unknown;
  readonly secrets: readonly string[];
  /** Secrets may be named here. */
  readonly mayNameSecrets: boolean;
}

const MOST = 200;

/** What fits at an offset; null: nothing. */
export function offersAt(language: Language, text: string, offset: number, known: Known): ExpressionOffers | null {
  const before = text.slice(0, offset);
  if (language === 'javascript') return inCode(before, known);
  if (language === 'template' && before.lastIndexOf('{{') <= before.lastIndexOf('}}')) return null;
  return inExpression(language === 'template' ? before.slice(before.lastIndexOf('{{') + 2) : before, offset, known);
}

const PATH = /(?:(?:\$\$?|[A-Za-z_]\w*|`[^`]*`)(?:\[[^\]]*\])?\s*\.\s*)*(?:`[^`]*|[A-Za-z_]\w*)?$/;

function inExpression(
  before: string,
  offset: number,
  { sample, secrets, mayNameSecrets }: Known,
): ExpressionOffers | null {
  if (isInText(before)) return null;
  const name = /\$[A-Za-z_]*$/.exec(before);
  if (name) return { from: offset - name[0].length, offers: functionOffers() };
  const path = PATH.exec(before)?.[0] ?? '';
  const { steps, typed } = stepsOf(path);
  const from = offset - typed.length;
  if (steps[0] === 'secrets' && steps.length === 1 && mayNameSecrets)
    return { from, offers: secrets.map((label) => ({ label, detail: t('secret'), kind: 'constant' as const })) };
  const offers = keysAt(sample, steps).map(({ key, value }) =>
    keyOffer(key, value, /^[A-Za-z_]\w*$/.test(key) ? undefined : `\`${key}\``),
  );
  if (steps.length > 0) return offers.length === 0 ? null : { from, offers };
  const words = mayNameSecrets ? [{ label: 'secrets', detail: t('secret values'), kind: 'variable' as const }] : [];
  const all = [...offers, ...words, ...functionOffers()];
  return typed === '' &&
    path === '' &&
    before.trim() !== '' &&
    !/[({[,:;?&=<>+\-*/|~]\s*$|\b(?:and|or|in)\s*$/.test(before)
    ? null
    : { from, offers: all };
}

/** True inside quotes: what is typed there is no path. */
function isInText(before: string): boolean {
  let quote: string | null = null;
  for (let i = 0; i < before.length; i++) {
    const char = before.charAt(i);
    if (quote !== null) {
      if (char === '\\') i++;
      else if (char === quote) quote = null;
    } else if (char === '"' || char === "'") quote = char;
  }
  return quote !== null;
}

/** `a.b[0].c` → steps a, b and the c that is being typed. */
function stepsOf(path: string): { steps: string[]; typed: string } {
  const parts = path.split('.').map((part) => part.trim());
  const typed = path.endsWith('.') ? '' : (parts.at(-1) ?? '');
  const steps = parts.slice(0, -1).map((part) => part.replace(/\[[^\]]*\]$/, '').replaceAll('`', ''));
  return { steps: steps[0] === '$' || steps[0] === '$$' ? steps.slice(1) : steps, typed };
}

function inCode(before: string, { sample, secrets }: Known): ExpressionOffers | null {
  const path = /((?:\b[A-Za-z_$][\w$]*(?:\[[^\]]*\])?\??\.)*)([A-Za-z_$][\w$]*)?$/.exec(before);
  if (!path) return null;
  const [, dotted = '', typed = ''] = path;
  const from = before.length - typed.length;
  const steps = dotted
    .split('.')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\?$/, '').replace(/\[[^\]]*\]$/, ''));
  const [first, ...rest] = steps;
  if (first === 'input')
    return {
      from,
      offers: keysAt(sample, rest)
        .filter(({ key }) => /^[A-Za-z_$][\w$]*$/.test(key))
        .map(({ key, value }) => keyOffer(key, value)),
    };
  if (first === 'ctx' && rest[0] === 'secrets')
    return { from, offers: secrets.map((label) => ({ label, detail: t('secret'), kind: 'constant' })) };
  if (first === 'ctx') return { from, offers: contextOffers() };
  if (steps.length > 0 || typed === '') return null;
  return {
    from,
    offers: [
      { label: 'input', detail: t('input of the node'), kind: 'variable' },
      { label: 'ctx', detail: t('logging, attempt, secrets'), kind: 'variable' },
    ],
  };
}

const contextOffers = (): ExpressionOffer[] => [
  { label: 'log', detail: t('(level, message, fields?) writes a log line'), kind: 'function' },
  { label: 'secrets', detail: t('secret values'), kind: 'property' },
  { label: 'attempt', detail: t('attempt number, starting at 1'), kind: 'property' },
  { label: 'taskId', detail: t('task ID'), kind: 'property' },
];

/** Keys of what lies at a path of the sample; JSONata walks through lists, so do we. */
function keysAt(sample: unknown, steps: readonly string[]): { key: string; value: unknown }[] {
  let here: unknown[] = flat([sample]);
  for (const step of steps)
    here = flat(here.flatMap((one) => (isRecord(one) && Object.hasOwn(one, step) ? [one[step]] : [])));
  const keys = new Map<string, unknown>();
  for (const one of here)
    if (isRecord(one))
      for (const [key, value] of Object.entries(one)) if (!keys.has(key) && keys.size < MOST) keys.set(key, value);
  return [...keys].map(([key, value]) => ({ key, value }));
}

const flat = (values: readonly unknown[]): unknown[] =>
  values.flatMap((value) => (Array.isArray(value) ? flat(value.slice(0, 20)) : [value]));

function keyOffer(key: string, value: unknown, insert?: string): ExpressionOffer {
  return { label: key, detail: shapeOf(value), kind: 'property', ...(insert === undefined ? {} : { insert }) };
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return t('array of {count}', { count: value.length });
  if (isRecord(value)) return t('object');
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The functions of JSONata, each with what it takes. */
const FUNCTIONS = `$sum(list) $count(list) $max(list) $min(list) $average(list) $string(value) $length(text) $substring(text,start,length) $substringBefore(text,chars) $substringAfter(text,chars)
$uppercase(text) $lowercase(text) $trim(text) $pad(text,width,char) $contains(text,pattern) $split(text,separator) $join(list,separator) $match(text,pattern) $replace(text,pattern,by)
$base64encode(text) $base64decode(text) $encodeUrlComponent(text) $encodeUrl(text) $decodeUrlComponent(text) $decodeUrl(text) $number(value) $abs(number) $floor(number) $ceil(number) $round(number,digits)
$power(base,exponent) $sqrt(number) $random() $formatNumber(number,picture) $formatBase(number,radix) $formatInteger(number,picture) $parseInteger(text,picture) $boolean(value) $not(value) $exists(value)
$append(list,list) $sort(list,function) $reverse(list) $shuffle(list) $distinct(list) $zip(lists) $keys(object) $lookup(object,key) $spread(object) $merge(list) $sift(object,function) $each(object,function) $error(text) $assert(condition,text) $type(value)
$map(list,function) $filter(list,function) $single(list,function) $reduce(list,function,start) $now() $millis() $fromMillis(number) $toMillis(text) $eval(text)`;

function functionOffers(): ExpressionOffer[] {
  return FUNCTIONS.split(/\s+/).map((written) => {
    const [label = '', takes = ''] = written.split(/(?=\()/);
    return { label, detail: takes.replaceAll(',', ', '), kind: 'function', insert: label };
  });
}
