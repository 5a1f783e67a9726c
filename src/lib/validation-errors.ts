/** What Ajv tells of one fault. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: Record<string, unknown>;
}

const MOST = 100;
/** What says of a value only that it is none of this branch of a union. */
const OF_A_BRANCH = new Set(['type', 'const', 'enum']);
/** Told only where nothing better is known of the same place. */
const VAGUE = new Set(['anyOf', 'oneOf', 'if', 'not', 'allOf', '$ref']);

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * One entry for each fault, with a JSON pointer to what is at fault: the missing property itself, the unknown property
 * itself. The branches of a union of constants become one list of what is allowed.
 */
export function explainValidationErrors(errors: readonly ValidationError[]): { pointer: string; message: string }[] {
  const allowed = new Map<string, unknown[]>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'const' && keyword !== 'enum') continue;
    const values = allowed.get(instancePath) ?? [];
    // Ajv's own member of an error of `enum`.
    values.push(...(keyword === 'const' ? [params['allowedValue']] : (params['allowedValues'] as unknown[])));
    allowed.set(instancePath, values);
  }
  // Of a value or a list of such values, the branch that got further is the one that was meant.
  const deeper = (at: string) =>
    errors.some((error) => error.keyword === 'anyOf' && error.instancePath === at) &&
    errors.some((error) => error.instancePath.startsWith(`${at}/`));
  const found = new Map<string, { pointer: string; message: string }>();
  const vague: { pointer: string; message: string }[] = [];
  for (const error of errors) {
    if (found.size >= MOST) break;
    if (OF_A_BRANCH.has(error.keyword) && deeper(error.instancePath)) continue;
    const values = allowed.get(error.instancePath);
    // Beside the constants of a union, "must be string" is true of a branch only.
    if (values && (error.keyword === 'type' || VAGUE.has(error.keyword))) continue;
    const one =
      values && (error.keyword === 'const' || error.keyword === 'enum')
        ? { pointer: error.instancePath, message: oneOf(values) }
        : describe(error);
    if (VAGUE.has(error.keyword)) vague.push(one);
    else found.set(`${one.pointer} ${one.message}`, one);
  }
  for (const one of vague)
    if (![...found.values()].some((f) => f.pointer === one.pointer || f.pointer.startsWith(`${one.pointer}/`)))
      found.set(one.pointer, one);
  return [...found.values()];
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1
    ? `must be ${JSON.stringify(values[0]).slice(0, 300)}`
    : `must be one of ${[...new Set(values.map((v) => JSON.stringify(v)))].join(', ').slice(0, 500)}`;

function describe({ instancePath, keyword, message, params }: ValidationError): { pointer: string; message: string } {
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${escapePointer(String(params['missingProperty']))}`, message: 'is required' };
    case 'additionalProperties':
      return {
        pointer: `${instancePath}/${escapePointer(String(params['additionalProperty']))}`,
        message: 'is not a known property',
      };
    case 'unevaluatedProperties':
      return {
        pointer: `${instancePath}/${escapePointer(String(params['unevaluatedProperty']))}`,
        message: 'is not a known property',
      };
    case 'minLength':
    case 'minItems':
    case 'maxLength':
    case 'maxItems':
      return { pointer: instancePath, message: sizeWords(keyword, Number(params['limit'])) };
    case 'format':
      return { pointer: instancePath, message: FORMAT_WORDS[String(params['format'])] ?? message ?? 'is not valid' };
    default:
      return { pointer: instancePath, message: message ?? 'is not valid' };
  }
}

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  'date-time': 'must be a date and time such as 2026-01-31T08:00:00Z',
  date: 'must be a date such as 2026-01-31',
};

function sizeWords(keyword: 'minLength' | 'minItems' | 'maxLength' | 'maxItems', limit: number): string {
  const isLeast = keyword === 'minLength' || keyword === 'minItems';
  if (isLeast && limit === 1) return 'must not be empty';
  const one = keyword === 'minLength' || keyword === 'maxLength' ? 'character' : 'item';
  return `must have at ${isLeast ? 'least' : 'most'} ${limit} ${one}${limit === 1 ? '' : 's'}`;
}
