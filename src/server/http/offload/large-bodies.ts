import { BoundedMap } from '../../../lib/bounded-map.ts';
import { hash } from 'node:crypto';
import type { Limits } from '../../../contract/limits.ts';
import { ROUTES, type RouteName } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import { jsonTextOf, packTexts, unpackChunk, type PackedInputs } from '../../../lib/packed-inputs.ts';
import { parseJson, parseJsonBoth } from '../../../lib/json.ts';
import type { OffloadWork, PreparedDefinition, SchemaRequest } from '../../offload/port.ts';
import type { InputCheck } from '../../workflows/schema/compile.ts';
import { bodyLimits, parseBody } from '../core/body.ts';
import { checkBatch, checkInputs, type InputChecker } from '../events/event-admission.ts';
import { draftFromBody, type DraftBody } from '../routes/draft-body.ts';
import { assertValid, createRouteCompiler, type Validators } from '../core/validate.ts';

/** What the thread needs of other rooms. */
export interface LargeBodyDeps {
  readonly limits: Readonly<Limits>;
  /** The check of an input schema; null: everything is valid. */
  compile(schema: unknown): InputCheck | null;
  prepare(definition: unknown): PreparedDefinition;
}

/** Schemas kept compiled. */
const KEPT = 50;

/** Bodies that are too large for the event loop: the same checks as there, in the same order, in the thread. */
export function readLargeBodies({
  limits,
  compile,
  prepare,
}: LargeBodyDeps): Pick<OffloadWork, 'event' | 'body' | 'inputs'> {
  const validators = new Map<string, Validators>();
  const compileRoute = createRouteCompiler(limits, null);
  const checks = new BoundedMap<string, InputChecker>(KEPT);

  function checkOf(ask: SchemaRequest | null): InputChecker {
    if (ask === null) return { checkInput: () => null };
    let known = checks.get(ask.commit);
    if (!known) {
      known = { checkInput: compile(parseJson(ask.schema)) ?? (() => null) };
      checks.set(ask.commit, known);
    }
    return known;
  }

  function validatorsOf(name: string): Validators {
    let known = validators.get(name);
    // The master's own thread names its routes.
    if (!known) validators.set(name, (known = compileRoute(ROUTES[name as RouteName] as Route)));
    return known;
  }

  return {
    event({ body, schema }) {
      const { value, plain } = parseBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength), limits);
      const inputs = checkInputs(value, plain, checkOf(schema), limits);
      return { bodyHash: hash('sha256', body, 'hex'), inputs: packed(inputs) };
    },

    body({ route, params, query, body }) {
      const { value, plain } = parseBody(
        Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        bodyLimits(route, limits),
      );
      const { params: forParams, query: forQuery, body: forBody } = validatorsOf(route);
      assertValid([
        [forParams, params],
        [forQuery, query],
        [forBody, plain],
      ]);
      // Each has the members that the schema of its route, which has let it pass, asks for.
      const { definition: _, inputs: __, outputs: ___, ...fields } = plain as Record<string, unknown>;
      const given = value as DraftBody & { inputs?: unknown[] };
      const { inputs } = given;
      if ((route === 'jobs.create' || route === 'jobs.rerun') && inputs) {
        return { kind: 'batch', fields: { ...fields, inputs: [] }, inputs: packed(inputs) };
      }
      if (route === 'commits.create' || route === 'workflows.check') {
        return { kind: 'definition', fields, prepared: prepare(given.definition) };
      }
      if (route === 'drafts.run') {
        const { definition, places } = draftFromBody(given);
        return { kind: 'draft', fields, prepared: prepare(definition), places, inputs: packed(inputs ?? []) };
      }
      return { kind: 'plain' };
    },

    inputs({ inputs, schema }) {
      checkBatch(plainOf(inputs), checkOf(schema), limits);
      return null;
    },
  };
}

const packed = (inputs: readonly unknown[]): PackedInputs => packTexts(inputs.map(jsonTextOf));

const plainOf = (inputs: PackedInputs): unknown[] =>
  inputs.chunks.flatMap((chunk) => unpackChunk(chunk).map((text) => parseJsonBoth(text).plain));
