import type { Definition } from '../../../contract/definition.ts';
import type { Limits } from '../../../contract/limits.ts';
import { parseJson } from '../../../lib/json.ts';
import type { OffloadWork } from '../../offload/port.ts';
import { checkDefinition } from '../../workflows/check.ts';
import { prepareDefinition } from '../../workflows/prepare-definition.ts';
import { createSchemaCompiler } from '../../workflows/schema/compile.ts';
import { diffTexts } from '../../workflows/versions.ts';
import { decodeBody } from '../hooks/decode-body.ts';
import { readLargeBodies } from './large-bodies.ts';

export type BodyWork = Pick<OffloadWork, 'event' | 'body' | 'inputs' | 'hookBody' | 'prepare' | 'definition' | 'diff'>;

/** What needs the compilers of schemas, expressions and routes: a megabyte of code, which the thread loads with its first large body. */
export function createBodyWork(limits: Limits): BodyWork {
  const schemas = createSchemaCompiler({ schemaBytes: limits.schemaBytes, steps: limits.schemaSteps });
  const check = (definition: Definition) =>
    checkDefinition(definition, { schemas, definitionNodes: limits.definitionNodes });
  const prepare = (definition: unknown) =>
    prepareDefinition(definition as Definition, { check, definitionBytes: limits.definitionBytes });

  return {
    ...readLargeBodies({
      limits,
      compile(schema) {
        const compiled = schemas.compile(schema);
        return compiled.faults === null ? compiled.check : null;
      },
      prepare,
    }),
    hookBody: ({ body, type, idMember }) =>
      decodeBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength), type, idMember, limits),
    prepare: ({ text }) => prepare(parseJson(text)),
    definition: ({ text }) => check(parseJson<Definition>(text)),
    diff: diffTexts,
  };
}
