import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { DefinitionSchema } from '../contract/definition.ts';
import { ROUTES, type RouteName } from '../contract/routes.ts';
import type { Route } from '../contract/shapes.ts';
import { Fault } from './fault.ts';
import { explainValidationErrors, type ValidationError } from './validation-errors.ts';

/**
 * Throws `Fault` MASTER_ANSWER_INVALID where what a route answered with is not what the contract says. Members that the
 * contract does not know are allowed: a newer master may have some. Loads the schemas of all routes: import it only where
 * an answer is checked.
 */
export function checkAnswer(name: RouteName, answer: unknown): void {
  const { method, path, answers }: Route = ROUTES[name];
  const shapes = Object.values(answers);
  // An answer without a body.
  if (answer === undefined && shapes.includes(null)) return;
  const schemas = shapes.filter((one) => one !== null).map((one) => tolerant(one));
  if (schemas.some((schema) => Check(schema, answer))) return;
  const [schema] = schemas;
  const errors = schema === undefined ? [] : explainValidationErrors(flat(Errors(schema, answer)[1]));
  const [first] = errors;
  throw new Fault(
    'MASTER_ANSWER_INVALID',
    `the master's answer to ${method} ${path} is not what this version expects: ${first?.pointer || 'it'} ${first?.message ?? 'is of another shape'}. Nothing of it was used; check that the URL is that of your master, and its version`,
    { errors },
  );
}

/** One error for each missing property, as Ajv tells them. */
const flat = (errors: readonly ValidationError[]): ValidationError[] =>
  errors.flatMap((error) => {
    const { requiredProperties } = error.params;
    return Array.isArray(requiredProperties)
      ? requiredProperties.map((missingProperty: unknown) => ({ ...error, params: { missingProperty } }))
      : [error];
  });

/**
 * The schema without its refusals of unknown members. Definitions are stored as they were saved, errors and all, perhaps
 * by a later version: an object is all that they must be.
 */
function tolerant(schema: TSchema): TSchema {
  const open = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(open);
    if (part === null || typeof part !== 'object') return part;
    if (part === DefinitionSchema) return { type: 'object' };
    return Object.fromEntries(
      Object.entries(part).flatMap(([key, value]) =>
        key === 'additionalProperties' && value === false ? [] : [[key, open(value)]],
      ),
    );
  };
  return open(schema) as TSchema;
}
