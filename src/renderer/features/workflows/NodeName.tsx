import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { FailureGroup } from '../../../contract/failures.ts';
import { jobQuery } from '../../api/jobs.ts';
import { commitQuery } from '../../api/workflows.ts';
import { unnamedNodes, type NodeNameLookup, nodeNames } from './node-names.ts';

const Names = createContext<NodeNameLookup>(unnamedNodes);

/** Names of the nodes of a version; the ids until it is read. */
export function useNodeNames(workflowId: string, commit: string | undefined): NodeNameLookup {
  const { data } = useQuery({ ...commitQuery(workflowId, commit ?? ''), enabled: commit !== undefined });
  return useMemo(() => (data === undefined ? unnamedNodes : nodeNames(data.definition.nodes)), [data]);
}

/** What is in it calls nodes as this version does. */
export function NodeNames({
  workflowId,
  commit,
  children,
}: {
  workflowId: string;
  commit: string | undefined;
  children: ReactNode;
}): ReactNode {
  return <Names value={useNodeNames(workflowId, commit)}>{children}</Names>;
}

/** The same for the version that a job runs; null: there is no job. */
export function NodeNamesOfJob({ jobId, children }: { jobId: string | null; children: ReactNode }): ReactNode {
  const { data: job } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  return (
    <NodeNames workflowId={job?.workflowId ?? ''} commit={job?.commit}>
      {children}
    </NodeNames>
  );
}

export const useNodeName = (): NodeNameLookup => useContext(Names);

/** A node as people call it; its id shows on hover. */
export function NodeName({ node }: { node: string }): ReactNode {
  const name = useNodeName()(node);
  return name === node ? node : <span data-hint={node}>{name}</span>;
}

/** The node of failures that are alike, as their newest version calls it. */
export function NodeOf({
  group: { workflowId, node, commits },
}: {
  group: Pick<FailureGroup, 'workflowId' | 'node' | 'commits'>;
}): ReactNode {
  const newest = commits.reduce<FailureGroup['commits'][number] | undefined>(
    (last, one) => (last === undefined || one.lastSeenAt > last.lastSeenAt ? one : last),
    undefined,
  );
  return (
    <NodeNames workflowId={workflowId} commit={newest?.commit}>
      <NodeName node={node} />
    </NodeNames>
  );
}
