import type { ClipboardEvent, ReactNode } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { endpointPath } from '../endpoint.ts';
import { useMasterUrl } from './master-url.ts';
import classes from './Publish.module.css';

/** Where an environment of a workflow is called. Where room is scarce its end stays: that is what tells one from another. */
export function EndpointUrl({ workflowId, environment }: { workflowId: string; environment: Environment }): ReactNode {
  const url = useMasterUrl() + endpointPath(workflowId, environment);
  const end = `/${workflowId}/${environment}`;
  // A selection is copied with a line break between the two parts.
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData.setData('text/plain', url);
    event.preventDefault();
  };
  return (
    <div className={classes.url}>
      <code data-hint={url} onCopy={onCopy}>
        <span>{url.slice(0, -end.length)}</span>
        <span>{end}</span>
      </code>
      <CopyButton value={url} label={t('Copy URL of {environment}', { environment })} />
    </div>
  );
}
