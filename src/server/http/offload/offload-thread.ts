import type { Definition } from '../../../contract/definition.ts';
import type { Limits } from '../../../contract/limits.ts';
import { parseJson } from '../../../lib/json.ts';
import { serveOffload } from '../../offload/serve.ts';
import { threadData } from '../../offload/serve-thread.ts';
import { decodeBody } from '../hooks/decode-body.ts';
import { readLargeBodies } from './large-bodies.ts';
import { createRedactionWork } from './redaction.ts';
import { parseFrameInThread } from '../../workers/frames.ts';
import { checkDefinition } from '../../workflows/check.ts';
import { prepareDefinition } from '../../workflows/prepare-definition.ts';
import { createSchemaCompiler } from '../../workflows/schema/compile.ts';
import { diffTexts } from '../../workflows/versions.ts';

/** The thread that reads what is too large for the event loop: bodies, definitions, frames. Put together from the rooms' own parts. */
const limits = threadData<Limits>();
const schemas = createSchemaCompiler({ schemaBytes: limits.schemaBytes, steps: limits.schemaSteps });
const check = (definition: Definition) =>
  checkDefinition(definition, { schemas, definitionNodes: limits.definitionNodes });

const prepare = (definition: unknown) =>
  prepareDefinition(definition as Definition, { check, definitionBytes: limits.definitionBytes });
const { redact, ...redactionWork } = createRedactionWork();

serveOffload(
  {
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
    ...redactionWork,
    frame: ({ data, items }) =>
      parseFrameInThread(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(), items),
  },
  limits,
  redact,
);
