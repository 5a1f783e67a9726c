import * as definition from '../../src/contract/definition.ts';

/**
 * A plugin of the build that writes `src/contract/definition.ts` as the JSON Schema that it comes to: the builder reads its schemas as
 * they are, and the library that makes them weighs six times as much.
 */
export const writtenSchemas = () => ({
  name: 'written-schemas',
  load: (id: string) =>
    /[\\/]src[\\/]contract[\\/]definition\.ts$/.test(id)
      ? Object.entries(definition)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join('\n')
      : null,
});
