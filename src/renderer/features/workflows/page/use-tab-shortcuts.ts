import { type RefObject, useEffect, useRef } from 'react';
import { t } from '../../../../lib/language.ts';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import type { WorkflowTab } from '../workflow-search.ts';

/** The keys that lead to the tabs of a workflow; the ref belongs on the list of tabs. */
export function useTabShortcuts(
  tab: WorkflowTab,
  go: (next: WorkflowTab) => unknown,
): RefObject<HTMLDivElement | null> {
  // Who works by keys goes on from the tab: what had the focus is not there any more.
  const tabs = useRef<HTMLDivElement>(null);
  const keyed = useRef(false);
  const focusTab = () => tabs.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  useEffect(() => {
    if (keyed.current) focusTab();
    keyed.current = false;
  }, [tab]);
  const byKey = (next: WorkflowTab) => {
    if (next === tab) return focusTab();
    keyed.current = true;
    void go(next);
  };
  useShortcut('w e', t('Workflow builder'), () => byKey('editor'));
  useShortcut('w r', t('Workflow runs'), () => byKey('runs'));
  useShortcut('w m', t('Workflow metrics'), () => byKey('metrics'));
  useShortcut('w v', t('Workflow versions'), () => byKey('versions'));
  useShortcut('w p', t('Publish workflow'), () => byKey('publish'));
  useShortcut('w s', t('Workflow schedules'), () => byKey('schedules'));
  useShortcut('w t', t('Try workflow'), () => byKey('try'));
  useShortcut('w c', t('Workflow test cases'), () => byKey('tests'));
  useShortcut('w k', t('Workflow keys'), () => byKey('keys'));
  useShortcut('w h', t('Workflow webhooks'), () => byKey('webhooks'));
  return tabs;
}
