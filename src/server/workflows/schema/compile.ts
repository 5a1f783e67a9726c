import { errorMessage } from '../../../lib/errors.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Format } from 'ajv';
import { explainValidationErrors } from '../../../lib/validation-errors.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { checkMeta } from './meta-check.ts';
import { CostBudgetSpent, createCostMeter, type CostMeter } from './meter.ts';
import { isUrl } from './is-url.ts';
import { linearPattern } from './pattern.ts';
import { prepareSchema, METER_KEYWORD, type SchemaFault } from './prepare.ts';

/** Checks one value (with plain numbers) against a compiled schema: null where it is valid. `budget` is shared by the values of one call. */
export type InputCheck = (value: unknown, budget?: { steps: number }) => { pointer: string; message: string }[] | null;

export interface SchemaCompiler {
  /** Faults of the schema itself, or its check. */
  compile(schema: unknown): Compiled;
}
type Compiled = { readonly faults: SchemaFault[] } | { readonly faults: null; readonly check: InputCheck };

const MAX_FORMATTED = 8192;
/** Characters of a text with a format that cost as much as one step. */
const FORMAT_CHARACTERS_PER_STEP = 16;
// Compiled by the build, without types.
const validateMeta = checkMeta as unknown as ValidateFunction;

/** What a schema costs to compile, in bytes of ordinary schema: patterns become automata. */
export function schemaCost(schema: unknown): number {
  const text = JSON.stringify(schema);
  return text.length + 200 * (text.match(/"(?:pattern|patternProperties|format)"/g)?.length ?? 0);
}
/** A schema that costs more is compiled in the thread alone. */
export const LARGE_SCHEMA_COST = 2048;

/**
 * Compiles user schemas (JSON Schema draft 2020-12 with formats) so that neither compiling nor checking can stall the
 * event loop: size is bounded, references stay inside, patterns are matched in linear time, and each step of a check
 * is charged against `steps`.
 */
export function createSchemaCompiler({ schemaBytes, steps }: { schemaBytes: number; steps: number }): SchemaCompiler {
  const meter = createCostMeter();
  // Each costs some milliseconds to make, and a master whose workflows have no input schema needs none.
  let ajvs: { first: Ajv2020; every: Ajv2020 } | undefined;

  function compile(schema: unknown): Compiled {
    const { prepared, faults } = prepareSchema(schema, schemaBytes);
    if (faults.length > 0) return { faults };
    const { first, every } = (ajvs ??= { first: ajvFor(meter, false), every: ajvFor(meter, true) });
    try {
      if (!validateMeta(prepared)) return { faults: explainValidationErrors(validateMeta.errors ?? []) };
      const quick = compileOnce(first, prepared);
      let thorough: ValidateFunction | undefined;
      return {
        faults: null,
        check(value, budget) {
          meter.refill(budget?.steps ?? steps);
          try {
            if (quick(value)) return null;
            thorough ??= compileOnce(every, prepared);
            thorough(value);
            return explainValidationErrors(thorough.errors ?? quick.errors ?? []);
          } catch (error) {
            if (error instanceof CostBudgetSpent || error instanceof RangeError)
              return [
                {
                  pointer: '',
                  message:
                    'checking this input against the schema takes too long; simplify the schema or shorten the input',
                },
              ];
            throw error;
          } finally {
            if (budget) budget.steps = Math.max(0, meter.left);
          }
        },
      };
    } catch (error) {
      return { faults: [{ pointer: '', message: errorMessage(error) }] };
    }
  }

  return { compile };
}

/** Ajv keeps every schema it compiled; ours come and go. */
function compileOnce(ajv: Ajv2020, schema: unknown): ValidateFunction {
  try {
    return ajv.compile(schema as object);
  } finally {
    ajv.removeSchema(schema as object);
  }
}

function ajvFor(meter: CostMeter, allErrors: boolean): Ajv2020 {
  const regExp = Object.assign((pattern: string) => linearPattern(pattern, meter), { code: 'linearPattern' });
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    validateSchema: false,
    meta: false,
    ownProperties: true,
    validateFormats: true,
    logger: false,
    messages: true,
    inlineRefs: false,
    // Its type also asks for what only schemas that are written out as source need.
    code: { regExp: regExp as never },
  });
  formats(ajv);
  // The library's own backtracks for minutes.
  ajv.addFormat('url', isUrl);
  for (const [name, format] of Object.entries(ajv.formats))
    if (format !== undefined) ajv.addFormat(name, bounded(format, meter));
  ajv.addKeyword({
    keyword: METER_KEYWORD,
    errors: false,
    before: 'type',
    validate: (weight: number) => (meter.spend(weight), true),
  } as never);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (wanted: boolean, items: unknown[]) => !wanted || allDiffer(items, meter),
  });
  return ajv;
}

/** Formats are regular expressions of others: on texts of bounded length they are quick, and their texts are paid for. */
function bounded(format: Format, meter: CostMeter): Format {
  const isShort = (text: string): boolean => {
    meter.spend(text.length / FORMAT_CHARACTERS_PER_STEP);
    return text.length <= MAX_FORMATTED;
  };
  if (format instanceof RegExp) return (text: string) => isShort(text) && format.test(text);
  if (typeof format === 'function') return (text: string) => isShort(text) && format(text);
  if (
    typeof format === 'object' &&
    typeof format.validate === 'function' &&
    format.async !== true &&
    (format.type === undefined || format.type === 'string')
  ) {
    const validate = format.validate as (text: string) => boolean;
    return { ...format, validate: (text: string) => isShort(text) && validate(text) } as Format;
  }
  return format;
}

function allDiffer(items: unknown[], meter: CostMeter): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    const key =
      item !== null && typeof item === 'object' ? canonicalJson(item) : typeof item === 'string' ? `"${item}` : item;
    meter.spend(typeof key === 'string' ? 2 + key.length / 16 : 1);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}
