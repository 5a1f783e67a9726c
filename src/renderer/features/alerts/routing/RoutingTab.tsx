import { Button, Group, MultiSelect, SegmentedControl, TagsInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import type { Channel, Policy } from '../../../../contract/alert-channels.ts';
import { t } from '../../../../lib/language.ts';
import { alertKeys, channelsQuery, policyQuery, putPolicy } from '../../../api/alerts.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { useWhy } from '../../../stores/role.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { LeaveQuestion } from '../../../ui/LeaveQuestion.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Alerts.module.css';
import { InhibitionForms, RouteForms } from './RouteForms.tsx';
import {
  type InhibitionDraft,
  type RouteDraft,
  inhibitionDrafts,
  inhibitionsFromDrafts,
  isBlankInhibition,
  isBlankRoute,
  parsePolicyText,
  routeDrafts,
  routesFromDrafts,
} from './route-draft.ts';
import { matcherText, secondsIn, durationText } from '../shared/labels.ts';
import { bindText } from '../../../ui/bind.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { useSending } from '../../../ui/use-sending.ts';

const route = getRouteApi('/alerts');

/** Which alerts go to which channels, in which groups, and how often. The address may name a channel that is to be among them. */
export function RoutingTab(): ReactNode {
  const query = useQuery(policyQuery());
  const { data: channels } = useQuery(channelsQuery({ size: 500 }));
  if (!query.data || !channels) return <Loading query={query} what={t('Could not load the routing')} lines={8} />;
  return <Kept policy={query.data} channels={channels.items} />;
}

/**
 * What is being written outlives each alert that fires, after which all of it is read again, and its own saving; it begins anew
 * where somebody else has saved another.
 */
function Kept({ policy, channels }: { policy: Policy; channels: readonly Channel[] }): ReactNode {
  const now = JSON.stringify(policy);
  const begun = useRef(now);
  const saved = useRef<string | null>(null);
  if (now !== begun.current && now !== saved.current) begun.current = now;
  return (
    <Editor
      key={begun.current}
      policy={policy}
      channels={channels}
      onSaved={(next) => (saved.current = JSON.stringify(next))}
    />
  );
}

function Editor({
  policy,
  channels,
  onSaved,
}: {
  policy: Policy;
  channels: readonly Channel[];
  onSaved(policy: Policy): void;
}): ReactNode {
  const client = useQueryClient();
  const whyAdmin = useWhy('alerts.manage');
  const canAdmin = whyAdmin === undefined;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [added] = useState(
    () => channels.find(({ id }) => id === search.channel && !policy.channels.includes(id)) ?? null,
  );
  const [to, setTo] = useState(added === null ? policy.channels : [...policy.channels, added.id]);
  const [groupBy, setGroupBy] = useState(policy.groupBy);
  const [spans, setSpans] = useState({
    wait: durationText(policy.groupWaitSeconds),
    interval: durationText(policy.groupIntervalSeconds),
    repeat: durationText(policy.repeatIntervalSeconds),
  });
  const [form, setForm] = useState<'form' | 'json'>('form');
  const [routes, setRoutes] = useState(() => routeDrafts(policy.routes));
  const [inhibitions, setInhibitions] = useState(() => inhibitionDrafts(policy.inhibitions));
  const [text, setText] = useState('');
  const { busy, error, setError, send } = useSending();
  const span = (name: keyof typeof spans, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      {...bindText(spans[name], (text) => setSpans({ ...spans, [name]: text }))}
      error={secondsIn(spans[name]) === null && t('For example 30s, 5m or 1h.')}
      disabled={!canAdmin}
    />
  );
  /** The JSON says what the forms do, or is not open: those know also what was only added. */
  const isAsInForms = () => form === 'form' || text === jsonText(listsIn(routes, inhibitions));
  /** The two lists as they stand in the form that is open; null where a line of it is no matcher yet. */
  const lists = () => (form === 'form' ? listsIn(routes, inhibitions) : parsePolicyText(text));
  /** What was written in one form goes over to the other; what cannot be read stays where it is. */
  function turn(to: 'form' | 'json') {
    try {
      const now = lists();
      if (now === null) throw new Error(t('Complete the routes and inhibitions first.'));
      if (!isAsInForms()) {
        setRoutes(routeDrafts(now.routes));
        setInhibitions(inhibitionDrafts(now.inhibitions));
      }
      setText(jsonText(now));
      setForm(to);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  }
  const entered = (text = listsText()) => JSON.stringify([to, groupBy, spans, text]);
  /** What is no matcher, or no JSON, counts as written; what was only added does not. */
  function listsText(): string {
    const drafts = [
      routes.filter((draft) => !isBlankRoute(draft)),
      inhibitions.filter((draft) => !isBlankInhibition(draft)),
    ] as const;
    try {
      return JSON.stringify(isAsInForms() ? (listsIn(...drafts) ?? drafts) : parsePolicyText(text));
    } catch {
      return text;
    }
  }
  const [begun, setBegun] = useState(() => entered());
  const isUnsaved = () => canAdmin && entered() !== begun;
  const save = () =>
    send(async () => {
      const now = lists();
      if (now === null) throw new Error(t('Complete the routes and inhibitions first.'));
      onSaved(
        await putPolicy({
          channels: to,
          groupBy,
          groupWaitSeconds: secondsIn(spans.wait) ?? 30,
          groupIntervalSeconds: secondsIn(spans.interval) ?? 300,
          repeatIntervalSeconds: secondsIn(spans.repeat) ?? 14_400,
          ...now,
        }),
      );
      // What was changed meanwhile stays as it is.
      setRoutes((drafts) => drafts.map((draft) => (routes.includes(draft) ? { ...draft, isNew: false } : draft)));
      setInhibitions((drafts) =>
        drafts.map((draft) => (inhibitions.includes(draft) ? { ...draft, isNew: false } : draft)),
      );
      setBegun(entered(JSON.stringify(now)));
      await client.invalidateQueries({ queryKey: alertKeys.all });
      toastSuccess(t('Routing saved'));
      void navigate({ search: { tab: 'routing' }, replace: true });
    });
  const bad = Object.values(spans).some((text) => secondsIn(text) === null);
  return (
    <div className={css['form']}>
      <Section title={t('All alerts')}>
        <div className={css['form']}>
          {added !== null && search.channel === added.id && (
            <Callout tone="info">
              {t(
                'Once saved, {name} receives all alerts too. To send it only some of them, remove it here and add a route below.',
                { name: added.name },
              )}
            </Callout>
          )}
          <MultiSelect
            label={t('Channels')}
            data={channels.map(({ id, name }) => ({ value: id, label: name }))}
            value={to}
            onChange={setTo}
            placeholder={to.length === 0 ? t('Nobody is notified') : ''}
            disabled={!canAdmin}
          />
          <TagsInput
            label={t('Group by')}
            description={t('Labels. "..." sends each alert on its own')}
            value={groupBy}
            onChange={setGroupBy}
            disabled={!canAdmin}
          />
          <div className={css['pair']}>
            {span('wait', t('Group wait'), t('before the first message of a group'))}
            {span('interval', t('Group interval'), t('between messages when a group changes'))}
            {span('repeat', t('Repeat interval'), t('while alerts are still firing'))}
          </div>
        </div>
      </Section>
      <Section
        title={t('Routes')}
        actions={
          <SegmentedControl
            aria-label={t('Edit as')}
            data={[
              { value: 'form', label: t('Form') },
              { value: 'json', label: t('JSON') },
            ]}
            value={form}
            onChange={turn}
          />
        }
      >
        <div className={css['form']}>
          {form === 'form' ? (
            <>
              <span className="dim">
                {t(
                  'Routes are checked from top to bottom; the first match wins. In nested routes, the deepest match wins.',
                )}
              </span>
              <RouteForms
                routes={routes}
                channels={channels}
                disabled={!canAdmin}
                onChange={(next) => setRoutes([...next])}
              />
              <InhibitionForms
                inhibitions={inhibitions}
                disabled={!canAdmin}
                onChange={(next) => setInhibitions([...next])}
              />
            </>
          ) : (
            <>
              <span className="dim">
                {t('Channel IDs: {names}', {
                  names: channels.map(({ id, name }) => `${name} = ${id}`).join(', '),
                })}
              </span>
              <CodeEditor
                label={t('Routes and inhibitions')}
                language="json"
                value={text}
                onChange={setText}
                readOnly={!canAdmin}
                minHeight={160}
                maxHeight={340}
              />
            </>
          )}
          <span className="dim">
            {rich('Always active: while {value}', {
              value: policy.builtInInhibitions.map(({ source, target }) => (
                <span key={JSON.stringify(source)}>
                  {rich('{code} is firing, {code2} is suppressed.', {
                    code: <code>{source.map(matcherText).join(' ')}</code>,
                    code2: <code>{target.map(matcherText).join(' ')}</code>,
                  })}
                </span>
              )),
            })}
          </span>
        </div>
      </Section>
      <LeaveQuestion
        isLost={({ current, next }) =>
          isUnsaved() && (current.pathname !== next.pathname || (next.search as { tab?: unknown }).tab !== 'routing')
        }
        isUnsaved={isUnsaved}
      />
      <ErrorLine error={error} />
      <Group justify="flex-end">
        <Button onClick={() => void save()} loading={busy} disabled={!canAdmin || bad} title={whyAdmin}>
          {t('Save routing')}
        </Button>
      </Group>
    </div>
  );
}

const jsonText = (lists: object | null): string => JSON.stringify(lists, null, 2);
function listsIn(routes: readonly RouteDraft[], inhibitions: readonly InhibitionDraft[]) {
  const [ours, holds] = [routesFromDrafts(routes), inhibitionsFromDrafts(inhibitions)];
  return ours === null || holds === null ? null : { routes: ours, inhibitions: holds };
}
