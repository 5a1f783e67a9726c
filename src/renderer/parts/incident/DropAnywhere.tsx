import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { INCIDENT_ENDING } from '../../../contract/incident.ts';
import { t } from '../../../lib/language.ts';
import { useStores } from '../../stores/context.tsx';
import css from './Incident.module.css';

const isBundle = (name: string): boolean => name.toLowerCase().endsWith(INCIDENT_ENDING);

/** An incident bundle may be dropped on any page. Other files are left to the page; one that nobody takes changes nothing. */
export function DropAnywhere(): ReactNode {
  const { incident } = useStores();
  const navigate = useNavigate();
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
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => isBundle(name));
      // The browser would go to the file and leave the console.
      event.preventDefault();
      if (file === undefined) return;
      void incident.getState().open(file, file.name);
      void navigate({ to: '/incident' });
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('drop', onDrop);
    return () => {
      clearTimeout(leaving);
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [incident, navigate]);
  return over && <div className={css['over']} aria-hidden>{t('Drop an incident bundle to open it')}</div>;
}
