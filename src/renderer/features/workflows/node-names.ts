/** What people call a node, by its id. */
export type NodeNameLookup = (id: string) => string;

/** Stands in while a version is read, and where there is none. */
export const unnamedNodes: NodeNameLookup = (id) => id;

/** Names of a version's nodes. A node without a name is called by its id; of several of one name each has its id beside it. */
export function nodeNames(
  nodes: readonly { readonly id: string; readonly name?: string | undefined }[],
): NodeNameLookup {
  const times = new Map<string, number>();
  for (const { id, name } of nodes) times.set(name || id, (times.get(name || id) ?? 0) + 1);
  const names = new Map(
    nodes.flatMap(({ id, name }) =>
      name && name !== id ? [[id, times.get(name) === 1 ? name : `${name} (${id})`] as const] : [],
    ),
  );
  return (id) => names.get(id) ?? id;
}
