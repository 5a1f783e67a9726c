import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { fileKindForName, MAX_FILE_BYTES } from '../../../contract/desktop.ts';
import { t } from '../../../lib/language.ts';
import { useStores } from '../../stores/context.tsx';
import { callShell, desktop, useConsoleLink, useShellEvent } from '../../stores/desktop.ts';
import { copyText } from '../../ui/CopyButton.tsx';
import { formatBytes } from '../../ui/Duration.tsx';
import { toastSuccess, toastInfo, toastFailure } from '../../ui/toasts.tsx';
import css from './OpenedFiles.module.css';

const ImportWorkflow = lazy(async () => ({
  default: (await import('../workflows/ImportWorkflow.tsx')).ImportWorkflow,
}));

/**
 * Opens workflows and incident bundles on any page: dropped on the window, or handed over by the desktop app, which also has
 * its notices and its menu entry for the link shown here. Of other files it says so.
 */
export function OpenedFiles(): ReactNode {
  const { incident } = useStores();
  const navigate = useNavigate();
  const [workflow, setWorkflow] = useState<{ name: string; bytes: Uint8Array } | null>(null);

  const open = useCallback(
    (name: string, file: Blob) => {
      const kind = fileKindForName(name);
      if (kind === null) return;
      // A bundle is read as it comes, and has limits of its own.
      if (kind === 'workflow' && file.size > MAX_FILE_BYTES.workflow)
        return toastInfo(
          t('{name} is too large', { name }),
          t('It is {bytes}; the maximum is {most}.', {
            bytes: formatBytes(file.size),
            most: formatBytes(MAX_FILE_BYTES.workflow),
          }),
        );
      if (kind === 'workflow')
        return void file.arrayBuffer().then((bytes) => setWorkflow({ name, bytes: new Uint8Array(bytes) }));
      void incident.getState().open(file, name);
      void navigate({ to: '/incident' });
    },
    [incident, navigate],
  );
  useHandedOver(open);
  useCopyLink();
  const over = useDrop(open);
  return (
    <>
      {over && (
        <div className={css['over']} aria-hidden>
          {t('Drop a workflow or an incident bundle to open it')}
        </div>
      )}
      {workflow && (
        <Suspense>
          <ImportWorkflow
            file={workflow}
            onClose={() => setWorkflow(null)}
            onImported={(workflowId) => {
              setWorkflow(null);
              void navigate({ to: '/workflows/$workflowId', params: { workflowId } });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Takes what waits in the shell: at the start of the page, and whenever it says that there is something. */
function useHandedOver(open: (name: string, file: Blob) => void): void {
  const take = useCallback(() => {
    if (!desktop()) return;
    void callShell('desktop:take', null).then(
      ({ file, notices }) => {
        for (const { title, message, failed } of notices)
          if (failed) toastInfo(title, message);
          else toastSuccess(title, message);
        if (file) open(file.name, new Blob([new Uint8Array(file.bytes)]));
      },
      toastFailure(t('Could not open the file')),
    );
  }, [open]);
  useEffect(take, [take]);
  useShellEvent('desktop:waiting', take);
}

function useCopyLink(): void {
  const link = useConsoleLink();
  const router = useRouter();
  const href = useLocation({ select: (location) => location.href });
  useShellEvent(
    'menu:copy-link',
    useCallback(
      () =>
        void copyText(link(href)).then((done) =>
          done
            ? toastSuccess(t('Link copied'), link(router.state.location.href))
            : toastInfo(t('Could not copy the link'), link(href)),
        ),
      [link, href, router],
    ),
  );
}

/** True while files are dragged over the window. */
function useDrop(open: (name: string, file: Blob) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout>;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      clearTimeout(leaving);
      setOver(true);
      // There is no event for a file that is dragged out of the window, but this one stops.
      leaving = setTimeout(() => setOver(false), 250);
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      const file = files.find(({ name }) => fileKindForName(name) !== null);
      // The browser would go to the file and leave the console.
      event.preventDefault();
      if (file !== undefined) open(file.name, file);
      else if (files[0])
        toastInfo(
          t('Could not open {name}', { name: files[0].name }),
          t('Expected a .workflow.json or .yardmaster-incident file.'),
        );
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      clearTimeout(leaving);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [open]);
  return over;
}
