import { readFileSync } from 'node:fs';

/**
 * Rules for dependency-cruiser, made from the one table of rooms (rooms.json). Run through scripts/rooms.mjs, which
 * also proves with planted imports that every rule bites: on its own this tool was seen to read no module and pass.
 */
const { rooms, roots } = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));
const folder = (room) => `^${room}/`;
const test = '\\.(test|fixture|fake)\\.tsx?$';
const nested = (room) => Object.keys(rooms).filter((other) => other.startsWith(`${room}/`));

const walls = Object.entries(rooms).map(([room, may]) => ({
  name: `room ${room}`,
  comment: `${room} may import ${may.length > 0 ? may.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  // Tests of a server room, their fixtures and fakes may build the real thing around it.
  from: { path: folder(room), ...(room.startsWith('src/server/') ? { pathNot: test } : {}) },
  to: {
    path: '^src/',
    pathNot: [room, ...may]
      .map(folder)
      .concat(room.startsWith('src/server/') ? ['^src/server/[a-z-]+/port\\.ts$'] : []),
  },
}));

// The code of a port is types alone; a value imported through the opening for types would be a hole in the wall.
const ports = {
  name: 'ports are types',
  comment: 'of another room’s port.ts only types may be imported',
  severity: 'error',
  from: { path: '^src/server/([a-z-]+)/', pathNot: test },
  to: { path: '^src/server/[a-z-]+/port\\.ts$', pathNot: '^src/server/$1/', dependencyTypesNot: ['type-only'] },
};

// A port says what a room offers; it must not bring in what does it.
const portImports = {
  name: 'ports import types',
  comment: 'a port.ts imports types alone: what runs is behind it',
  severity: 'error',
  from: { path: '^src/.+/port\\.ts$' },
  to: { path: '^src/', dependencyTypesNot: ['type-only'] },
};

// A feature of the console offers the files right in its folder; the folders below are its inside.
const inside = {
  name: 'inside of a feature',
  comment: 'of another feature only the files right in its folder may be imported',
  severity: 'error',
  from: { path: '^src/renderer/features/([a-z-]+)/' },
  to: { path: '^src/renderer/features/[a-z-]+/.+/', pathNot: '^src/renderer/features/$1/' },
};

const composition = roots.map((root) => ({
  name: `root ${root}`,
  comment: `files right under ${root} compose it: they see its rooms, contract and lib`,
  severity: 'error',
  from: { path: `^${root}/[^/]+$` },
  to: { path: '^src/', pathNot: [`^${root}/`, '^src/contract/', '^src/lib/'] },
}));

// The other way round: nothing imports the composition but its entry.
const upward = roots.flatMap((root) =>
  nested(root).length === 0
    ? []
    : [
        {
          name: `upward ${root}`,
          comment: `no room of ${root} imports the files that compose it, but for tests of the whole`,
          severity: 'error',
          from: { path: `^${root}/[^/]+/`, pathNot: test },
          to: { path: `^${root}/[^/]+$` },
        },
      ],
);

export default {
  forbidden: [
    ...walls,
    ports,
    portImports,
    inside,
    ...composition,
    ...upward,
    {
      name: 'no cycle',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no Node in the browser',
      severity: 'error',
      from: { path: '^src/(renderer|contract)/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'all imports resolve',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true, pathNot: '\\.css$|^electron$' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|dist|\\.cache)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css'],
      conditionNames: ['import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};
